import type { ConvexReactClient } from "convex/react";
import { fetchBackendToken, subjectOf, type TokenAnswer } from "./backend-token.ts";
import { nextChance, setTokenAbandoned } from "./session-renewal.ts";

export interface Viewer {
  readonly userId: string | null;
  /** The token that the page was rendered with, good for a first use. */
  readonly token: string | null;
}

/**
 * Tells the reactive backend who looks at the page, and keeps telling it as tokens expire. Visitors
 * say explicitly that they are nobody, since the client holds everything back until it knows.
 *
 * It must exist before the client connects: the client pauses its socket while it waits for a token,
 * and a second pause after the socket has opened makes it forget to introduce itself.
 */
export class BackendAuth {
  readonly #client: ConvexReactClient;
  readonly #onSignedOut: () => Promise<void>;
  #viewer: Viewer | undefined;
  #announceFirst!: (viewer: Viewer) => void;

  constructor(client: ConvexReactClient, onSignedOut: () => Promise<void>) {
    this.#client = client;
    this.#onSignedOut = onSignedOut;
    const first = new Promise<Viewer>((resolve) => {
      this.#announceFirst = resolve;
    });
    this.#client.setAuth(this.#tokensOf(first));
  }

  /** Says who looks; called again when somebody signs in or out on this page. */
  announce(viewer: Viewer): void {
    const before = this.#viewer;
    this.#viewer = viewer;
    if (before === undefined) this.#announceFirst(viewer);
    else if (before.userId !== viewer.userId) {
      this.#client.setAuth(this.#tokensOf(Promise.resolve(viewer)));
    }
  }

  #tokensOf(viewer: Promise<Viewer>) {
    let isFirst = true;
    return async ({
      forceRefreshToken,
    }: {
      forceRefreshToken: boolean;
    }): Promise<string | null> => {
      const { userId, token } = await viewer;
      if (userId === null) return null;
      if (isFirst && !forceRefreshToken && token !== null) {
        isFirst = false;
        return token;
      }
      const answer = await this.#renew(userId);
      if (answer.kind === "token") {
        if (subjectOf(answer.token) === userId) return answer.token;
        // In another window somebody else signed in, and the cookies are one: this page was made for
        // the former one, and must not show or do anything in the name of the other.
        window.location.reload();
        return null;
      }
      if (answer.kind === "signedOut") await this.#onSignedOut();
      return null;
    };
  }

  /**
   * Asks until there is an answer. To the client no token means signed out: it would forget who looks,
   * and the page with it, because a network was away for some seconds.
   */
  async #renew(userId: string): Promise<Exclude<TokenAnswer, { kind: "abandoned" }>> {
    for (;;) {
      const answer = await fetchBackendToken();
      setTokenAbandoned(answer.kind === "abandoned");
      if (answer.kind !== "abandoned") return answer;
      await nextChance();
      if (this.#viewer?.userId !== userId) return { kind: "leaving" };
    }
  }
}

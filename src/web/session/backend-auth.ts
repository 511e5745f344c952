import type { ConvexReactClient } from "convex/react";
import { fetchBackendToken, subjectOf, type TokenAnswer } from "./backend-token.ts";
import { pause } from "./retry.ts";
import { waitToRetry, setTokenAbandoned } from "./session-renewal.ts";

/**
 * Another window may replace the session, which removes the old one before the new cookie is here: a
 * request that is in flight then is refused, and so is retried after this time.
 */
const REPLACED_WITHIN_MS = 500;

export interface Viewer {
  readonly userId: string | null;
  /** The token from the rendered page; used once. */
  readonly token: string | null;
}

/**
 * Authenticates the viewer to the reactive backend, and renews the token before it expires.
 * Visitors have to be announced too: until then the client sends nothing.
 *
 * Must exist before the client connects: the client pauses its socket while it waits for a token,
 * and a second pause after the socket has opened makes it skip its authentication.
 */
export class BackendAuth {
  readonly #client: ConvexReactClient;
  readonly #onSignedOut: () => Promise<void>;
  #viewer: Viewer | undefined;
  #resolveFirstViewer!: (viewer: Viewer) => void;

  constructor(client: ConvexReactClient, onSignedOut: () => Promise<void>) {
    this.#client = client;
    this.#onSignedOut = onSignedOut;
    const first = new Promise<Viewer>((resolve) => {
      this.#resolveFirstViewer = resolve;
    });
    this.#client.setAuth(this.#tokenFetcher(first));
  }

  /** Sets the viewer; called again when a user signs in or out on this page. */
  announce(viewer: Viewer): void {
    const before = this.#viewer;
    this.#viewer = viewer;
    if (before === undefined) this.#resolveFirstViewer(viewer);
    else if (before.userId !== viewer.userId) {
      this.#client.setAuth(this.#tokenFetcher(Promise.resolve(viewer)));
    }
  }

  #tokenFetcher(viewer: Promise<Viewer>) {
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
      let answer = await this.#renew(userId);
      if (answer.kind === "signedOut") {
        await pause(REPLACED_WITHIN_MS);
        answer = await this.#renew(userId);
      }
      if (answer.kind === "token") {
        if (subjectOf(answer.token) === userId) return answer.token;
        // Another user signed in in another window, which shares the cookies: this page was
        // rendered for the previous user and must neither show nor do anything as the other.
        window.location.reload();
        return null;
      }
      if (answer.kind === "signedOut") await this.#onSignedOut();
      return null;
    };
  }

  /**
   * Retries until there is an answer. The client takes a missing token for a sign-out: a short
   * network outage would discard the viewer and the page's data.
   */
  async #renew(userId: string): Promise<Exclude<TokenAnswer, { kind: "abandoned" }>> {
    for (;;) {
      const answer = await fetchBackendToken();
      setTokenAbandoned(answer.kind === "abandoned");
      if (answer.kind !== "abandoned") return answer;
      await waitToRetry(this.#client);
      if (this.#viewer?.userId !== userId) return { kind: "leaving" };
    }
  }
}

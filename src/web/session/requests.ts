/**
 * Requests that change something at the exchange. After any outage the client resends what was not
 * answered, when the trader may already be looking at another market. So a request is sent only
 * while the page is connected, and carries a time limit: after it the exchange refuses the request,
 * however it arrives, even when the page was closed long before.
 */
import type { ConvexReactClient } from "convex/react";
import type { FunctionArgs, FunctionReference, FunctionReturnType } from "convex/server";
import { useMemo } from "react";

import { showToast } from "../ui/toast.ts";
import { useConnectionWatch } from "./connection.ts";
import type { ConnectionWatch } from "./connection-watch.ts";
import { useBackend } from "./use-backend.ts";

/** How long a click stays valid. */
const VALID_MS = 2_000;
/** An answer missing this long after the time limit is not just slow. */
const ANSWER_SLACK_MS = 500;

/** There was no connection, so the request was not sent and never will be. */
export class NotSentError extends Error {
  override readonly name = "NotSentError";

  constructor() {
    super("Not sent: no connection. Nothing was placed or changed.");
  }
}

type Mutation = FunctionReference<"mutation">;
/** A mutation whose requests may have a time limit. */
type TimeLimitedMutation = FunctionReference<"mutation", "public", { validUntil?: number }>;

interface RequestsOptions {
  readonly client: Pick<ConvexReactClient, "mutation">;
  readonly connection: Pick<ConnectionWatch, "read" | "serverNowMs"> | undefined;
}

export class Requests {
  readonly #client: RequestsOptions["client"];
  readonly #connection: RequestsOptions["connection"];

  constructor({ client, connection }: RequestsOptions) {
    this.#client = client;
    this.#connection = connection;
  }

  /**
   * For everything that a user would not want to happen later.
   * @param onUncertain is called if there is no answer by the time limit; the promise settles once
   * the connection is back and the exchange has reported the result
   * @throws NotSentError, or the exchange's refusal
   */
  async send<Reference extends TimeLimitedMutation>(
    reference: Reference,
    args: Omit<FunctionArgs<Reference>, "validUntil">,
    onUncertain: () => void = warnOutcomeUnknown,
  ): Promise<FunctionReturnType<Reference>> {
    const nowMs = this.#requireServerTime();
    const limited = { ...args, validUntil: Math.floor(nowMs) + VALID_MS };
    const mutation: Mutation = reference;
    const timer = setTimeout(onUncertain, VALID_MS + ANSWER_SLACK_MS);
    try {
      return await this.#client.mutation(mutation, limited);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * For cancelling. A delay only makes a cancel more urgent, and a late one risks nothing: it waits
   * for the connection, and the page says so.
   */
  async sendWhenConnected<Reference extends Mutation>(
    reference: Reference,
    args: FunctionArgs<Reference>,
  ): Promise<FunctionReturnType<Reference>> {
    if (this.#connection?.read().kind !== "live") {
      showToast("info", "Not cancelled yet", "It is cancelled as soon as the connection is back.");
    }
    return await this.#client.mutation(reference, args);
  }

  #requireServerTime(): number {
    const nowMs = this.#connection?.serverNowMs() ?? null;
    if (nowMs === null || this.#connection?.read().kind !== "live") throw new NotSentError();
    return nowMs;
  }
}

function warnOutcomeUnknown(): void {
  showToast("info", "No answer yet", "We do not know yet whether it was done; checking…");
}

export function useRequests(): Requests {
  const client = useBackend();
  const connection = useConnectionWatch();
  return useMemo(() => new Requests({ client, connection }), [client, connection]);
}

/**
 * Sends requests that change something at the exchange. After an outage the client would resend
 * unanswered requests when the trader may already be looking at another market. So a request is
 * sent only while the page is connected, and carries a time limit: the exchange refuses the request
 * after it, even if the page was closed long before. A page that has only just loaded and is still
 * connecting sends it within the same limit.
 */
import type { ConvexReactClient } from "convex/react";
import type { FunctionArgs, FunctionReference, FunctionReturnType } from "convex/server";
import { useMemo } from "react";

import { showToast } from "../ui/toast.ts";
import { useConnectionWatch } from "./connection.ts";
import { awakeClock } from "./server-clock.ts";
import type { ConnectionWatch } from "./connection-watch.ts";
import { useBackend } from "./use-backend.ts";

/** Time limit of a request, from the click. */
const VALID_MS = 2_000;
/** How long after the time limit an answer may still be on its way. */
const ANSWER_SLACK_MS = 500;

/** The request was not sent, and never will be, because there was no connection. */
export class NotSentError extends Error {
  override readonly name = "NotSentError";

  constructor() {
    super("Not sent: no connection. Nothing was placed or changed.");
  }
}

type Mutation = FunctionReference<"mutation">;
/** A mutation that accepts a time limit. */
type TimeLimitedMutation = FunctionReference<"mutation", "public", { validUntil?: number }>;

interface RequestsOptions {
  readonly client: Pick<ConvexReactClient, "mutation">;
  readonly connection: Pick<ConnectionWatch, "read" | "serverNowMs" | "subscribe"> | undefined;
}

export class Requests {
  readonly #client: RequestsOptions["client"];
  readonly #connection: RequestsOptions["connection"];

  constructor({ client, connection }: RequestsOptions) {
    this.#client = client;
    this.#connection = connection;
  }

  /**
   * Sends a request that must not take effect later than the user expects.
   * @param onUncertain is called if there is no answer by the time limit; the promise settles once
   * the connection is back and the exchange has reported the result
   * @throws NotSentError, or the exchange's refusal
   */
  async send<Reference extends TimeLimitedMutation>(
    reference: Reference,
    args: Omit<FunctionArgs<Reference>, "validUntil">,
    onUncertain: () => void = warnOutcomeUnknown,
  ): Promise<FunctionReturnType<Reference>> {
    const now = awakeClock();
    const clickedMs = now();
    if (this.#connection?.read().kind === "connecting") await firstConnection(this.#connection);
    const validMs = VALID_MS - (now() - clickedMs);
    if (validMs <= 0) throw new NotSentError();
    const limited = { ...args, validUntil: Math.floor(this.#requireServerTime() + validMs) };
    const mutation: Mutation = reference;
    const timer = setTimeout(onUncertain, validMs + ANSWER_SLACK_MS);
    try {
      return await this.#client.mutation(mutation, limited);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Sends a cancellation, which is safe at any time and more urgent after a delay. Without a
   * connection it is sent once there is one, and the page shows that it waits.
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

/** Resolves once the page has connected for the first time, or when a request would be too late. */
async function firstConnection(connection: NonNullable<RequestsOptions["connection"]>) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, VALID_MS);
  const stopListening = connection.subscribe(() => {
    if (connection.read().kind !== "connecting") resolve();
  });
  await promise;
  stopListening();
  clearTimeout(timer);
}

function warnOutcomeUnknown(): void {
  showToast("info", "No answer yet", "We do not know yet whether it was done; checking…");
}

export function useRequests(): Requests {
  const client = useBackend();
  const connection = useConnectionWatch();
  return useMemo(() => new Requests({ client, connection }), [client, connection]);
}

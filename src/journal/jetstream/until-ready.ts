/** Retries requests to JetStream, which answers none while it elects a leader. */
import { setTimeout as delay } from "node:timers/promises";

const ATTEMPTS = 60;
const RETRY_AFTER_MS = 200;
/** The client's errors when no server could answer, or none did. */
const NO_ANSWER: ReadonlySet<string> = new Set([
  "TimeoutError",
  "RequestError",
  "NoRespondersError",
  "JetStreamNotEnabled",
]);
const STATUS_UNAVAILABLE = 503;
/** JetStream's error code when it has too few servers for the number of replicas. */
const NO_SUITABLE_PEERS = 10005;

/** Retries for some time: after a start, or the loss of a server, there is no leader for seconds. */
export async function untilReady<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === ATTEMPTS || !isNotReady(error)) throw error;
      await delay(RETRY_AFTER_MS);
    }
  }
}

function isNotReady(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { status, code } = error as { status?: unknown; code?: unknown };
  return NO_ANSWER.has(error.name) || status === STATUS_UNAVAILABLE || code === NO_SUITABLE_PEERS;
}

/** Retries transactions that PostgreSQL rejects because they conflict with another one. */
import { setTimeout as delay } from "node:timers/promises";

const ATTEMPTS_MAX = 6;
const FIRST_PAUSE_MS = 5;
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";

/**
 * Runs a transaction, and retries all of it if the database requires that, with growing pauses.
 * Side effects of `run` outside the transaction must be safe to repeat.
 * @throws the last error after six attempts, any other error at once
 */
export async function retrySerialization<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isRetryable(error)) throw error;
      await delay(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}

function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK_DETECTED;
}

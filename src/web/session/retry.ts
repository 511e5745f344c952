import isNetworkError from "is-network-error";

const DELAY_FIRST_MS = 100;
const DELAY_MAX_MS = 1000;
const RETRIES_MAX = 10;

/**
 * Pause before retry number `attempt` (0 is the first): 100 ms, doubled each time up to 1000 ms,
 * with ±50 % jitter so that pages do not reconnect all at once. `random` is in [0, 1).
 */
export function retryDelayMs(attempt: number, random: number): number {
  const delay = Math.min(DELAY_FIRST_MS * 2 ** attempt, DELAY_MAX_MS);
  return delay * (0.5 + random);
}

/** The server, or a proxy in front of it, failed to answer; treated as unreachable. */
export class ServerFailure extends Error {
  override readonly name = "ServerFailure";
}

interface RetryOptions {
  readonly random?: () => number;
  readonly wait?: (ms: number) => Promise<void>;
}

/**
 * Retries `task` after network errors and server failures, up to 10 times; every other error is
 * thrown at once.
 * @throws the last error after the last retry.
 */
export async function retryNetworkErrors<T>(
  task: () => Promise<T>,
  { random = Math.random, wait = pause }: RetryOptions = {},
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await task();
    } catch (error) {
      const isTransient = isNetworkError(error) || error instanceof ServerFailure;
      if (!isTransient || attempt >= RETRIES_MAX) throw error;
      await wait(retryDelayMs(attempt, random()));
    }
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

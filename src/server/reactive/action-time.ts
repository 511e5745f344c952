/** Limits the duration of actions, so that a caller is answered even if an action never ends. */
import type { ActionCall, Executor, FunctionResult } from "./executor.ts";

/** Longer than any read of the history takes, and longer than a person waits. */
export const ACTION_MS_MAX = 60_000;

/**
 * Runs an action; its signal is aborted at the time limit.
 * @param serverMsMax limit of any action in milliseconds; a function may have a lower one
 */
export async function runActionInTime(
  executor: Executor,
  call: ActionCall,
  serverMsMax: number,
): Promise<FunctionResult> {
  const lookup = executor.lookUp("action", call.path, call.identity);
  const own = "refusal" in lookup ? undefined : lookup.msMax;
  const msMax = Math.min(own ?? serverMsMax, serverMsMax);
  const ends = new AbortController();
  const onDeparture = () => ends.abort();
  if (call.signal?.aborted === true) ends.abort();
  call.signal?.addEventListener("abort", onDeparture);
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<FunctionResult>((resolve) => {
    timer = setTimeout(() => {
      resolve(tooLong(msMax));
      ends.abort();
    }, msMax);
    timer.unref();
  });
  try {
    return await Promise.race([executor.action({ ...call, signal: ends.signal }), timedOut]);
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener("abort", onDeparture);
  }
}

function tooLong(msMax: number): FunctionResult {
  const message = `The action took longer than ${msMax / 1_000} seconds and was given up.`;
  return { status: "error", message, data: { code: "unavailable", message } };
}

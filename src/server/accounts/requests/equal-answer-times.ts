/**
 * Calls that send a mail take the same time whether the user exists or not. Writes for an existing
 * user continue after the answer and would delay the client's next request, so the answer also
 * waits until they have ended.
 */
import { setTimeout as delay } from "node:timers/promises";
import { MAIL_PATHS } from "./attempt-guard.ts";
import { withoutTrailingSlashes } from "./known-paths.ts";

/** Several times the duration of such a call's writes: some 20 ms while a market is busy. */
const EVEN_ANSWER_MS = 100;

/**
 * @param path the path below the base path
 * @returns the result of `answer`, but not before the fixed time of such calls
 */
export async function answerInEqualTime<Answer>(
  path: string,
  answer: () => Promise<Answer>,
  wait: (ms: number) => Promise<unknown> = delay,
): Promise<Answer> {
  if (!MAIL_PATHS.has(withoutTrailingSlashes(path))) return answer();
  const [answered] = await Promise.all([answer(), wait(EVEN_ANSWER_MS)]);
  return answered;
}

/**
 * Calls that send a mail take the same time to answer whether the account exists or not. Writes for
 * an existing one continue after the answer and delay the sender's next request, so the answer
 * waits until they are over too.
 */
import { setTimeout as delay } from "node:timers/promises";
import { MAIL_PATHS } from "./attempt-guard.ts";

/** Several times the duration of such a call's writes: some 20 ms beside a busy market. */
const EVEN_ANSWER_MS = 100;

/**
 * @param path below the base path
 * @returns what `answer` returns, at the earliest after the time that such calls take
 */
export async function answerEvenly<Answer>(
  path: string,
  answer: () => Promise<Answer>,
  wait: (ms: number) => Promise<unknown> = delay,
): Promise<Answer> {
  if (!MAIL_PATHS.has(path.replace(/\/+$/, ""))) return answer();
  const [answered] = await Promise.all([answer(), wait(EVEN_ANSWER_MS)]);
  return answered;
}

/**
 * Answers to calls that send a mail take the same time whether there is an account. What is written for one
 * goes on after the answer and holds up what the same sender asks next, so the answer waits until that is
 * over too.
 */
import { setTimeout as delay } from "node:timers/promises";
import { MAIL_PATHS } from "./attempt-guard.ts";

/** Several times what the writes of such a call take: some 20 ms beside a busy market. */
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

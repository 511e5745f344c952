/** Shared by all checks of second-factor codes, regardless of a code's purpose. */
import type { AccountLimit } from "../requests/account-limit.ts";
import type { SecondFactorRecords } from "./second-factor-records.ts";
import { stepOfCode } from "./time-codes.ts";

const LIMITS = ["secondFactor", "secondFactorOfDay"] as const;

/**
 * Counts one attempt.
 * @param limit null if limits are disabled
 * @returns seconds to wait, or null if the attempt may proceed
 */
export async function countCodeAttempt(
  limit: AccountLimit | null,
  userId: string,
): Promise<number | null> {
  for (const kind of LIMITS) {
    const waitSeconds = (await limit?.attempt(kind, userId)) ?? null;
    if (waitSeconds !== null) return waitSeconds;
  }
  return null;
}

/** Clears the attempts after a correct code. */
export async function forgetCodeAttempts(
  limit: AccountLimit | null,
  userId: string,
): Promise<void> {
  for (const kind of LIMITS) await limit?.clear(kind, userId);
}

/**
 * Checks a code and consumes it if it is correct: each code works once.
 * @param secret the decrypted secret
 */
export async function consumeCode(
  records: SecondFactorRecords,
  user: { readonly id: string; readonly secret: string },
  code: string,
): Promise<"accepted" | "wrong" | "usedBefore"> {
  const step = stepOfCode(user.secret, code, Date.now());
  if (step === null) return "wrong";
  return (await records.useStep(user.id, step)) ? "accepted" : "usedBefore";
}

/** What every check of a second factor's code shares, whatever the code is given for. */
import type { AccountLimit } from "../requests/account-limit.ts";
import type { SecondFactorRecords } from "./second-factor-records.ts";
import { stepOfCode } from "./time-codes.ts";

const LIMITS = ["secondFactor", "secondFactorOfDay"] as const;

/**
 * Counts one attempt.
 * @param limit null if limits are switched off
 * @returns seconds to wait, or null if it may proceed
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

/** After a correct code. */
export async function forgetCodeAttempts(
  limit: AccountLimit | null,
  userId: string,
): Promise<void> {
  for (const kind of LIMITS) await limit?.clear(kind, userId);
}

/**
 * Consumes a correct code: each works once.
 * @param secret decrypted
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

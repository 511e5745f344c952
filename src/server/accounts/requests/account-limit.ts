/**
 * At most so many attempts on one account within a window, from whatever addresses: the limit per
 * address alone would let many machines guess one password or fill one mailbox. Unknown accounts
 * count the same, so that the limit does not tell which exist.
 */
import { createHash } from "node:crypto";
import type { APIError } from "better-auth/api";
import { sql } from "kysely";
import type { Database } from "../../database/open-database.ts";
import { refusal } from "../library-calls.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LIMITS = {
  signIn: { attemptsMax: 10, windowMs: 10 * MINUTE_MS },
  // Checked on an account that is closed to strangers: one of each network, so that it takes a hundred
  // networks to use them up, and no more in all than the verifier's limit of NIST SP 800-63B, 5.2.2.
  closedSignInOfNetwork: { attemptsMax: 1, windowMs: DAY_MS },
  closedSignIn: { attemptsMax: 100, windowMs: DAY_MS },
  // By somebody who is signed in, whoever it goes to.
  askedMail: { attemptsMax: 5, windowMs: 60 * MINUTE_MS },
  // Each kind apart, so that asking for one uses up none of another.
  resetMail: { attemptsMax: 5, windowMs: 60 * MINUTE_MS },
  verificationMail: { attemptsMax: 5, windowMs: 60 * MINUTE_MS },
  // One account has one sign-up, but who deletes it signs up again.
  signUpMail: { attemptsMax: 5, windowMs: 60 * MINUTE_MS },
  changeMail: { attemptsMax: 5, windowMs: 60 * MINUTE_MS },
  deletionMail: { attemptsMax: 5, windowMs: 60 * MINUTE_MS },
  // What happened to an account, which its owner wants to know.
  noticeMail: { attemptsMax: 20, windowMs: 60 * MINUTE_MS },
  // Asked of somebody who is signed in, who may sit at a screen that was left alone.
  password: { attemptsMax: 10, windowMs: 10 * MINUTE_MS },
  // Three of a million codes are right at a time. The limit of a day keeps whoever has a password
  // and patience at odds of one in ten thousand a day.
  secondFactor: { attemptsMax: 10, windowMs: 10 * MINUTE_MS },
  guessesTold: { attemptsMax: 1, windowMs: 60 * MINUTE_MS },
  secondFactorOfDay: { attemptsMax: 35, windowMs: DAY_MS },
} as const;
const WINDOW_MS_MAX = Math.max(...Object.values(LIMITS).map((limit) => limit.windowMs));

export type LimitedAttempt = keyof typeof LIMITS;

export type AccountLimit = ReturnType<typeof createAccountLimit>;

export function createAccountLimit({ write }: Database) {
  return {
    /**
     * Counts one attempt.
     * @param account its address or, where somebody is known by then, its id
     * @returns seconds to wait, or null where it may go ahead
     */
    async attempt(kind: LimitedAttempt, account: string): Promise<number | null> {
      const { attemptsMax, windowMs } = LIMITS[kind];
      const nowMs = Date.now();
      const overMs = nowMs - windowMs;
      await write
        .deleteFrom("account_attempts")
        .where("window_started_ms", "<=", nowMs - WINDOW_MS_MAX)
        .execute();
      // One statement, so that attempts at the same moment cannot all pass on the same count. The
      // window begins with its first attempt, so waiting always helps.
      const row = await write
        .insertInto("account_attempts")
        .values({ key: keyOf(kind, account), attempts: 1, window_started_ms: nowMs })
        .onConflict((conflict) =>
          conflict.column("key").doUpdateSet({
            attempts: sql<number>`case when account_attempts.window_started_ms <= ${overMs}
              then 1 else account_attempts.attempts + 1 end`,
            window_started_ms: sql<number>`case
              when account_attempts.window_started_ms <= ${overMs}
              then excluded.window_started_ms else account_attempts.window_started_ms end`,
          }),
        )
        .returning(["attempts", "window_started_ms"])
        .executeTakeFirstOrThrow();
      if (row.attempts <= attemptsMax) return null;
      return Math.max(1, Math.ceil((row.window_started_ms + windowMs - nowMs) / 1000));
    },
    /** Forgets the attempts, such as after a right password. */
    async clear(kind: LimitedAttempt, account: string): Promise<void> {
      await write.deleteFrom("account_attempts").where("key", "=", keyOf(kind, account)).execute();
    },
  };
}

/** The answer to an attempt that has to wait. */
export function tooManyAttempts(waitSeconds: number): APIError {
  const message = "Too many requests. Please try again later.";
  const headers = { "X-Retry-After": String(waitSeconds) };
  return refusal("TOO_MANY_REQUESTS", "TOO_MANY_REQUESTS", message, headers);
}

/** A digest: the table must not become a list of addresses. */
function keyOf(kind: LimitedAttempt, account: string): string {
  const digest = createHash("sha256").update(account.trim().toLowerCase()).digest("base64url");
  return `${kind}:${digest}`;
}

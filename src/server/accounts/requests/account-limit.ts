/**
 * Limits attempts per user within a window, from all addresses together: a limit per address alone
 * would let many machines guess one password or fill one mailbox. Unknown users are counted the
 * same, so that the limit does not reveal which users exist.
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
  // Passwords checked for a user whose sign-in is closed to unknown networks: one per network, so that
  // using them up takes a hundred networks; in total no more than the verifier's limit of NIST SP
  // 800-63B, 5.2.2.
  closedSignInOfNetwork: { attemptsMax: 1, windowMs: DAY_MS },
  // Every user takes memory permanently, so one site may create only a limited number; enough for a school.
  signUpOfSite: { attemptsMax: 500, windowMs: DAY_MS },
  closedSignIn: { attemptsMax: 100, windowMs: DAY_MS },
  // Mails that a signed-in user requests, regardless of the recipient.
  askedMail: { attemptsMax: 5, windowMs: 60 * MINUTE_MS },
  // Counted separately, so that requesting one kind does not use up another.
  resetMail: { attemptsMax: 5, windowMs: 60 * MINUTE_MS },
  verificationMail: { attemptsMax: 5, windowMs: 60 * MINUTE_MS },
  // A user signs up once, but may delete themselves and sign up again.
  signUpMail: { attemptsMax: 5, windowMs: 60 * MINUTE_MS },
  changeMail: { attemptsMax: 5, windowMs: 60 * MINUTE_MS },
  deletionMail: { attemptsMax: 5, windowMs: 60 * MINUTE_MS },
  // Notices of one purpose to a user, who wants to receive them.
  noticeMail: { attemptsMax: 20, windowMs: 60 * MINUTE_MS },
  // Attempts by a signed-in user, whose device may be unattended.
  password: { attemptsMax: 10, windowMs: 10 * MINUTE_MS },
  // Three of a million codes are valid at a time. The daily limit keeps an attacker who has the
  // password at odds of one in ten thousand a day.
  secondFactor: { attemptsMax: 10, windowMs: 10 * MINUTE_MS },
  guessesTold: { attemptsMax: 1, windowMs: 60 * MINUTE_MS },
  secondFactorOfDay: { attemptsMax: 35, windowMs: DAY_MS },
} as const;
/** Few enough not to delay other requests. */
const PRUNED_PER_WRITE = 500;
const WINDOW_MS_MAX = Math.max(...Object.values(LIMITS).map((limit) => limit.windowMs));

export type LimitedAttempt = keyof typeof LIMITS;

export type AccountLimit = ReturnType<typeof createAccountLimit>;

export function createAccountLimit({ read, counters }: Database) {
  let prunedAtMs = 0;

  /**
   * Runs at most once a minute, and with every attempt while more remain: unauthenticated clients may
   * have caused millions of rows, and SQLite deletes on this thread.
   */
  async function prune(nowMs: number): Promise<void> {
    if (nowMs - prunedAtMs < MINUTE_MS) return;
    prunedAtMs = nowMs;
    const old = counters
      .selectFrom("account_attempts")
      .select("key")
      .where("window_started_ms", "<=", nowMs - WINDOW_MS_MAX)
      .limit(PRUNED_PER_WRITE);
    const { numDeletedRows } = await counters
      .deleteFrom("account_attempts")
      .where("key", "in", old)
      .executeTakeFirst();
    if (numDeletedRows >= PRUNED_PER_WRITE) prunedAtMs = 0;
  }

  return {
    /**
     * Counts one attempt.
     * @param account the email address or, if the user is already known, the user's id
     * @returns seconds to wait, or null if the attempt may proceed
     */
    async attempt(kind: LimitedAttempt, account: string): Promise<number | null> {
      const { attemptsMax, windowMs } = LIMITS[kind];
      const nowMs = Date.now();
      const overMs = nowMs - windowMs;
      await prune(nowMs);
      // One statement, so that concurrent attempts cannot all pass on the same count. The window
      // begins with its first attempt, so waiting always helps.
      const row = await counters
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
    /** Seconds until an attempt is allowed, null if one is allowed now; unlike `attempt`, counts none. */
    async waitSeconds(kind: LimitedAttempt, account: string): Promise<number | null> {
      const { attemptsMax, windowMs } = LIMITS[kind];
      const row = await read
        .selectFrom("account_attempts")
        .select(["attempts", "window_started_ms"])
        .where("key", "=", keyOf(kind, account))
        .executeTakeFirst();
      if (row === undefined || row.attempts < attemptsMax) return null;
      const leftMs = row.window_started_ms + windowMs - Date.now();
      return leftMs <= 0 ? null : Math.ceil(leftMs / 1000);
    },
    /** Clears the attempts, for example after a correct password. */
    async clear(kind: LimitedAttempt, account: string): Promise<void> {
      await counters
        .deleteFrom("account_attempts")
        .where("key", "=", keyOf(kind, account))
        .execute();
    },
  };
}

/** The answer to an attempt that has to wait. */
export function tooManyAttempts(waitSeconds: number): APIError {
  const message = "Too many requests. Please try again later.";
  const headers = { "X-Retry-After": String(waitSeconds) };
  return refusal("TOO_MANY_REQUESTS", "TOO_MANY_REQUESTS", message, headers);
}

/** A digest, because the table must not become a list of email addresses. */
function keyOf(kind: LimitedAttempt, account: string): string {
  const digest = createHash("sha256").update(account.trim().toLowerCase()).digest("base64url");
  return `${kind}:${digest}`;
}

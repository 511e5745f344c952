/**
 * The queue of mails for the SMTP server, stored in the database. A mail stays queued across
 * restarts until the server has accepted it or its content has expired. Its text contains secrets
 * and is deleted as soon as the mail is sent or given up; recipient, time and error remain.
 *
 * Recipients take turns: a recipient's second mail waits for the first of everyone else, so that one
 * user who causes many mails delays no other's.
 *
 * A process claims a mail by moving its next attempt into the future, so that only one of two
 * processes sends it and another takes over if that process dies. A mail may arrive twice if the
 * process crashes between the server's answer and recording it; both copies have the same
 * Message-ID.
 */
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/open-database.ts";
import type { MailQueueTable } from "../../database/accounts-tables.ts";
import type { Mail } from "./mails.ts";

const MINUTE_MS = 60_000;
/** Delays between attempts; the last repeats until the mail expires. */
const DELAYS_MS = [10_000, 30_000, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS];
/** How long a claim lasts: longer than an attempt can take. */
const CLAIM_MS = 2 * MINUTE_MS;
const WAITING_MAX = 10_000;
/**
 * The limit per user, so that no one user fills the queue while the SMTP server is down; far more than
 * anyone needs.
 */
const WAITING_PER_RECIPIENT_MAX = 100;
const SETTLED_KEPT_MS = 30 * 24 * 60 * MINUTE_MS;
const SETTLED_KEPT_MAX = 1_000;
const ERROR_LENGTH_MAX = 500;

class MailQueueFullError extends Error {
  override readonly name = "MailQueueFullError";
}

export type QueuedMail = Omit<MailQueueTable, "state" | "html" | "text" | "turn"> & {
  readonly html: string;
  readonly text: string;
};

export interface MailQueueSummary {
  readonly waiting: number;
  /** Mails given up within the last 30 days. */
  readonly failed: number;
  /** The newest mails, without their texts. */
  readonly newest: readonly Omit<MailQueueTable, "html" | "text" | "turn">[];
}

export function createMailQueue({ read, write }: Database, now: () => number) {
  async function settle(id: string, state: "sent" | "failed", error: string | null) {
    const settled = await write
      .updateTable("mail_queue")
      .set({ state, html: null, text: null, last_error: error?.slice(0, ERROR_LENGTH_MAX) ?? null })
      .where("id", "=", id)
      .returning("recipient")
      .executeTakeFirst();
    // The recipient's next mail moves up: else it would wait for all later recipients.
    await write
      .updateTable("mail_queue")
      .set(({ eb }) => ({ turn: eb("turn", "-", 1) }))
      .where("recipient", "=", settled?.recipient ?? "")
      .where("state", "=", "waiting")
      .where("turn", ">", 0)
      .execute();
  }

  /** @param recipient of all recipients if absent */
  async function waitingCount(recipient?: string): Promise<number> {
    const { count } = await read
      .selectFrom("mail_queue")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("state", "=", "waiting")
      .$if(recipient !== undefined, (of) => of.where("recipient", "=", recipient ?? ""))
      .executeTakeFirstOrThrow();
    return count;
  }

  return {
    /** @throws MailQueueFullError */
    async put({ recipient, subject, html, text, usefulForMs }: Mail): Promise<void> {
      if ((await waitingCount()) >= WAITING_MAX) {
        throw new MailQueueFullError(`${WAITING_MAX} mails are waiting already.`);
      }
      const turn = await waitingCount(recipient);
      if (turn >= WAITING_PER_RECIPIENT_MAX) {
        throw new MailQueueFullError(`${turn} mails to this recipient are waiting already.`);
      }
      const nowMs = now();
      await write
        .insertInto("mail_queue")
        .values({
          id: randomUUID(),
          created_at_ms: nowMs,
          expires_at_ms: nowMs + usefulForMs,
          recipient,
          subject,
          html,
          text,
          state: "waiting",
          attempts: 0,
          next_attempt_at_ms: nowMs,
          last_error: null,
          turn,
        })
        .execute();
    },

    /** Claims the next due mail; null if none is due. */
    async take(): Promise<QueuedMail | null> {
      const nowMs = now();
      for (;;) {
        const row = await write
          .selectFrom("mail_queue")
          .selectAll()
          .where("state", "=", "waiting")
          .where("next_attempt_at_ms", "<=", nowMs)
          .orderBy("turn")
          .orderBy("next_attempt_at_ms")
          .limit(1)
          .executeTakeFirst();
        if (row === undefined) return null;
        const { numUpdatedRows } = await write
          .updateTable("mail_queue")
          .set({
            attempts: row.attempts + 1,
            next_attempt_at_ms: nowMs + CLAIM_MS,
            last_error: null,
          })
          .where("id", "=", row.id)
          .where("state", "=", "waiting")
          .where("attempts", "=", row.attempts)
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) continue; // Another process claimed the mail first.
        const { state: _, turn: _turn, html, text, ...mail } = row;
        return { ...mail, attempts: row.attempts + 1, html: html ?? "", text: text ?? "" };
      }
    },

    sent: (id: string) => settle(id, "sent", null),

    /** @returns whether the mail has been given up */
    async failed(mail: QueuedMail, error: string, isFinal: boolean): Promise<boolean> {
      const delayMs = DELAYS_MS[Math.min(mail.attempts, DELAYS_MS.length) - 1];
      const nextAtMs = now() + delayMs;
      if (isFinal || nextAtMs > mail.expires_at_ms) {
        await settle(mail.id, "failed", error);
        return true;
      }
      await write
        .updateTable("mail_queue")
        .set({ next_attempt_at_ms: nextAtMs, last_error: error.slice(0, ERROR_LENGTH_MAX) })
        .where("id", "=", mail.id)
        .execute();
      return false;
    },

    /**
     * Makes every mail due whose last attempt failed, except a mail that is being sent.
     * @returns how many
     */
    async retryNow(): Promise<number> {
      const { numUpdatedRows } = await write
        .updateTable("mail_queue")
        .set({ next_attempt_at_ms: now() })
        .where("state", "=", "waiting")
        .where("last_error", "is not", null)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },

    /** Age of the oldest queued mail in milliseconds; 0 if none is queued. */
    async longestWaitMs(): Promise<number> {
      const { oldest } = await read
        .selectFrom("mail_queue")
        .select(({ fn }) => fn.min<number | null>("created_at_ms").as("oldest"))
        .where("state", "=", "waiting")
        .executeTakeFirstOrThrow();
      return oldest === null ? 0 : Math.max(0, now() - oldest);
    },

    /** Deletes records of mails that were sent or given up long ago. */
    async prune(): Promise<void> {
      const newest = write
        .selectFrom("mail_queue")
        .select("id")
        .where("state", "!=", "waiting")
        .orderBy("created_at_ms", "desc")
        .limit(SETTLED_KEPT_MAX);
      await write
        .deleteFrom("mail_queue")
        .where("state", "!=", "waiting")
        .where((where) =>
          where.or([
            where("created_at_ms", "<", now() - SETTLED_KEPT_MS),
            where("id", "not in", newest),
          ]),
        )
        .execute();
    },

    async summary(limit: number): Promise<MailQueueSummary> {
      const failed = await read
        .selectFrom("mail_queue")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("state", "=", "failed")
        .executeTakeFirstOrThrow();
      const newest = await read
        .selectFrom("mail_queue")
        .select(["id", "created_at_ms", "expires_at_ms", "recipient", "subject", "state"])
        .select(["attempts", "next_attempt_at_ms", "last_error"])
        .orderBy("created_at_ms", "desc")
        .orderBy("id")
        .limit(limit)
        .execute();
      return { waiting: await waitingCount(), failed: failed.count, newest };
    },
  };
}

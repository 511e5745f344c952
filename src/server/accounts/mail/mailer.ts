/**
 * Sends mail in the background: by SMTP if configured, else into the outbox. Callers never wait for
 * a mail: a sign-up may still hold its transaction, and a slow response would reveal that an
 * address is known.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "../../settings/config.ts";
import type { Database } from "../../database/open-database.ts";
import type { Log } from "../../log.ts";
import { createMailQueue, type QueuedMail } from "./mail-queue.ts";
import type { Mail } from "./mails.ts";
import type { Outbox } from "./outbox.ts";
import { createSmtp } from "./smtp.ts";

const POLL_INTERVAL_MS = 5_000;
const PRUNE_INTERVAL_MS = 60 * 60_000;
const SENT_AT_ONCE = 4;
const CLOSE_WAIT_MS = 5_000;

export type Mailer = ReturnType<typeof createMailer>;

export interface MailerOptions {
  readonly config: Pick<Config, "SMTP_URL" | "MAIL_FROM">;
  readonly database: Database;
  readonly outbox: Outbox;
  readonly log: Log;
  /** Wraps the sending of a mail, which it begins. */
  readonly aroundMail?: (<T>(send: () => Promise<T>) => Promise<T>) | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly now?: () => number;
}

export function createMailer(options: MailerOptions) {
  const { config, database, outbox, log, aroundMail, now = Date.now } = options;
  const queue = createMailQueue(database, now);
  const smtp = config.SMTP_URL === undefined ? null : createSmtp(config.SMTP_URL);
  const underWay = new Set<Promise<void>>();
  let isClosing = false;
  let delivering: Promise<void> | null = null;
  let prunedAtMs = 0;
  const timer = setInterval(() => void deliverDue(), POLL_INTERVAL_MS).unref();

  async function keep(mail: Mail): Promise<void> {
    if (smtp !== null) {
      await queue.put(mail);
      return;
    }
    await outbox.put(mail);
    // Never log the mail's link, which may sign in; the outbox shows it.
    log.info({ recipient: mail.recipient, subject: mail.subject }, "mail put into the outbox");
  }

  async function deliver(mail: QueuedMail): Promise<void> {
    const about = { recipient: mail.recipient, subject: mail.subject, attempts: mail.attempts };
    const send = async () => smtp?.send({ ...mail, from: config.MAIL_FROM, messageId: mail.id });
    try {
      await (aroundMail === undefined ? send() : aroundMail(send));
    } catch (error) {
      const { message, isFinal } = smtp?.reasonOf(error) ?? { message: "", isFinal: false };
      const isGivenUp = await queue.failed(mail, message, isFinal);
      if (isGivenUp) log.error({ ...about, error: message }, "mail not sent");
      else log.warn({ ...about, error: message }, "mail delayed");
      return;
    }
    await queue.sent(mail.id);
    log.info(about, "mail sent");
  }

  async function deliverInTurn(): Promise<void> {
    for (let mail = await queue.take(); mail !== null; mail = await queue.take()) {
      await deliver(mail);
      if (isClosing) return;
    }
  }

  /** Sends all due mails; runs every few seconds automatically. Never throws. */
  function deliverDue(): Promise<void> {
    if (smtp === null || isClosing) return Promise.resolve();
    delivering ??= Promise.all(Array.from({ length: SENT_AT_ONCE }, deliverInTurn))
      .then(async () => {
        if (now() - prunedAtMs < PRUNE_INTERVAL_MS) return;
        prunedAtMs = now();
        await queue.prune();
      })
      .catch((error: unknown) =>
        log.error({ error: String(error) }, "mails could not be looked up"),
      )
      .finally(() => {
        delivering = null;
      });
    return delivering;
  }

  return {
    send(mail: Mail): void {
      const sending = keep(mail)
        .then(
          // The delivery in progress may have queried the queue before this mail was added.
          () => delivering?.then(deliverDue) ?? deliverDue(),
          (error: unknown) => {
            const about = { recipient: mail.recipient, subject: mail.subject };
            log.error({ ...about, error: String(error) }, "mail not sent");
          },
        )
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    /** The queue for the SMTP server; empty if none is configured. */
    queue: (limit: number) => queue.summary(limit),
    /** Makes mails due whose last attempt failed, and begins to send them. @returns how many */
    retryNow: async (): Promise<number> => {
      const count = await queue.retryNow();
      void deliverDue();
      return count;
    },
    /** Age of the oldest queued mail in milliseconds; 0 if none is queued. */
    longestWaitMs: () => queue.longestWaitMs(),
    deliverDue,
    /** Waits a few seconds for mail that is being sent; other mail is sent after the next start. */
    async close(): Promise<void> {
      clearInterval(timer);
      const closeWait = delay(CLOSE_WAIT_MS, undefined, { ref: false });
      await Promise.race([Promise.all(underWay), closeWait]);
      isClosing = true;
      smtp?.close();
    },
  };
}

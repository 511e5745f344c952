/**
 * Sends mail in the background: over SMTP where that is configured, else into the outbox. Nobody
 * waits for a mail, since a sign-up may still hold its transaction and a slow answer would show
 * that an address is known.
 */
import { setTimeout as delay } from "node:timers/promises";
import { createTransport } from "nodemailer";
import type { Config } from "../../config.ts";
import type { Log } from "../../log.ts";
import type { Mail } from "./mails.ts";
import type { Outbox } from "./outbox.ts";

const ATTEMPTS_MAX = 3;
const RETRY_FIRST_MS = 2000;
const SMTP_TIMEOUT_MS = 10_000;
const CLOSE_WAIT_MS = 5000;

export interface Mailer {
  send(mail: Mail): void;
  /** Waits a few seconds for mail that is on its way. */
  close(): Promise<void>;
}

interface MailerOptions {
  readonly config: Pick<Config, "SMTP_URL" | "MAIL_FROM">;
  readonly outbox: Outbox;
  readonly log: Log;
}

export function createMailer({ config, outbox, log }: MailerOptions): Mailer {
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();
  const smtp =
    config.SMTP_URL === undefined
      ? null
      : createTransport({
          url: config.SMTP_URL,
          connectionTimeout: SMTP_TIMEOUT_MS,
          greetingTimeout: SMTP_TIMEOUT_MS,
          socketTimeout: SMTP_TIMEOUT_MS,
        });

  async function deliver(mail: Mail): Promise<void> {
    const about = { recipient: mail.recipient, subject: mail.subject };
    if (smtp === null) {
      await outbox.put(mail);
      // Never its link, which may sign somebody in: the outbox has it.
      log.info(about, "mail put into the outbox");
      return;
    }
    const { recipient: to, subject, html, text } = mail;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await smtp.sendMail({ from: config.MAIL_FROM, to, subject, html, text });
        log.info(about, "mail sent");
        return;
      } catch (error) {
        if (attempt >= ATTEMPTS_MAX || closing.signal.aborted) throw error;
        log.warn({ ...about, error: messageOf(error) }, "mail delayed");
        const pauseMs = RETRY_FIRST_MS * 2 ** (attempt - 1);
        await delay(pauseMs, undefined, { signal: closing.signal, ref: false });
      }
    }
  }

  return {
    send(mail) {
      const delivery = deliver(mail)
        .catch((error: unknown) => {
          const about = { recipient: mail.recipient, subject: mail.subject };
          log.error({ ...about, error: messageOf(error) }, "mail not sent");
        })
        .finally(() => underWay.delete(delivery));
      underWay.add(delivery);
    },
    async close() {
      closing.abort();
      const patience = delay(CLOSE_WAIT_MS, undefined, { ref: false });
      await Promise.race([Promise.all(underWay), patience]);
      smtp?.close();
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

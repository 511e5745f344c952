import type { MailQueue } from "#contract/users.ts";
import { requireWriter } from "./caller.ts";
import type { Handlers } from "./handlers.ts";

export const queue: Handlers["mails"]["queue"] = async (context, { limit }): Promise<MailQueue> => {
  const { waiting, failed, newest } = await context.services.accounts.mailQueue(limit);
  const mails = newest.map((mail) => ({
    id: mail.id,
    time: mail.created_at_ms,
    recipient: mail.recipient,
    subject: mail.subject,
    state: mail.state,
    attempts: mail.attempts,
    nextAttempt: mail.state === "waiting" ? mail.next_attempt_at_ms : null,
    lastError: mail.last_error,
  }));
  return { waiting, failed, mails };
};

export const retry: Handlers["mails"]["retry"] = async (context): Promise<{ mails: number }> => {
  const { identity, services } = context;
  requireWriter(identity);
  const mails = await services.accounts.retryMails();
  await services.accounts.recordOwnChange(identity, "mailsRetried", { detail: String(mails) });
  return { mails };
};

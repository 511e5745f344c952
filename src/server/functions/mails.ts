import { z } from "zod";
import type { MailQueue } from "#contract/types.ts";
import { requireAdmin } from "./caller.ts";
import { action } from "./define.ts";
import { pageLimit } from "./schemas.ts";

const PAGE_SIZE = 50;

/** Mails on their way to the mail server, newest first. For administrators only. */
export const queue = action(
  z.strictObject({ limit: pageLimit.optional() }),
  async (context, { limit = PAGE_SIZE }): Promise<MailQueue> => {
    requireAdmin(context);
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
  },
);

/**
 * Tries the mails again whose last attempt failed. For administrators only. An action, which clients never
 * send a second time: it asks nothing of the exchange, so no time limit of a command would hold it back.
 */
export const retry = action(z.strictObject({}), async (context): Promise<{ mails: number }> => {
  requireAdmin(context);
  return { mails: await context.services.accounts.retryMails() };
});

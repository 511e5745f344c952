/** Sends a test mail, to check whether the SMTP server accepts mail of the exchange. */
import { randomUUID } from "node:crypto";
import { SettingsError, type Config } from "../../settings/config.ts";
import { escapeHtml } from "../../http/html.ts";
import { createSmtp } from "./smtp.ts";

/**
 * Sends a mail at once, bypassing the queue.
 * @throws SettingsError without SMTP_URL, and Error with the message of the SMTP server or the
 * network
 */
export async function sendTestMail(
  config: Pick<Config, "SMTP_URL" | "MAIL_FROM" | "PRODUCT_NAME">,
  recipient: string,
): Promise<void> {
  if (config.SMTP_URL === undefined) {
    throw new SettingsError(
      "The setting SMTP_URL is missing: without a mail server mail is kept in the outbox.",
    );
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(recipient)) {
    throw new Error(`${JSON.stringify(recipient)} is not an email address.`);
  }
  const text = `This is a test mail of ${config.PRODUCT_NAME}. Mail can be sent.`;
  const smtp = createSmtp(config.SMTP_URL);
  try {
    await smtp.send({
      from: config.MAIL_FROM,
      recipient,
      subject: `Test mail of ${config.PRODUCT_NAME}`,
      html: `<p>${escapeHtml(text)}</p>`,
      text: `${text}\n`,
      messageId: randomUUID(),
    });
  } catch (error) {
    throw new Error(`The mail server did not take the mail: ${smtp.reasonOf(error).message}`, {
      cause: error,
    });
  } finally {
    smtp.close();
  }
}

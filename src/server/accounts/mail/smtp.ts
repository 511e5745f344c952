/** The SMTP server that sends the exchange's mail. */
import { messageOf } from "../../log.ts";

const TIMEOUT_MS = 10_000;

interface Letter {
  readonly from: string;
  readonly recipient: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /**
   * The same for every attempt to send a mail, so that recipients' servers can detect a duplicate.
   */
  readonly messageId: string;
}

interface SmtpError {
  readonly code?: string;
  readonly responseCode?: number;
}

/** @param url smtp:// or smtps:// */
export function createSmtp(url: string) {
  // Loaded here, because an exchange without SMTP_URL does without it.
  const opened = import("nodemailer").then(({ createTransport }) =>
    createTransport({
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    }),
  );
  return {
    /** @throws errors of the SMTP server or the network; see reasonOf */
    async send({ from, recipient: to, subject, html, text, messageId }: Letter): Promise<void> {
      const domain = /@([^\s>]+)>?$/.exec(from)?.[1] ?? "localhost";
      const transport = await opened;
      await transport.sendMail({
        from,
        to,
        subject,
        html,
        text,
        messageId: `<${messageId}@${domain}>`,
      });
    },
    /**
     * The error's message, and whether it is permanent because the server refuses the recipient.
     */
    reasonOf(error: unknown): { message: string; isFinal: boolean } {
      const { code, responseCode = 0 } = error as SmtpError;
      return {
        message: messageOf(error),
        isFinal: code === "EENVELOPE" && responseCode >= 500,
      };
    },
    close: () => void opened.then((transport) => transport.close()),
  };
}

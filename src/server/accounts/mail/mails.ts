/** The mails to users, each as HTML and as equivalent plain text. */
import type { Config } from "../../settings/config.ts";
import { escapeHtml } from "../../http/html.ts";

export interface Mail {
  readonly recipient: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** The link to open; contains a secret. */
  readonly link: string;
  /** How long the mail is useful, in milliseconds; after that, its link has expired. */
  readonly usefulForMs: number;
}

const MINUTE_MS = 60_000;
const NOTICE_MINUTES = 24 * 60;

interface MailContent {
  readonly recipient: string;
  readonly subject: string;
  readonly name: string;
  readonly sentences: readonly string[];
  readonly action: string;
  readonly link: string;
  /** The advice to recipients who did not request the mail. */
  readonly otherwise: string;
  readonly usefulForMs: number;
}

export interface Recipient {
  readonly email: string;
  readonly name: string;
}

const SECURITY_NOTICES = {
  enabled: {
    subject: "Two-factor sign-in is on for your {product} account",
    sentence:
      "Signing in to your account now takes a code from your authenticator app besides the password.",
  },
  disabled: {
    subject: "Two-factor sign-in is off for your {product} account",
    sentence: "Signing in to your account no longer takes a code from your authenticator app.",
  },
  backupCodeUsed: {
    subject: "A backup code of your {product} account was used",
    sentence: "Someone signed in to your account with one of your backup codes.",
  },
  codesGuessed: {
    subject: "Someone may know your {product} password",
    sentence: "Someone gave your password and then many wrong codes. They did not get in.",
  },
  passkeyAdded: {
    subject: "A passkey was added to your {product} account",
    sentence: "A passkey that was added to your account now signs in without a password.",
  },
  apiKeyCreated: {
    subject: "An API key was made for your {product} account",
    sentence: "A program that has the new API key can act on your account as the key permits.",
  },
  apiKeyChanged: {
    subject: "An API key of your {product} account was changed",
    sentence:
      "What one of your API keys permits, from where it may be used or when it ends was changed.",
  },
  withdrawalAddressAdded: {
    subject: "An address to withdraw to was added to your {product} account",
    sentence:
      "What you own can be sent to the new address once it has been kept for a while. Remove it before " +
      "that if it is not yours.",
  },
} as const;

export type SecurityNotice = keyof typeof SECURITY_NOTICES;

type MailSettings = Pick<
  Config,
  | "PRODUCT_NAME"
  | "VERIFICATION_LINK_MINUTES"
  | "CHANGE_EMAIL_LINK_MINUTES"
  | "PASSWORD_RESET_LINK_MINUTES"
  | "PASSWORD_RESET_ENDS_SESSIONS"
  | "DELETION_LINK_MINUTES"
>;

export function createMails(settings: MailSettings) {
  const { PRODUCT_NAME: productName } = settings;
  const compose = (to: Recipient, content: Omit<MailContent, "recipient" | "name">): Mail =>
    mail(productName, { ...content, recipient: to.email, name: to.name });
  return {
    verifyEmail: (to: Recipient, link: string): Mail =>
      compose(to, {
        subject: `Confirm your email address for ${productName}`,
        sentences: [
          "Confirm that this is your email address. The link is valid for " +
            `${spanOf(settings.VERIFICATION_LINK_MINUTES)}.`,
        ],
        action: "Confirm email address",
        link,
        usefulForMs: settings.VERIFICATION_LINK_MINUTES * MINUTE_MS,
        otherwise: "If you did not sign up, ignore this mail and nothing more will happen.",
      }),
    resetPassword: (to: Recipient, link: string): Mail =>
      compose(to, {
        subject: `Reset your ${productName} password`,
        sentences: [
          "Choose a new password with the link below. It works once and is valid for " +
            `${spanOf(settings.PASSWORD_RESET_LINK_MINUTES)}.`,
          ...(settings.PASSWORD_RESET_ENDS_SESSIONS
            ? ["Every device that is signed in will be signed out."]
            : []),
        ],
        action: "Choose a new password",
        link,
        usefulForMs: settings.PASSWORD_RESET_LINK_MINUTES * MINUTE_MS,
        otherwise: "If you did not ask for this, ignore this mail: your password stays as it is.",
      }),
    changeEmail: (to: Recipient, newEmail: string, link: string): Mail =>
      compose(to, {
        subject: `Confirm the change of your ${productName} email address`,
        sentences: [
          `Someone who is signed in as you asked to change your email address to ${newEmail}.`,
          "Confirm it, and a mail to the new address completes the change.",
        ],
        action: "Confirm the change",
        link,
        usefulForMs: settings.CHANGE_EMAIL_LINK_MINUTES * MINUTE_MS,
        otherwise:
          "If this was not you, do not open the link, and change your password: someone else " +
          "may know it.",
      }),
    deleteAccount: (to: Recipient, link: string): Mail =>
      compose(to, {
        subject: `Confirm that your ${productName} account is to be deleted`,
        sentences: [
          "Open the link on a device that is signed in to delete your account for good. It is " +
            `valid for ${spanOf(settings.DELETION_LINK_MINUTES)}.`,
        ],
        action: "Delete my account",
        link,
        usefulForMs: settings.DELETION_LINK_MINUTES * MINUTE_MS,
        otherwise: "If you did not ask for this, ignore this mail and change your password.",
      }),
    /** @param lines the events, one or two sentences each */
    notices: (to: Recipient, lines: readonly string[], publicUrl: string): Mail =>
      compose(to, {
        subject: `News of your ${productName} account`,
        sentences: lines,
        action: "Look at your activity",
        link: `${publicUrl}/activity`,
        usefulForMs: NOTICE_MINUTES * MINUTE_MS,
        otherwise: "You asked for these mails. Your settings say which notices are mailed.",
      }),
    security: (notice: SecurityNotice, to: Recipient, publicUrl: string): Mail => {
      const { subject, sentence } = SECURITY_NOTICES[notice];
      return compose(to, {
        subject: subject.replace("{product}", productName),
        sentences: [sentence],
        action: "Look at your settings",
        link: `${publicUrl}/settings`,
        usefulForMs: NOTICE_MINUTES * MINUTE_MS,
        otherwise:
          "If this was not you, reset your password at once: someone else knows it, or is signed in " +
          "as you. Then remove from your settings what is not yours: passkeys, API keys and withdrawal " +
          "addresses stay when the password is reset.",
      });
    },
  };
}

/**
 * Users choose their names, and mails may go to another person's address: a name must not become a
 * link or read like a message of ours. Allowed are letters and, between them, a space, an
 * apostrophe, a hyphen, or a dot before a space.
 */
function isPlainName(name: string): boolean {
  return name.length <= 40 && /^[\p{L}\p{M}]+(?:(?:\. |[ '’-])[\p{L}\p{M}]+)*\.?$/u.test(name);
}

function mail(productName: string, content: MailContent): Mail {
  const { recipient, subject, name, sentences, action, link, otherwise, usefulForMs } = content;
  const greeting = isPlainName(name) ? `Hello ${name},` : "Hello,";
  const paragraph = (text: string) =>
    `<p style="margin:0 0 16px;color:#c3c9d0">${escapeHtml(text)}</p>`;
  // Mail clients ignore style sheets, so every element has inline styles.
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta name="color-scheme" content="dark"><title>${escapeHtml(subject)}</title></head>` +
    `<body style="margin:0;padding:32px 16px;background:#0b0d10;` +
    `font-family:Inter,system-ui,-apple-system,'Segoe UI',sans-serif;font-size:15px;` +
    `line-height:1.55;color:#e6e8eb">` +
    `<div style="max-width:480px;margin:0 auto;padding:32px;border:1px solid #1c2127;` +
    `border-radius:8px;background:#12161b">` +
    `<p style="margin:0 0 24px;font-weight:600;color:#e6e8eb">${escapeHtml(productName)}</p>` +
    paragraph(greeting) +
    sentences.map(paragraph).join("") +
    `<p style="margin:24px 0"><a href="${escapeHtml(link)}" style="display:inline-block;` +
    `padding:10px 18px;border-radius:6px;background:#7cc4ff;color:#0b0d10;font-weight:600;` +
    `text-decoration:none">${escapeHtml(action)}</a></p>` +
    `<p style="margin:0 0 16px;font-size:13px;color:#9aa3ad">Or copy this address into your ` +
    `browser:<br><a href="${escapeHtml(link)}" style="color:#7cc4ff;word-break:break-all">` +
    `${escapeHtml(link)}</a></p>` +
    `<p style="margin:24px 0 0;padding-top:16px;border-top:1px solid #1c2127;font-size:13px;` +
    `color:#9aa3ad">${escapeHtml(otherwise)}</p></div></body></html>`;
  const text =
    [greeting, ...sentences, `${action}:\n${link}`, otherwise, `-- \n${productName}`].join("\n\n") +
    "\n";
  return { recipient, subject, html, text, link, usefulForMs };
}

function spanOf(minutes: number): string {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, "hour"] : [minutes, "minute"];
  return count === 1 ? `one ${unit}` : `${count} ${unit}s`;
}

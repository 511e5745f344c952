import { expect, test } from "vitest";
import { readConfig } from "../../settings/config.ts";
import { createMails } from "./mails.ts";

const mails = createMails(readConfig({}));
const lovelace = { email: "ada@example.com", name: "Ada O'Neil" };
const link = "https://exchange.example/api/auth/verify-email?token=secret&callbackURL=%2F";

test("every mail says the same in HTML and in text, with what it quotes escaped", () => {
  const all = [
    mails.verifyEmail(lovelace, link),
    mails.resetPassword(lovelace, link),
    mails.changeEmail(lovelace, "new@example.com", link),
    mails.deleteAccount(lovelace, link),
    ...(
      [
        "enabled",
        "disabled",
        "backupCodeUsed",
        "codesGuessed",
        "passkeyAdded",
        "withdrawalAddressAdded",
      ] as const
    ).map((notice) => mails.security(notice, lovelace, "https://exchange.example")),
  ];
  for (const mail of all) {
    expect(mail.recipient).toBe("ada@example.com");
    expect(mail.subject).toContain("Openbell");
    expect(mail.text).toContain("Hello Ada O'Neil,");
    expect(mail.text).toContain(mail.link);
    expect(mail.html).toContain("Hello Ada O&#39;Neil,");
    expect(mail.html).toContain(`href="${mail.link.replace("&", "&amp;")}"`);
    const words = mail.html.replaceAll(/<title>.*?<\/title>|<[^>]+>/g, " ");
    for (const sentence of mail.text.split("\n").filter((line) => line.endsWith("."))) {
      expect(words).toContain(sentence.split(" ").slice(0, 5).join(" "));
    }
  }
});

test("mail about a change says what a reset of the password leaves to someone else", () => {
  const { text } = mails.security("passkeyAdded", lovelace, "https://exchange.example");
  for (const left of ["reset your password", "passkeys", "API keys", "addresses"]) {
    expect(text).toContain(left);
  }
});

test.each(["Ada", "Ada Lovelace", "Dr. Ada King-Noël", "Ada B. O’Neil", "李小龍", "Zoë Jr."])(
  "a mail greets %s by name",
  (name) => {
    expect(mails.verifyEmail({ ...lovelace, name }, link).text).toMatch(`Hello ${name},`);
  },
);

test.each([
  "https://evil.example",
  "Win at evil.example",
  "evil.example/claim",
  "Call +1 555 0100",
  "ada@evil.example",
  "Ada <b>&",
  "Ada, your account is locked",
  "Your account is locked and will be deleted today",
  "Ada\u200b\u202e",
  "",
])("a mail repeats nothing of the name %j", (name) => {
  const { text, html } = mails.verifyEmail({ ...lovelace, name }, link);
  expect(text.startsWith("Hello,\n")).toBe(true);
  expect(html).toContain(">Hello,<");
});

import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import { createLog, type Log } from "../../log.ts";
import { createMailer } from "./mailer.ts";
import { createMails, type Mail } from "./mails.ts";
import type { Outbox } from "./outbox.ts";

const mails = createMails("Openbell");
const lovelace = { email: "ada@example.com", name: "Ada <b>&" };
const link = "https://exchange.example/api/auth/verify-email?token=secret&callbackURL=%2F";

function recorded(): { lines: string[]; log: Log } {
  const lines: string[] = [];
  return { lines, log: createLog({ level: "info" }, { write: (line) => void lines.push(line) }) };
}

function outboxInto(kept: Mail[]): Outbox {
  return {
    put: (mail) => {
      kept.push(mail);
      return Promise.resolve({ id: String(kept.length) });
    },
    list: () => Promise.resolve([]),
    find: () => Promise.resolve(null),
  };
}

const servers: SMTPServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise<void>((done) => server.close(done));
});

async function smtpServer(refusals = 0): Promise<{ url: string; received: string[] }> {
  const received: string[] = [];
  let left = refusals;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData(stream, _session, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      stream.on("end", () => {
        left -= 1;
        if (left >= 0) {
          done(new Error("try again later"));
          return;
        }
        received.push(text);
        done();
      });
    },
  });
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, received };
}

test("mail goes to the SMTP server as HTML and text, and its link never into the log", async () => {
  const { url, received } = await smtpServer();
  const { lines, log } = recorded();
  const kept: Mail[] = [];
  const mailer = createMailer({
    config: { SMTP_URL: url, MAIL_FROM: "Openbell <post@example.com>" },
    outbox: outboxInto(kept),
    log,
  });
  mailer.send(mails.verifyEmail(lovelace, link));
  await mailer.close();
  expect(received).toHaveLength(1);
  expect(received[0]).toMatch(/^From: Openbell <post@example.com>/m);
  expect(received[0]).toMatch(/^To: ada@example.com/m);
  expect(received[0]).toMatch(/Content-Type: text\/plain/);
  expect(received[0]).toMatch(/Content-Type: text\/html/);
  expect(kept).toEqual([]);
  expect(lines.join("")).toContain("mail sent");
  expect(lines.join("")).not.toContain("secret");
});

test("a mail that cannot be sent is logged and breaks nothing", async () => {
  const { lines, log } = recorded();
  const mailer = createMailer({
    config: {
      SMTP_URL: "smtp://127.0.0.1:1",
      MAIL_FROM: "a@example.com",
    },
    outbox: outboxInto([]),
    log,
  });
  mailer.send(mails.resetPassword(lovelace, link));
  await mailer.close();
  expect(lines.join("")).toContain("mail not sent");
  expect(lines.join("")).not.toContain("secret");
});

test("without an SMTP server mail is kept, and no log shows its link", async () => {
  const { lines, log } = recorded();
  const kept: Mail[] = [];
  const config = { MAIL_FROM: "a@example.com" };
  const mailer = createMailer({ config, outbox: outboxInto(kept), log });
  mailer.send(mails.resetPassword(lovelace, link));
  await mailer.close();
  expect(kept.map((mail) => mail.link)).toEqual([link]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain("secret");
});

test("every mail says the same in HTML and in text, with names escaped", () => {
  const all = [
    mails.verifyEmail(lovelace, link),
    mails.resetPassword(lovelace, link),
    mails.changeEmail(lovelace, "new@example.com", link),
    mails.deleteAccount(lovelace, link),
    ...(["enabled", "disabled", "backupCodeUsed", "codesGuessed", "passkeyAdded"] as const).map(
      (notice) => mails.security(notice, lovelace, "https://exchange.example"),
    ),
  ];
  for (const mail of all) {
    expect(mail.recipient).toBe("ada@example.com");
    expect(mail.subject).toContain("Openbell");
    expect(mail.text).toContain("Hello Ada <b>&,");
    expect(mail.text).toContain(mail.link);
    expect(mail.html).toContain("Hello Ada &lt;b&gt;&amp;,");
    expect(mail.html).toContain(`href="${mail.link.replace("&", "&amp;")}"`);
    const words = mail.html.replaceAll(/<title>.*?<\/title>|<[^>]+>/g, " ");
    for (const sentence of mail.text.split("\n").filter((line) => line.endsWith("."))) {
      expect(words).toContain(sentence.split(" ").slice(0, 5).join(" "));
    }
  }
});

/** Mail on its way: kept until the server has taken it, whatever fails or restarts in between. */
import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import { sendTestMail } from "#server/accounts/mail/test-mail.ts";
import { createMailer, type Mailer } from "#server/accounts/mail/mailer.ts";
import { createMails } from "#server/accounts/mail/mails.ts";
import { createMailQueue, type QueuedMail } from "#server/accounts/mail/mail-queue.ts";
import { createOutbox } from "#server/accounts/mail/outbox.ts";
import { readConfig } from "#server/settings/config.ts";
import type { Database } from "#server/database/open-database.ts";
import { createLog } from "#server/log.ts";
import { describeShareOfDatabases } from "./databases.ts";
import { type SmtpStandIn, startSmtpStandIn } from "../support/smtp-stand-in.ts";

const MINUTE_MS = 60_000;
const mails = createMails(readConfig({}));
const lovelace = { email: "ada@example.com", name: "Ada" };
const link = "https://exchange.example/api/auth/verify-email?token=secret&callbackURL=%2F";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function smtpServer(): Promise<SmtpStandIn> {
  const standIn = await startSmtpStandIn();
  open.push(() => standIn.close());
  return standIn;
}

function startMailer(database: Database, url: string | undefined, clock = { ms: 0 }) {
  const lines: string[] = [];
  const mailer = createMailer({
    config: { SMTP_URL: url, MAIL_FROM: "Openbell <post@example.com>" },
    database,
    outbox: createOutbox(database),
    log: createLog({ level: "info" }, { write: (line) => void lines.push(line) }),
    now: () => clock.ms,
  });
  open.push(() => mailer.close());
  return { mailer, lines };
}

/** Waits for the first attempt to be over. */
async function sendAndWait(mailer: Mailer, mail = mails.verifyEmail(lovelace, link)) {
  mailer.send(mail);
  await expect
    .poll(async () => {
      const { newest } = await mailer.queue(10);
      const row = newest.find(({ subject }) => subject === mail.subject);
      return row !== undefined && (row.state !== "waiting" || row.last_error !== null);
    })
    .toBe(true);
}

const rowsOf = (database: Database) => database.read.selectFrom("mail_queue").selectAll().execute();

describeShareOfDatabases("mail", (openDatabase) => {
  test("goes to the SMTP server as HTML and text; its link is in no log and no longer in the queue", async () => {
    const database = await openDatabase();
    const { url, received } = await smtpServer();
    const { mailer, lines } = startMailer(database, url);
    mailer.send(mails.verifyEmail(lovelace, link));
    await mailer.close();
    expect(received).toHaveLength(1);
    expect(received[0]).toMatch(/^From: Openbell <post@example.com>/m);
    expect(received[0]).toMatch(/^To: ada@example.com/m);
    expect(received[0]).toMatch(/Content-Type: text\/plain/);
    expect(received[0]).toMatch(/Content-Type: text\/html/);
    expect(lines.join("")).toContain("mail sent");
    expect(lines.join("")).not.toContain("secret");
    const rows = await rowsOf(database);
    expect(rows).toMatchObject([{ state: "sent", html: null, text: null, attempts: 1 }]);
    expect(JSON.stringify(rows)).not.toContain("secret");
    expect(await database.read.selectFrom("outbox_mails").selectAll().execute()).toEqual([]);
  });

  test("waits longer and longer while the server is down, survives a restart, and arrives once", async () => {
    const database = await openDatabase();
    const smtp = await smtpServer();
    smtp.isDown = true;
    const clock = { ms: 1_000_000 };
    const first = startMailer(database, smtp.url, clock);
    await sendAndWait(first.mailer, mails.deleteAccount(lovelace, link));
    const pauses: number[] = [];
    for (let attempt = 1; attempt < 8; attempt += 1) {
      const [row] = await rowsOf(database);
      expect([row.state, row.attempts]).toEqual(["waiting", attempt]);
      pauses.push((row.next_attempt_at_ms - clock.ms) / 1000);
      clock.ms = row.next_attempt_at_ms - 1;
      await first.mailer.deliverDue();
      clock.ms += 1;
      if (attempt < 7) await first.mailer.deliverDue();
    }
    expect(pauses).toEqual([10, 30, 120, 300, 900, 1800, 1800]);
    await first.mailer.close();
    expect(first.lines.join("")).toContain("mail delayed");
    expect(first.lines.join("")).not.toContain("secret");

    smtp.isDown = false;
    const both = [startMailer(database, smtp.url, clock), startMailer(database, smtp.url, clock)];
    await Promise.all(both.map(({ mailer }) => mailer.deliverDue()));
    expect(smtp.received).toHaveLength(1);
    expect(await rowsOf(database)).toMatchObject([{ state: "sent", html: null, text: null }]);
  });

  test("is tried at once on request, unless it is being sent, and says how long it has waited", async () => {
    const database = await openDatabase();
    const smtp = await smtpServer();
    smtp.isDown = true;
    const clock = { ms: 1_000_000 };
    const { mailer } = startMailer(database, smtp.url, clock);
    expect([await mailer.longestWaitMs(), await mailer.retryNow()]).toEqual([0, 0]);
    await sendAndWait(mailer, mails.deleteAccount(lovelace, link));
    clock.ms += 5_000;
    expect(await mailer.longestWaitMs()).toBe(5_000);
    // As another process has it that is sending the mail at this moment.
    const taken = await createMailQueue(database, () => clock.ms + 10_000).take();
    expect(taken?.attempts).toBe(2);
    expect(await mailer.retryNow()).toBe(0);
    await createMailQueue(database, () => clock.ms).failed(taken as QueuedMail, "no", false);
    smtp.isDown = false;
    expect(await mailer.retryNow()).toBe(1);
    await expect.poll(() => smtp.received.length).toBe(1);
    await expect.poll(() => mailer.longestWaitMs()).toBe(0);
    expect(await rowsOf(database)).toMatchObject([{ state: "sent", attempts: 3 }]);
  });

  test("is given up once its link has expired, or where the server knows no such recipient", async () => {
    const database = await openDatabase();
    const smtp = await smtpServer();
    smtp.isDown = true;
    const clock = { ms: 1_000_000 };
    const { mailer, lines } = startMailer(database, smtp.url, clock);
    await sendAndWait(mailer);
    clock.ms += 60 * MINUTE_MS - 1;
    await mailer.deliverDue();
    const [expired] = await rowsOf(database);
    expect(expired).toMatchObject({ state: "failed", attempts: 2, html: null, text: null });
    expect(expired.last_error).toContain("try again later");
    clock.ms += 60 * MINUTE_MS;
    smtp.isDown = false;
    smtp.unknown = "unknown@example.com";
    const unknown = { email: "unknown@example.com", name: "" };
    await sendAndWait(mailer, mails.resetPassword(unknown, link));
    const { newest, failed, waiting } = await mailer.queue(10);
    expect([failed, waiting]).toEqual([2, 0]);
    expect(newest[0]).toMatchObject({
      recipient: "unknown@example.com",
      state: "failed",
      attempts: 1,
      last_error: expect.stringContaining("no such user"),
    });
    expect(JSON.stringify(newest)).not.toContain("secret");
    expect(lines.join("")).toContain("mail not sent");
    expect(smtp.received).toEqual([]);
  });

  test("to one recipient, however much, waits behind the first to every other, and fills no queue", async () => {
    const database = await openDatabase();
    const clock = { ms: 1_000_000 };
    const queue = createMailQueue(database, () => clock.ms);
    const grace = { email: "grace@example.com", name: "Grace" };
    const flood = Array.from({ length: 100 }, () => mails.deleteAccount(lovelace, link));
    for (const mail of flood) await queue.put(mail);
    await expect(queue.put(flood[0])).rejects.toThrow("100 mails to this recipient are waiting");
    clock.ms += 1;
    await queue.put(mails.resetPassword(grace, link));
    const taken = [await queue.take(), await queue.take(), await queue.take()];
    expect(taken.map((mail) => mail?.recipient)).toEqual([
      "ada@example.com",
      "grace@example.com",
      "ada@example.com",
    ]);
    await queue.sent(String(taken[0]?.id));
    await queue.put(flood[0]);
    // No later mail overtakes the one whose turn has come.
    await queue.sent(String(taken[2]?.id));
    await queue.put(mails.resetPassword({ email: "later@example.com", name: "Later" }, link));
    expect((await queue.take())?.recipient).toBe("ada@example.com");
    if (database.dialect !== "sqlite") return;
    const { rows } = await sql<{ detail: string }>`
      explain query plan select * from mail_queue where state = 'waiting' and next_attempt_at_ms <= 1
      order by turn, next_attempt_at_ms limit 1`.execute(database.read);
    expect(rows.map(({ detail }) => detail)).toEqual([
      expect.stringContaining("mail_queue_in_turn (state=?)"),
    ]);
  });

  test("that was being sent when its process died is sent by the next", async () => {
    const database = await openDatabase();
    const smtp = await smtpServer();
    const clock = { ms: 1_000_000 };
    const { mailer } = startMailer(database, smtp.url, clock);
    // As a process leaves it that has taken it and says no more.
    await database.write
      .insertInto("mail_queue")
      .values({
        id: "left",
        created_at_ms: clock.ms,
        expires_at_ms: clock.ms + 60 * MINUTE_MS,
        recipient: "ada@example.com",
        subject: "Left",
        html: "<p>Left</p>",
        text: "Left",
        state: "waiting",
        attempts: 1,
        next_attempt_at_ms: clock.ms + 2 * MINUTE_MS,
        last_error: null,
        turn: 0,
      })
      .execute();
    await mailer.deliverDue();
    expect(smtp.received).toEqual([]);
    clock.ms += 2 * MINUTE_MS;
    await mailer.deliverDue();
    expect(smtp.received).toHaveLength(1);
    expect(smtp.received[0]).toMatch(/^Message-ID: <left@example.com>/im);
  });

  test("to test the server is sent at once, and says why not", async () => {
    const smtp = await smtpServer();
    const config = { SMTP_URL: smtp.url, MAIL_FROM: "post@example.com", PRODUCT_NAME: "Openbell" };
    await sendTestMail(config, "operator@example.com");
    expect(smtp.received[0]).toMatch(/^To: operator@example.com/m);
    smtp.unknown = "unknown@example.com";
    await expect(sendTestMail(config, smtp.unknown)).rejects.toThrow(/did not take.*no such user/);
    await expect(sendTestMail(config, "unknown")).rejects.toThrow("is not an email address");
    const without = { ...config, SMTP_URL: undefined };
    await expect(sendTestMail(without, "operator@example.com")).rejects.toThrow("SMTP_URL");
  });

  test("without an SMTP server is kept in the outbox, and no log shows its link", async () => {
    const database = await openDatabase();
    const { mailer, lines } = startMailer(database, undefined);
    mailer.send(mails.resetPassword(lovelace, link));
    await mailer.close();
    const kept = await database.read.selectFrom("outbox_mails").select("text").execute();
    expect(kept[0]?.text).toContain(link);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain("secret");
    expect(await rowsOf(database)).toEqual([]);
  });
});

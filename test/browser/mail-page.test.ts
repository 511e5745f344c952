/** The page on which administrators see the mails that wait, with a mail server that is down for a while. */
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { type SmtpStandIn, startSmtpStandIn } from "../support/smtp-stand-in.ts";
import { expectFit } from "./axe.ts";
import { openPage, register } from "./people.ts";

const ADMIN_EMAIL = "administrator-with-a-rather-long-name@organisation.example.com";

let smtp: SmtpStandIn;
let server: RunningServer;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  smtp = await startSmtpStandIn();
  smtp.isDown = true;
  server = await startServerProcess({ ADMIN_EMAIL, SMTP_URL: smtp.url, SIMULATION: "off" });
  browser = await sharedChromium();
  // axe is put into the page, which its policy would refuse.
  const context = await browser.newContext({ bypassCSP: true });
  await register(context, server.url, ADMIN_EMAIL);
  ({ page, complaints } = await openPage(context));
});
afterAll(async () => {
  await browser.close();
  await server.remove();
  await smtp.close();
});

function change(statement: string): void {
  const database = new Database(join(server.dataDir, "openbell.sqlite"), { timeout: 5_000 });
  database.exec(statement);
  database.close();
}

const mails = () => page.getByRole("list", { name: "Mails" }).getByRole("listitem");

test("a mail that waits is shown with its error, and sent at once on request", async () => {
  await page.goto(`${server.url}/admin/users`);
  await page.getByRole("link", { name: "Mail", exact: true }).click();
  await page.waitForURL("**/admin/mail");
  const mail = mails().filter({ hasText: ADMIN_EMAIL }).first();
  await mail.getByText(/^Tried (once|\d+ times)\.$/).waitFor();
  await mail.getByText(/try again later/).waitFor();
  await page.getByText("1 waiting", { exact: true }).waitFor();
  await expectFit(page, "with a mail", { texts: true });

  // The queue would not retry it on its own for an hour.
  change(`update mail_queue set next_attempt_at_ms = ${Date.now() + 3_600_000}`);
  smtp.isDown = false;
  await page.getByRole("button", { name: "Try again now" }).click();
  await mail.getByText("Sent", { exact: true }).waitFor();
  await page.getByText("None waiting", { exact: true }).waitFor();
  expect(smtp.received).toHaveLength(1);
  expect(await page.getByRole("button", { name: "Try again now" }).count()).toBe(0);
});

test("without mails it says what appears here", async () => {
  change("delete from mail_queue");
  await page.reload();
  await page.getByText("No mails yet").waitFor();
  await expectFit(page, "without mails", { texts: true });
  expect(complaints).toEqual([]);
});

test("mails that cannot be read are said to be so, and are read again on request", async () => {
  change("alter table mail_queue rename to mail_queue_away");
  await page.reload();
  await page.getByText("The mails could not be read").waitFor();
  await expectFit(page, "with an error", { texts: true });
  change("alter table mail_queue_away rename to mail_queue");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("No mails yet").waitFor();
});

/** Deposits and withdrawals on a funded exchange, as users and administrators do them in a browser. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type RunningServer, beginServerProcess } from "../support/running-server.ts";
import { expectFit } from "./axe.ts";
import {
  beforeScript,
  callerOf,
  newPerson,
  type Person,
  sendUntilClosed,
  sendUntilTaken,
} from "./people.ts";

const ADMIN_EMAIL = "root@example.com";
const SECOND_EMAIL = "second@example.com";
const IBAN = "DE02120300000000202051";

let server: RunningServer;
let browser: Browser;
let admin: Person;
let second: Person;
let member: Person;

beforeAll(async () => {
  server = await beginServerProcess({
    ADMIN_EMAIL,
    ADMIN_APPROVAL_WAIT_HOURS: "0",
    AUTH_RATE_LIMIT: "off",
    CATALOGUE: "catalogues/funded.yaml",
    FUNDED_MODE: "manual",
    SIMULATION: "off",
    WITHDRAWAL_ADDRESS_HOURS: "0",
  });
  browser = await sharedChromium();
  admin = await newPerson(browser, server.url, ADMIN_EMAIL);
  second = await newPerson(browser, server.url, SECOND_EMAIL);
  await admin.page.goto(`${server.url}/admin/users?search=${encodeURIComponent(SECOND_EMAIL)}`);
  await admin.page.getByRole("row").filter({ hasText: SECOND_EMAIL }).getByRole("link").click();
  await admin.page.getByRole("button", { name: "Make administrator" }).click();
  const role = admin.page.getByRole("dialog");
  await sendUntilClosed(role, role.getByRole("button", { name: "Make administrator" }));
  member = await newPerson(browser, server.url);
});
afterAll(async () => {
  await browser.close();
  await server.remove();
});

/** Announces a deposit, and returns where the page says what to pay. */
async function announce(page: Page, amount: string): Promise<Locator> {
  const toPay = page.getByRole("list", { name: "Deposits to pay" });
  await page.getByLabel("Amount in EUR").first().fill(amount);
  await sendUntilTaken(
    () => page.getByRole("button", { name: "Announce deposit" }).click(),
    async () => (await toPay.getByText(/must arrive by/).count()) > 0,
    page.getByText(/arrived too late|^Not sent/),
  );
  return toPay;
}

/** Takes a step of the review on the administrator's page. */
async function take(page: Page, name: RegExp, entries: Readonly<Record<string, string>>) {
  await page.goto(`${server.url}/admin/transfers`);
  await page.getByRole("button", { name }).click();
  const dialog = page.getByRole("dialog");
  for (const [label, text] of Object.entries(entries)) await dialog.getByLabel(label).fill(text);
  await sendUntilClosed(dialog, dialog.locator('button[type="submit"]'));
}

test("a deposit is announced, recorded by one administrator and approved by another", async () => {
  const { page } = member;
  await page.goto(`${server.url}/dashboard`);
  await page.getByText("FUNDED", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Deposit", exact: true }).click();
  await page.waitForURL("**/transfers");
  await page.getByRole("button", { name: "Announce deposit" }).click();
  await page.getByText("Enter an amount").waitFor();
  const toPay = await announce(page, "500");
  const reference = await toPay.getByText(/^OB-\d{6}-\d\d$/).innerText();
  await toPay.getByText(/state the reference\.$/).waitFor();
  await expectFit(page, "deposit and withdraw");

  await take(admin.page, /^Record: deposit/, { Receipt: "S1", Reason: "On the statement" });
  await admin.page.getByText("A second administrator approves it.").waitFor();
  // The administrator who approves it compares the receipt with the statement.
  await admin.page.getByText(`SEPA · ${reference} · receipt S1`).waitFor();
  expect(await admin.page.getByRole("button", { name: /^Approve: / }).count()).toBe(0);
  await expectFit(admin.page, "transfers to review");
  await page.getByText("In review").waitFor();
  await take(second.page, /^Approve: deposit/, { Reason: "Seen as well" });
  await page.getByText("Credited", { exact: true }).waitFor();
  expect(reference).toMatch(/^OB-/);

  await page.goto(`${server.url}/activity`);
  await page.getByText("Deposited 500 EUR").waitFor();
  await admin.page.goto(`${server.url}/admin`);
  await admin.page.getByRole("link", { name: /^Transfers None to review/ }).waitFor();
});

test("what was announced is recorded however the administrator's numbers are printed", async () => {
  const { page } = member;
  await page.goto(`${server.url}/transfers`);
  await announce(page, "1234.5");
  const germanNumbers = { name: "openbell.formats", value: "pointComma-dayMonth", url: server.url };
  await admin.context.addCookies([germanNumbers]);
  await admin.page.goto(`${server.url}/admin/transfers`);
  await admin.page.getByRole("button", { name: /^Record: deposit/ }).click();
  const dialog = admin.page.getByRole("dialog");
  expect(await dialog.getByLabel(/^Amount that arrived/).inputValue()).toBe("1.234,5");
  await dialog.getByLabel("Receipt").fill("S5");
  await dialog.getByLabel("Reason").fill("On the statement");
  await sendUntilClosed(dialog, dialog.getByRole("button", { name: "Record" }));
  await admin.page.getByText("It is recorded, and waits for a second administrator.").waitFor();
  await admin.page.getByText("+1.234,5 EUR").waitFor();
  await admin.context.clearCookies({ name: "openbell.formats" });

  await admin.page.goto(`${server.url}/admin/transfers`);
  await admin.page.getByRole("button", { name: /^Reject: deposit/ }).click();
  const rejection = admin.page.getByRole("dialog");
  await rejection.getByText("Nothing is credited.").waitFor();
  await rejection.getByLabel("Reason").fill("Of somebody else");
  await sendUntilClosed(rejection, rejection.getByRole("button", { name: "Reject" }));
  await page.getByText("Of somebody else").waitFor();
});

test("a statement is shown before it is imported, and records nothing twice", async () => {
  const { page } = member;
  await page.goto(`${server.url}/transfers`);
  const toPay = await announce(page, "50");
  const reference = await toPay.getByText(/^OB-\d{6}-\d\d$/).innerText();
  const csv = `reference,coin,amount,receipt\n${reference},EUR,50,S2\nrent,EUR,700,S3\n`;

  await admin.page.goto(`${server.url}/admin/transfers`);
  await admin.page.getByRole("button", { name: "Import a statement" }).click();
  const dialog = admin.page.getByRole("dialog", { name: "Import a statement" });
  await dialog.getByLabel("CSV").fill(csv);
  await dialog.getByLabel("Reason").fill("Statement of November");
  await dialog.getByRole("button", { name: "Show what it would do" }).click();
  const rows = dialog.getByRole("list", { name: "Rows of the statement" });
  await rows.getByText("new", { exact: true }).waitFor();
  await rows.getByText("unmatched", { exact: true }).waitFor();
  await expectFit(admin.page, "the window of an import");
  await dialog.getByRole("button", { name: "Record deposits" }).click();
  await rows.getByText("credited", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Show what it would do" }).click();
  await rows.getByText("known", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("+50 EUR").waitFor();
});

test("a withdrawal goes to an address of the book, is reviewed and paid out", async () => {
  const { page } = member;
  await page.goto(`${server.url}/transfers`);
  await page.getByRole("button", { name: "Add an address" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an address" });
  await dialog.getByRole("button", { name: "Add address" }).click();
  await dialog.getByText("Enter the address").waitFor();
  await dialog.getByLabel("Address").fill("nowhere");
  await dialog.getByLabel("Name").fill("My bank");
  await dialog.getByRole("button", { name: "Add address" }).click();
  await dialog.getByText(/This is no address of Bank transfer/).waitFor();
  await expectFit(page, "the window of an address");
  await dialog.getByLabel("Address").fill(IBAN);
  await sendUntilClosed(dialog, dialog.getByRole("button", { name: "Add address" }));

  const withdraw = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Withdraw", exact: true }) });
  const amount = withdraw.getByLabel("Amount in EUR");
  await amount.fill("5");
  await page.getByRole("button", { name: "Request withdrawal" }).click();
  await page.getByText("The amount is below the minimum for this coin.").waitFor();
  await amount.fill("100");
  await page.getByText("100.5 EUR").waitFor();
  await expectFit(page, "a withdrawal");
  await sendUntilTaken(
    () => page.getByRole("button", { name: "Request withdrawal" }).click(),
    async () => (await page.getByText("−100 EUR").count()) > 0,
    page.getByText(/arrived too late|^Not sent/),
  );
  await page.getByText("449.5", { exact: true }).waitFor();

  await take(admin.page, /^Approve: withdrawal/, { Reason: "Known address" });
  await admin.page.getByRole("button", { name: /^I pay it: withdrawal/ }).click();
  await take(second.page, /^I pay it: withdrawal/, { Reason: "At the bank" });
  // Who meant to pay it as well is told in time, and the question stays what it was.
  const late = admin.page.getByRole("dialog", { name: "Will you pay it?" });
  await late.getByLabel("Reason").fill("At the bank too");
  await sendUntilTaken(
    () => late.getByRole("button", { name: "I pay it" }).click(),
    async () => (await late.getByText(/Another administrator has claimed/).count()) > 0,
    late.getByRole("alert"),
  );
  await admin.page.goto(`${server.url}/admin/transfers`);
  await admin.page.getByText("Another administrator pays it.").waitFor();
  expect(await admin.page.getByRole("button", { name: /^(Sent|Reject): / }).count()).toBe(0);
  await take(admin.page, /^Take over: withdrawal/, { Reason: "The other one is ill" });
  await take(admin.page, /^Sent: withdrawal/, { Receipt: "P1", Reason: "Paid" });
  expect(await admin.page.getByRole("button", { name: /^Came back: / }).count()).toBe(0);
  await page.getByText("Sent", { exact: true }).waitFor();
  await take(admin.page, /^Arrived: withdrawal/, { Reason: "Confirmed" });
  await page.getByText("Paid out").waitFor();
});

test("one administrator closes withdrawals at once, and opens none", async () => {
  const { page } = admin;
  await page.goto(`${server.url}/admin/coins`);
  const change = async (isOpen: boolean) => {
    await page.getByRole("button", { name: "Change EUR" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Withdrawals by Bank transfer").setChecked(isOpen);
    await dialog.getByRole("button", { name: "Review" }).click();
    return dialog;
  };
  const closing = await change(false);
  await closing.getByText(/→ Bank transfer: deposits open, withdrawals closed/).waitFor();
  await expectFit(page, "a change of transfers to confirm");
  await closing.getByLabel("Reason").fill("A theft");
  await sendUntilClosed(closing, closing.getByRole("button", { name: "Change it" }));
  const opening = await change(true);
  await opening
    .getByText(/openbell catalogue apply\.$/)
    .last()
    .waitFor();
  await expectFit(page, "the form of a funded coin");
  await opening.getByRole("button", { name: "Cancel" }).click();
});

test("what is too little to withdraw is given up", async () => {
  const { page } = second;
  await page.goto(`${server.url}/transfers`);
  await announce(page, "10");
  await take(admin.page, /^Record: deposit/, { Receipt: "S4", Reason: "On the statement" });
  await page.getByRole("button", { name: "Give up EUR" }).click();
  const dialog = page.getByRole("dialog", { name: "Give up 10 EUR?" });
  await expectFit(page, "the window in which a rest is given up");
  await sendUntilClosed(dialog, dialog.getByRole("button", { name: "Give up" }));
  await page.getByRole("list", { name: "Too little to withdraw" }).waitFor({ state: "detached" });
  const complaints = [member, admin, second].flatMap((person) => person.complaints);
  // The browser reports the two requests that were refused.
  expect(complaints.filter((complaint) => !complaint.includes("status of 560"))).toEqual([]);
});

test("an address is removed after a question, and a deposit cancelled, and the focus stays there", async () => {
  const { context, page } = second;
  const call = await callerOf(context, server.url);
  for (const [label, address] of [
    ["Old bank", IBAN],
    ["Savings bank", "DE89370400440532013000"],
  ]) {
    const added = { coin: "EUR", network: "SEPA", label, address };
    await call("transfers:addAddress", added, "action");
  }
  await page.goto(`${server.url}/transfers`);
  const addresses = page.getByRole("list", { name: "Addresses" }).getByRole("listitem");
  const remove = page.getByRole("button", { name: "Remove Old bank" });
  const dialog = page.getByRole("dialog", { name: "Remove the address" });
  await remove.click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await addresses.count()).toBe(2);
  await remove.click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect.poll(() => addresses.count()).toBe(1);
  await dialog.waitFor({ state: "detached" });
  await expect.poll(focused).toContain("Savings bank");

  await announce(page, "20");
  const cancel = page.getByRole("button", { name: /^Cancel deposit/ });
  await cancel.click();
  await expect.poll(() => cancel.count()).toBe(0);
  expect(await focused()).toContain("Cancelled");

  async function focused(): Promise<string> {
    return await page.evaluate(() => {
      const { activeElement: element, body } = document;
      return element === body ? "" : (element?.textContent ?? "");
    });
  }
});

test("who views as a user moves no money", async () => {
  const { page } = admin;
  await page.goto(`${server.url}/admin/users?search=${encodeURIComponent(member.email)}`);
  await page.getByRole("row").filter({ hasText: member.email }).getByRole("link").click();
  await page.getByRole("button", { name: "View as user", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "View as user" }).click();
  await page.waitForURL("**/dashboard");
  await page.goto(`${server.url}/transfers`);
  await page.getByRole("button", { name: "Remove My bank" }).waitFor();
  const buttons = page.getByRole("main").getByRole("button");
  const enabled = await buttons.evaluateAll((all) =>
    all
      .filter((button) => !button.matches(":disabled"))
      .map((button) => button.getAttribute("aria-label") ?? button.textContent),
  );
  // Copies a reference, and reads about a coin.
  expect(enabled.filter((name) => !/^(Copy|About) /.test(name ?? ""))).toEqual([]);
});

test("a deposit is announced once, however often its form was sent before the page's script was there", async () => {
  const { page } = await newPerson(browser, server.url);
  await beforeScript(page, `${server.url}/transfers`, async () => {
    await page.getByLabel("Amount in EUR").first().fill("70");
    await page.getByLabel("Amount in EUR").first().press("Enter");
    await page.getByRole("button", { name: "Announce deposit" }).click();
  });
  const toPay = page.getByRole("list", { name: "Deposits to pay" });
  await toPay.getByText("70 EUR").waitFor();
  expect(await toPay.getByRole("listitem").count()).toBe(1);
  await page.context().close();
});

test("without JavaScript a form is posted, so that nothing typed stands in an address", async () => {
  const storageState = await member.context.storageState();
  const context = await browser.newContext({ javaScriptEnabled: false, storageState });
  const page = await context.newPage();
  await page.goto(`${server.url}/transfers`);
  await page.getByLabel("Amount in EUR").first().fill("70");
  const posted = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: "Announce deposit" }).click();
  expect((await posted).url()).toBe(`${server.url}/transfers`);
  await context.close();
});

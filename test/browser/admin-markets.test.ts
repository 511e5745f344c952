/** Market states, adjustments of balances and assigned plans, as administrators do them in a browser. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { expectFit } from "./axe.ts";
import {
  newPerson,
  type Person,
  readTable,
  fund,
  sendUntilClosed,
  sendUntilTaken,
} from "./people.ts";

const ADMIN_EMAIL = "root@example.com";
const SECOND_EMAIL = "second@example.com";

let server: RunningServer;
let browser: Browser;
let admin: Person;

beforeAll(async () => {
  server = await startServerProcess({
    ADMIN_EMAIL,
    ADMIN_APPROVAL_WAIT_HOURS: "0",
    AUTH_RATE_LIMIT: "off",
    SIMULATION: "off",
  });
  browser = await sharedChromium();
  admin = await newPerson(browser, server.url, ADMIN_EMAIL);
});
afterAll(async () => {
  await browser.close();
  await server.remove();
});

async function openUser(email: string): Promise<void> {
  const { page } = admin;
  await page.goto(`${server.url}/admin/users?search=${encodeURIComponent(email)}`);
  await page.getByRole("row").filter({ hasText: email }).getByRole("link").click();
  await page.getByRole("heading", { name: "Danger zone" }).waitFor();
}

async function stateOf(market: string): Promise<string | undefined> {
  const rows = await readTable(admin.page, "Market states");
  return rows.find(({ Market }) => Market === market)?.State;
}

/** Machines that do much else at once take their time. */
function eventually<T>(look: () => Promise<T>) {
  return expect.poll(look, { timeout: 20_000 });
}

test("a market is halted for a time with a reason, seen on the overview, and opened again", async () => {
  const { page } = admin;
  await page.goto(`${server.url}/admin/markets`);
  await eventually(() => stateOf("XLM-USD")).toBe("Trading");
  await page.getByRole("button", { name: "Halt XLM-USD" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the state of XLM-USD?" });
  await dialog.getByRole("button", { name: "Set to halted" }).click();
  await dialog.getByText("Say why").waitFor();
  await dialog.getByLabel("Ends after").fill("0");
  await dialog.getByText("Enter at least 1 second").waitFor();
  await dialog.getByLabel("Ends after").fill("30");
  await dialog.getByLabel("Reason").fill("A wrong price from outside");
  await expectFit(admin.page, "the window of a market's state");
  await sendUntilClosed(dialog, dialog.getByRole("button", { name: "Set to halted" }));
  await eventually(() => stateOf("XLM-USD")).toMatch(/^Halteduntil \d\d Nov|^Halted ?until /);
  expect(await stateOf("BTC-USD")).toBe("Trading");

  await page.goto(`${server.url}/admin`);
  await page.getByRole("link", { name: /^Markets XLM-USD halted/ }).waitFor();
  await page.getByText("Healthy").waitFor();
  await expectFit(admin.page, "the overview");

  await page.goto(`${server.url}/admin/markets`);
  await page.getByRole("button", { name: "Open XLM-USD" }).click();
  await dialog.getByLabel("Reason").fill("The price was right");
  await sendUntilClosed(dialog, dialog.getByRole("button", { name: "Set to trading" }));
  await eventually(() => stateOf("XLM-USD")).toBe("Trading");
  await expectFit(admin.page, "market states");
  expect(admin.complaints.splice(0)).toEqual([]);
});

test("a balance is adjusted by two administrators, and the user sees why", async () => {
  const member = await newPerson(browser, server.url);
  await fund(member.context, server.url);
  const second = await newPerson(browser, server.url, SECOND_EMAIL);
  await openUser(SECOND_EMAIL);
  await admin.page.getByRole("button", { name: "Make administrator" }).click();
  const role = admin.page.getByRole("dialog");
  await sendUntilClosed(role, role.getByRole("button", { name: "Make administrator" }));

  await openUser(member.email);
  await admin.page.getByRole("button", { name: "Adjust balance" }).click();
  const dialog = admin.page.getByRole("dialog", { name: /^Adjust a balance of/ });
  await dialog.getByRole("button", { name: "Propose adjustment" }).click();
  await dialog.getByText("Enter an amount such as 250 or −12.50").waitFor();
  await dialog.getByLabel("Amount").fill("-1,250.50");
  await dialog.getByLabel("Reason").fill("Paid twice");
  // Once, however often it is pressed.
  await sendUntilTaken(
    () => dialog.getByRole("button", { name: "Propose adjustment" }).dblclick(),
    async () => (await dialog.count()) === 0,
    dialog.getByRole("alert"),
  );

  await admin.page.goto(`${server.url}/admin/adjustments`);
  await admin.page.getByText("Another administrator approves it.").waitFor();
  expect(await admin.page.getByRole("button", { name: "Approve" }).count()).toBe(0);
  await expectFit(admin.page, "adjustments");

  await second.page.goto(`${server.url}/admin/adjustments`);
  await second.page.getByRole("button", { name: "Approve" }).click();
  const question = second.page.getByRole("dialog", { name: "Approve this adjustment?" });
  await question.getByText("−1,250.5 USD").waitFor();
  await sendUntilClosed(question, question.getByRole("button", { name: "Approve" }));
  await second.page.getByText("Approved", { exact: true }).waitFor();
  // The button that opened the question is gone.
  await expect.poll(() => second.page.evaluate(() => document.activeElement?.id)).toBe("main");

  await member.page.goto(`${server.url}/portfolio`);
  await member.page.getByText("98,749.50").first().waitFor();
  await member.page.goto(`${server.url}/activity`);
  await member.page.getByText(/Paid twice/).waitFor();
  expect(admin.complaints.splice(0)).toEqual([]);
  expect(second.complaints).toEqual([]);
  await member.context.close();
  await second.context.close();
});

test("a plan is assigned at no charge", async () => {
  const member = await newPerson(browser, server.url);
  await fund(member.context, server.url);
  await openUser(member.email);
  await admin.page.getByRole("button", { name: "Assign plan" }).click();
  const dialog = admin.page.getByRole("dialog", { name: /^Assign a plan to/ });
  await dialog.getByLabel("Plan").click();
  await admin.page.getByRole("option", { name: "Market maker" }).click();
  await dialog.getByRole("button", { name: "Assign Market maker" }).click();
  await dialog.getByText("Say why").waitFor();
  await dialog.getByLabel("Reason").fill("Quotes both sides");
  await sendUntilClosed(dialog, dialog.getByRole("button", { name: "Assign Market maker" }));
  await admin.page.getByText("Market maker now.").waitFor();
  await member.page.goto(`${server.url}/settings`);
  await member.page.getByText("Market maker", { exact: true }).first().waitFor();
  expect(admin.complaints.splice(0)).toEqual([]);
  await member.context.close();
});

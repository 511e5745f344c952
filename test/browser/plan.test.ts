/** How a person gets a plan, pays for it and leaves it, on the settings page in a real browser. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { SHARED_ADMIN_EMAIL, type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { expectFit } from "./axe.ts";
import {
  TradePage,
  openPage,
  plainNumber,
  readTable,
  register,
  fund,
  sendUntilClosed,
} from "./people.ts";

const SCALE = 6;

let server: SharedServer;
let browser: Browser;
beforeAll(async () => {
  server = await sharedServer("simulated");
  browser = await sharedChromium();
});
afterAll(() => browser.close());

async function newMember(email?: string) {
  // axe is put into the page, which its policy would refuse.
  const context = await browser.newContext({
    bypassCSP: true,
    viewport: { width: 1440, height: 900 },
  });
  const { page, complaints } = await openPage(context);
  return { context, page, complaints, email: await register(context, server.url, email) };
}

function planSection(page: Page) {
  // A dialog hides the page behind it from the tree of accessibility.
  return page.getByRole("region", { name: "Plan", exact: true, includeHidden: true });
}

async function openPlan(page: Page): Promise<void> {
  await page.goto(`${server.url}/settings`, { waitUntil: "networkidle" });
  await planSection(page).waitFor();
}

/** The value under a title in the plan section. */
async function figure(page: Page, title: string): Promise<string> {
  const name = planSection(page).locator("dt").filter({ hasText: title });
  return await name.locator("xpath=following-sibling::dd[1]").innerText();
}

async function openChoice(page: Page) {
  await planSection(page).getByRole("button", { name: "Change plan" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: /^Free/ }).waitFor();
  return dialog;
}

/** What is available in the settlement currency, in its smallest unit. */
async function availableUnits(page: Page): Promise<bigint> {
  const trade = new TradePage(page, server.url);
  await trade.open();
  await trade.showTab("Balances");
  const usd = (await readTable(page, "Balances")).find((row) => row.Coin === "USD");
  return units(usd?.Available ?? "");
}

function units(amount: string): bigint {
  const [whole = "", fraction = ""] = plainNumber(amount).split(".");
  return BigInt(whole + fraction.padEnd(SCALE, "0"));
}

test("a new member is on Free, and is told what the other plans ask for", async () => {
  const { page, context, complaints } = await newMember();
  await openPlan(page);
  expect(await figure(page, "Plan")).toBe("Free");
  expect(await figure(page, "Maker fee")).toBe("0.20%");
  expect(await figure(page, "Taker fee")).toBe("0.25%");
  expect(await figure(page, "30-day volume")).toBe("0.00 USD");
  await planSection(page).getByText("100,000 USD more for 0.18% maker, 0.22% taker.").waitFor();
  await planSection(page).scrollIntoViewIfNeeded();
  await expectFit(page);

  const dialog = await openChoice(page);
  await dialog.getByText("49 USD is charged at once, and you have 0.00 USD available.").waitFor();
  await dialog.getByText("1,000,000 USD is missing.").waitFor();
  await dialog.getByText("Cannot be chosen: an administrator assigns it.").waitFor();
  for (const plan of [/^Free/, /^Active/, /^Pro/, /^Market maker/]) {
    expect(await dialog.getByRole("radio", { name: plan }).isDisabled()).toBe(true);
  }
  expect(await dialog.getByRole("button", { name: "Continue" }).isDisabled()).toBe(true);
  await expectFit(page);
  expect(complaints).toEqual([]);
  await context.close();
});

test("Pro is charged exactly, once, and Free follows at the end of what is paid", async () => {
  const { page, context, complaints } = await newMember();
  await fund(context, server.url);
  const before = await availableUnits(page);
  await openPlan(page);
  let dialog = await openChoice(page);
  await dialog.getByRole("radio", { name: /^Pro/ }).check();
  await expectFit(page);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByText("49 USD is charged from your balance now.").waitFor();
  await dialog.getByText("Pro holds at once: new orders pay 0.04% maker, 0.08% taker.").waitFor();
  await expectFit(page);
  expect(await figure(page, "Plan"), "nothing happens before the confirmation").toBe("Free");
  await sendUntilClosed(dialog, dialog.getByRole("button", { name: "Pay 49 USD" }));
  await planSection(page)
    .getByText(/^Renews on .* for 49 USD from your balance/)
    .waitFor();
  expect(await figure(page, "Plan")).toBe("Pro");
  expect(await figure(page, "Taker fee")).toBe("0.08%");
  await expectFit(page);
  expect(before - (await availableUnits(page))).toBe(units("49"));

  await page.goto(`${server.url}/activity`);
  await page.getByRole("button", { name: /Pro/ }).first().click();
  const postings = await readTable(page, /^Ledger postings/);
  expect(postings.map((row) => [row.Reason, row.Amount?.replace(/[^\d.,−+]/g, "")])).toEqual([
    ["Plan feeAvailable", "−49"],
  ]);

  await openPlan(page);
  dialog = await openChoice(page);
  await dialog.getByRole("radio", { name: /^Free/ }).check();
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByText(/^Free takes effect on .*, at the end of the period/).waitFor();
  await expectFit(page);
  await dialog.getByRole("button", { name: "Change plan" }).click();
  await planSection(page)
    .getByText(/^Until .*; then Free follows\.$/)
    .waitFor();
  expect(await figure(page, "Plan")).toBe("Pro");

  dialog = await openChoice(page);
  await dialog.getByRole("radio", { name: /^Pro/ }).check();
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByRole("button", { name: "Keep Pro" }).click();
  await planSection(page)
    .getByText(/^Renews on .* for 49 USD/)
    .waitFor();
  expect(before - (await availableUnits(page)), "no one pays twice").toBe(units("49"));
  expect(complaints).toEqual([]);
  await context.close();
});

test("a refusal of the exchange is told where the choice was confirmed", async () => {
  const { page, context, email } = await newMember();
  await fund(context, server.url);
  await openPlan(page);
  const dialog = await openChoice(page);
  await dialog.getByRole("radio", { name: /^Pro/ }).check();
  await dialog.getByRole("button", { name: "Continue" }).click();

  const admin = await newMember(SHARED_ADMIN_EMAIL);
  await admin.page.goto(`${server.url}/admin/users?search=${encodeURIComponent(email)}`);
  await admin.page.getByRole("row").filter({ hasText: email }).getByRole("link").click();
  await admin.page.getByRole("button", { name: "Freeze", exact: true }).click();
  const freezing = admin.page.getByRole("dialog");
  await freezing.getByLabel("Reason").fill("Under review");
  await sendUntilClosed(freezing, freezing.getByRole("button", { name: "Freeze", exact: true }));

  await dialog.getByRole("button", { name: "Pay 49 USD" }).click();
  await dialog
    .getByRole("alert")
    .getByText(/This account is frozen/)
    .waitFor();
  await expectFit(page);
  await dialog.getByRole("button", { name: "Back" }).click();
  expect(await dialog.getByText(/Your account is frozen/).count()).toBe(3);
  expect(await dialog.getByRole("button", { name: "Continue" }).isDisabled()).toBe(true);
  expect(await figure(page, "Plan")).toBe("Free");
  await admin.context.close();
  await context.close();
});

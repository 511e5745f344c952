/** The page of one order: its life from its placement to its end, for its owner only. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { overflowOf, seriousOn } from "./axe.ts";
import {
  newPerson,
  type Person,
  sendUntilTaken,
  fund,
  TradePage,
  sendUntilClosed,
} from "./people.ts";

let server: RunningServer;
let browser: Browser;
let person: Person;
let trade: TradePage;

beforeAll(async () => {
  // One of its own: a test keeps its history from being written for a while.
  server = await startServerProcess({ AUTH_RATE_LIMIT: "off" });
  browser = await sharedChromium();
  person = await newPerson(browser, server.url);
  await fund(person.context, server.url);
  trade = new TradePage(person.page, server.url);
});
afterAll(async () => {
  await browser.close();
  await server.remove();
});

const panel = (page: Page, title: string): Locator =>
  page
    .getByRole("main")
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: title }) });

/** Changes the server's database beside it. */
function alterDatabase(statement: string): void {
  const database = new DatabaseSync(join(server.dataDir, "openbell.sqlite"), { timeout: 5_000 });
  database.exec(statement);
  database.close();
}

/** How much of a table is beyond the edge of what it scrolls in. */
function hiddenWidth({ parentElement }: Element): number {
  return (parentElement?.scrollWidth ?? 0) - (parentElement?.clientWidth ?? 0);
}

/** Opens the page of the order that the table names so. */
async function openOrder(table: string, name: string): Promise<void> {
  await person.page.getByRole("table", { name: table }).getByRole("link", { name }).first().click();
  await person.page.waitForURL("**/orders/*");
  await panel(person.page, "What happened").waitFor();
}

test.each([1440, 390])(
  "an order is followed from its placement over a change to its end at %i px",
  async (width) => {
    const { page } = person;
    await page.setViewportSize({ width: 1440, height: 900 });
    await trade.open();
    await trade.limit("Buy", "30000.01", "0.0123");
    await trade.showTab("Open orders");
    await openOrder("Open orders", "Limit 30,000.01");
    await page.setViewportSize({ width, height: 900 });
    await panel(page, "Why it has not filled").getByText("The lowest ask is").waitFor();
    const steps = panel(page, "What happened");
    await steps.getByText("Buy 0.0123 BTC · Limit 30,000.01.").waitFor();

    await page.getByRole("button", { name: "Change buy order in BTC-USD at 30000.01" }).click();
    const dialog = page.getByRole("dialog", { name: "Change order" });
    await dialog.getByLabel("Price", { exact: true }).fill("30100");
    await dialog.getByLabel("Quantity", { exact: true }).fill("0.02");
    await sendUntilClosed(dialog, dialog.getByRole("button", { name: "Change order" }));
    await steps
      .getByText("Price from 30,000.01 to 30,100 USD, quantity from 0.0123 to 0.02 BTC.")
      .waitFor();
    await page.getByRole("heading", { name: "Buy 0.02 BTC · Limit 30,100.00" }).waitFor();
    await steps.getByText("2 ledger postings").first().click();
    await steps.getByRole("table").getByText("369.000123").first().waitFor();
    // The amounts are not beyond the edge of a table that scrolls sideways.
    expect(await steps.getByRole("table").first().evaluate(hiddenWidth)).toBeLessThanOrEqual(0);
    expect(await seriousOn(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);

    await page.getByRole("button", { name: /^Cancel buy order/ }).click();
    await steps.getByText("Cancelled by you.").waitFor();
    await panel(page, "Why it did not fill").waitFor();
    expect(await page.getByRole("button", { name: /^Cancel buy order/ }).count()).toBe(0);
    expect(await seriousOn(page)).toEqual([]);
  },
);

test("while the history is behind the page says so, and completes itself", async () => {
  const { page } = person;
  await page.setViewportSize({ width: 1440, height: 900 });
  await trade.open();
  await trade.limit("Buy", "30000.02", "0.0124");
  await trade.showTab("Open orders");
  await openOrder("Open orders", "Limit 30,000.02");
  const steps = panel(page, "What happened");
  await steps.getByText("Buy 0.0124 BTC · Limit 30,000.02.").waitFor();

  // The history cannot write the change of the order; everything can be read.
  alterDatabase(
    "create trigger away before insert on order_changes begin select raise(abort, 'away'); end",
  );
  const behind = steps.getByText("The newest steps are not in the history yet");
  try {
    await page.getByRole("button", { name: "Change buy order in BTC-USD at 30000.02" }).click();
    const dialog = page.getByRole("dialog", { name: "Change order" });
    await dialog.getByLabel("Price", { exact: true }).fill("30100");
    await sendUntilClosed(dialog, dialog.getByRole("button", { name: "Change order" }));
    await behind.waitFor();
    expect(await steps.getByText("Price from 30,000.02 to 30,100 USD.").count()).toBe(0);
    expect(await seriousOn(page)).toEqual([]);
  } finally {
    alterDatabase("drop trigger away");
  }
  await steps.getByText("Price from 30,000.02 to 30,100 USD.").waitFor();
  await behind.waitFor({ state: "detached" });
});

test("a fill leads to its explanation and back to its order", async () => {
  const { page } = person;
  await page.setViewportSize({ width: 1440, height: 900 });
  await trade.open();
  await trade.market("Buy", "0.01");
  await trade.showTab("Order history");
  await openOrder("Order history", "Market");
  const steps = panel(page, "What happened");
  await steps.getByText(/^Bought 0\.01 BTC at/).waitFor();
  await steps.getByRole("link", { name: "Explain this trade" }).first().click();
  await page.getByText("the ledger recorded exactly that").waitFor();
  await page.getByRole("link", { name: /^Buy 0\.01 BTC · Market$/ }).click();
  await panel(page, "What happened").waitFor();
});

test("linked orders lead to each other", async () => {
  const { page } = person;
  await trade.open();
  const ticket = trade.ticket();
  await trade.enterLimit("Buy", "30000", "0.01");
  await ticket.getByLabel("TP/SL").check();
  await ticket.getByLabel("Take-profit", { exact: true }).fill("40000");
  await ticket.getByLabel("Stop-loss", { exact: true }).fill("25000");
  const quantity = ticket.getByLabel("Quantity", { exact: true });
  const place = page
    .getByRole("dialog", { name: "Place these 3 orders?" })
    .getByRole("button", { name: "Place", exact: true });
  await sendUntilTaken(
    async () => {
      await trade.click("Buy");
      await place.click();
    },
    async () => (await quantity.inputValue()) === "",
    ticket.getByRole("alert").filter({ hasNotText: "checking…" }),
  );
  await trade.showTab("Open orders");
  await openOrder("Open orders", "Limit 40,000.00");
  await page.getByRole("heading", { name: "Sell BTC · Limit 40,000.00" }).waitFor();
  await panel(page, "Why it has not filled").getByText("Waits for its entry order").waitFor();
  const linked = panel(page, "Linked orders");
  await linked.getByText("Stop 25,000.00 → market").waitFor();
  await linked.getByRole("link", { name: "Limit 30,000.00" }).click();
  await page.getByRole("heading", { name: "Buy 0.01 BTC · Limit 30,000.00" }).waitFor();
  expect(await seriousOn(page)).toEqual([]);
});

test("the order of another user, and none at all, are not found", async () => {
  const { page } = person;
  await trade.open();
  await trade.showTab("Order history");
  await openOrder("Order history", "Market");
  const address = page.url();
  const stranger = await newPerson(browser, server.url);
  for (const url of [address, `${server.url}/orders/999999999`, `${server.url}/orders/nothing`]) {
    await stranger.page.goto(url);
    await stranger.page.getByText("No such order of yours").waitFor();
  }
  expect(await seriousOn(stranger.page)).toEqual([]);
  await stranger.page.goto(`${address.replace("/orders/", "/fills/")}/1`);
  await stranger.page.getByText("No such trade of yours").waitFor();
  expect(await stranger.page.getByRole("main").innerText()).not.toMatch(/open order/);
  await stranger.context.close();
});

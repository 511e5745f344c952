/** The order history page by page, while orders go on being placed. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/running-server.ts";
import { callerOf, register, TradePage } from "./people.ts";

/** A page of the list, and some more. */
const ORDERS = 64;
const PER_BATCH = 8;

let server: SharedServer;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  server = await sharedServer("simulated");
  browser = await sharedChromium();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await register(context, server.url);
});
afterAll(() => browser.close());

const LIMIT = { market: "BTC-USD", side: "buy", type: "limit", price: "30000", quantity: "0.001" };

const rowsOf = (page: Page) =>
  page.getByRole("table", { name: "Order history" }).locator("tbody tr").count();

test("older orders follow on demand, and none is lost or shown twice when one is placed", async () => {
  const call = await callerOf(context, server.url);
  await call("accounts:takePracticeFunds", {});
  for (let placed = 0; placed < ORDERS; placed += PER_BATCH) {
    for (let each = 0; each < PER_BATCH; each += 1) await call("orders:place", LIMIT);
    await call("orders:cancelAll", {});
  }
  const trade = new TradePage(await context.newPage(), server.url);
  const { page } = trade;
  await trade.open();
  await trade.showTab("Order history");
  await expect.poll(() => rowsOf(page)).toBe(50);
  await page.getByRole("button", { name: "Load more" }).click();
  await expect.poll(() => rowsOf(page)).toBe(ORDERS);
  expect(await page.getByRole("button", { name: "Load more" }).count()).toBe(0);
  await call("orders:place", LIMIT);
  await expect.poll(() => rowsOf(page)).toBe(ORDERS + 1);
  await page.getByRole("table", { name: "Order history" }).getByText("Open").first().waitFor();
  await page.close();
});

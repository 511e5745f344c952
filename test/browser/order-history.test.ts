/** The order history page by page, while orders go on being placed. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
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

test("a history that failed says so, and is loaded again by itself", async () => {
  const page = await context.newPage();
  // Answers of the query become failures on their way to the client, for as long as is wanted.
  await page.addInitScript(() => {
    const asked = new Set<number>();
    const state = globalThis as { isFailing?: boolean };
    state.isFailing = true;
    type Message = { type?: string; modifications: { queryId: number; udfPath?: string }[] } | null;
    const { parse, stringify } = JSON;
    JSON.stringify = (value: Message, ...rest: []) => {
      if (value?.type === "ModifyQuerySet") {
        for (const { udfPath, queryId } of value.modifications) {
          if (udfPath === "orders:list") asked.add(queryId);
        }
      }
      return stringify(value, ...rest);
    };
    JSON.parse = (text: string, ...rest: []) => {
      const value = parse(text, ...rest) as Message;
      if (state.isFailing !== true || value?.type !== "Transition") return value;
      const modifications = value.modifications.map((each) =>
        asked.has(each.queryId)
          ? { type: "QueryFailed", queryId: each.queryId, errorMessage: "planted", logLines: [] }
          : each,
      );
      return { ...value, modifications };
    };
  });
  const trade = new TradePage(page, server.url);
  await trade.open();
  await trade.showTab("Order history");
  const sentence = page.getByText("It is tried again by itself.");
  await sentence.waitFor();
  expect(await rowsOf(page)).toBe(0);
  await page.evaluate(() => {
    (globalThis as { isFailing?: boolean }).isFailing = false;
  });
  await expect.poll(() => rowsOf(page)).toBeGreaterThan(0);
  await sentence.waitFor({ state: "detached" });
  await page.close();
});

/**
 * How much JavaScript a first visit costs, compressed with gzip: everything that a page loads until nothing more
 * comes, without being touched.
 */
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { callerOf, fund, openPage, register } from "./people.ts";

/** Longer than anything that pages put off. */
const QUIET_MS = 10_000;

let server: SharedServer;
let browser: Browser;
beforeAll(async () => {
  server = await sharedServer("simulated");
  browser = await sharedChromium();
});
afterAll(() => browser.close());

/** Kilobytes (1000 bytes) of all scripts that the browser loads for a page that is not touched. */
async function scriptKilobytes(
  context: BrowserContext,
  path: string,
  isThere: (page: Page) => Promise<void>,
): Promise<number> {
  const { page } = await openPage(context);
  const sizes: Promise<number>[] = [];
  let lastAt = 0;
  page.on("response", (response) => {
    const isScript = (response.headers()["content-type"] ?? "").includes("javascript");
    if (!isScript) return;
    lastAt = Date.now();
    sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  await page.goto(server.url + path);
  await isThere(page);
  lastAt = Math.max(lastAt, Date.now());
  while (Date.now() - lastAt < QUIET_MS) await page.waitForTimeout(500);
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  await page.close();
  return total / 1_000;
}

/** Signed in, with trades and an open order, which the chart and the panels show. */
async function newTrader(): Promise<BrowserContext> {
  const context = await browser.newContext();
  await register(context, server.url);
  await fund(context, server.url);
  const call = await callerOf(context, server.url);
  const order = { market: "BTC-USD", side: "buy" };
  await call("orders:place", { ...order, type: "market", quoteAmount: "1000" });
  await call("orders:place", { ...order, type: "limit", price: "30000", quantity: "0.01" });
  // A context of its own has nothing cached.
  return await browser.newContext({ storageState: await context.storageState() });
}

test("the landing page loads at most 150 KB", async () => {
  const kilobytes = await scriptKilobytes(await browser.newContext(), "/", (page) =>
    page.getByRole("heading", { level: 1 }).waitFor(),
  );
  expect(kilobytes).toBeGreaterThan(50);
  expect(kilobytes).toBeLessThanOrEqual(150);
});

test("the trade page loads at most 250 KB for a trader with orders and trades", async () => {
  const path = "/trade?market=BTC-USD";
  const kilobytes = await scriptKilobytes(await newTrader(), path, async (page) => {
    const chart = page.getByRole("region", { name: "Price chart" });
    // Its code is the last to come.
    await chart.getByText("Bought", { exact: true }).waitFor();
    await page.getByRole("button", { name: /^Cancel buy order/ }).waitFor();
  });
  expect(kilobytes).toBeGreaterThan(100);
  expect(kilobytes).toBeLessThanOrEqual(250);
});

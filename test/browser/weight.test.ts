/** How much JavaScript a first visit costs, compressed with gzip, everything that the page loads. */
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/running-server.ts";
import { TradePage, openPage, register } from "./people.ts";

let server: SharedServer;
let browser: Browser;
beforeAll(async () => {
  server = await sharedServer("simulated");
  browser = await sharedChromium();
});
afterAll(() => browser.close());

/** Kilobytes (1000 bytes) of all scripts that `visit` makes the browser load. */
async function scriptKilobytes(
  context: BrowserContext,
  visit: (trade: TradePage) => Promise<void>,
): Promise<number> {
  const { page } = await openPage(context);
  const sizes: Promise<number>[] = [];
  page.on("response", (response) => {
    const isScript = (response.headers()["content-type"] ?? "").includes("javascript");
    if (isScript) sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  await visit(new TradePage(page, server.url));
  await page.waitForTimeout(3_000);
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  await page.close();
  return total / 1_000;
}

test("the landing page loads at most 150 KB", async () => {
  const context = await browser.newContext();
  const kilobytes = await scriptKilobytes(context, async ({ page }) => {
    await page.goto(`${server.url}/`);
  });
  expect(kilobytes).toBeGreaterThan(50);
  expect(kilobytes).toBeLessThanOrEqual(150);
});

test("the trade page loads at most 249 KB", async () => {
  const context = await browser.newContext();
  await register(context, server.url);
  // A context of its own has nothing cached.
  const fresh = await browser.newContext({ storageState: await context.storageState() });
  const kilobytes = await scriptKilobytes(fresh, (trade) => trade.open());
  expect(kilobytes).toBeGreaterThan(100);
  expect(kilobytes).toBeLessThanOrEqual(249);
});

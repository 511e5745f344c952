/** The trade page while the server, or a part of its own code, does not come. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { isFull } from "../support/run-counts.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { TradePage, fund, register } from "./people.ts";

const FAILED = "This panel could not be shown.";

let server: RunningServer;
let browser: Browser;
let session: Awaited<ReturnType<BrowserContext["storageState"]>>;

beforeAll(async () => {
  server = await startServerProcess({ SIMULATION: "off" });
  browser = await sharedChromium();
  const context = await browser.newContext();
  await register(context, server.url);
  await fund(context, server.url);
  session = await context.storageState();
  await context.close();
});
afterAll(async () => {
  await browser.close();
  await server.remove();
});

/** A page with nothing cached, so that every part of the code has to come over the network. */
async function freshPage(): Promise<Page> {
  const viewport = { width: 1440, height: 900 };
  const context = await browser.newContext({ viewport, storageState: session });
  return await context.newPage();
}

async function seeLive(page: Page): Promise<void> {
  await page.getByText("Live", { exact: true }).waitFor();
}

async function seeRestingOrder(page: Page, price: string): Promise<void> {
  await page
    .getByRole("button", { name: `Cancel buy order in BTC-USD at ${price}` })
    .waitFor({ timeout: 20_000 });
}

test("the page outlives its server and trades again when it is back", async () => {
  const page = await freshPage();
  const trade = new TradePage(page, server.url);
  await trade.open();
  await seeLive(page);
  const buy = trade.ticket().getByRole("button", { name: "Buy BTC" });
  await expect.poll(() => buy.isEnabled(), { timeout: 20_000 }).toBe(true);

  await trade.limit("Buy", "30000.01", "0.001");
  await seeRestingOrder(page, "30000.01");

  await server.kill();
  await page.getByText("Connection lost. Reconnecting").waitFor();
  expect(await buy.isDisabled()).toBe(true);
  await trade.ticket().getByText("Nothing can be sent until it is back.").waitFor();
  // As long as a part that fails would need to give up.
  await page.waitForTimeout(3_000);
  expect(await trade.ticket().isVisible()).toBe(true);
  expect(await page.getByRole("heading", { name: "Oops" }).count()).toBe(0);
  await trade.showTab("Order history");
  const panel = page.getByRole("tabpanel");
  await panel.getByText(FAILED).waitFor();
  expect(await panel.getByRole("button", { name: "Reload page" }).count()).toBe(0);
  expect(await trade.ticket().isVisible()).toBe(true);

  await server.restart();
  await seeLive(page);
  await panel.getByRole("button", { name: "Try again" }).click();
  await panel.getByRole("table", { name: "Order history" }).waitFor();
  await trade.showTab("Open orders");
  await trade.limit("Buy", "30000.02", "0.001");
  await seeRestingOrder(page, "30000.02");
  await page.context().close();
});

test("a chart whose code does not come leaves the other panels alive", async () => {
  const page = await freshPage();
  const trade = new TradePage(page, server.url);
  const chart = /\/assets\/candle-parts-[^/]+\.js/;
  await page.route(chart, (route) => route.abort());
  await trade.open();
  await page.getByText(FAILED).waitFor();
  // The server answers all the same, as it does after an update that took the old code away.
  await page.getByRole("button", { name: "Reload page" }).waitFor();
  await seeLive(page);
  await trade.limit("Buy", "30000.03", "0.001");
  await seeRestingOrder(page, "30000.03");
  await trade.showTab("Balances");
  await page.getByRole("table", { name: "Balances" }).waitFor();

  await page.unroute(chart);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByLabel(/^Candles\./).waitFor();
  expect(await page.getByText(FAILED).count()).toBe(0);
  await page.context().close();
});

test("a list of markets whose code fails to load is loaded again when it is opened again", async () => {
  const page = await freshPage();
  const trade = new TradePage(page, server.url);
  const list = /\/assets\/market-list-[^/]+\.js/;
  await page.route(list, (route) => route.abort());
  await trade.open();
  await seeLive(page);
  const markets = page.getByRole("dialog", { name: "Markets" });
  await page.getByRole("button", { name: /choose another market/ }).click();
  await markets.getByText(FAILED).waitFor();
  await page.keyboard.press("Escape");
  expect(await trade.ticket().isVisible()).toBe(true);
  await page.unroute(list);
  await page.getByRole("button", { name: /choose another market/ }).click();
  await markets.getByLabel("Search markets").waitFor();
  await page.context().close();
});

test("toasts that do not come are waited for without a trace", async () => {
  const page = await freshPage();
  const trade = new TradePage(page, server.url);
  const toaster = /\/assets\/toaster-[^/]+\.js/;
  let refused = 0;
  await page.route(toaster, async (route) => {
    refused += 1;
    await route.abort();
  });
  await trade.open();
  await seeLive(page);
  await trade.ticket().getByLabel("Quantity", { exact: true }).click();
  await expect.poll(() => refused, { timeout: 20_000 }).toBeGreaterThan(1);
  expect(await trade.ticket().isVisible()).toBe(true);
  await page.unroute(toaster);
  await page.getByRole("region", { name: /^Notifications/ }).waitFor({
    state: "attached",
    timeout: 20_000,
  });
  await page.context().close();
});

test.runIf(isFull)(
  "toasts are 356 px wide with 14 px between them, three at most, for 4000 ms",
  async () => {
    const page = await freshPage();
    await page.clock.install();
    const trade = new TradePage(page, server.url);
    await trade.open();
    await seeLive(page);
    await page.getByRole("region", { name: /^Notifications/ }).waitFor({ state: "attached" });
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
    const toasts = page.locator("[data-sonner-toast]");
    for (const [index, price] of ["30000.11", "30000.12", "30000.13", "30000.14"].entries()) {
      await trade.enterLimit("Buy", price, "0.001");
      await trade.click("Buy");
      await expect
        .poll(async () => {
          // Barely: the first toast must still be there when the last one comes.
          await page.clock.runFor(10);
          return await toasts.count();
        })
        .toBe(index + 1);
    }
    await page.clock.runFor(500);
    expect(await page.locator("[data-sonner-toast][data-visible=true]").count()).toBe(3);
    expect((await toasts.first().boundingBox())?.width).toBe(356);
    expect(
      await page
        .locator("[data-sonner-toaster]")
        .evaluate((list) => getComputedStyle(list).getPropertyValue("--gap")),
    ).toBe("14px");
    await page.clock.runFor(3_000);
    expect(await toasts.count()).toBe(4);
    await page.clock.runFor(1_500);
    expect(await toasts.count()).toBe(0);
    await page.context().close();
  },
);

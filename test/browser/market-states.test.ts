/** A market that does not just trade says so before an order is sent, and offers what its state takes. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MarketStatus } from "#contract/types.ts";
import { sharedChromium } from "../support/chromium.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { WIDTHS, overflowOf, seriousOn } from "./axe.ts";
import { callerOf, register } from "./people.ts";

const ADMIN_EMAIL = "admin@example.com";
const MARKET = "XLM-USD";

let server: RunningServer;
let browser: Browser;
let admin: BrowserContext;
let page: Page;

beforeAll(async () => {
  server = await startServerProcess({ ADMIN_EMAIL });
  browser = await sharedChromium();
  admin = await browser.newContext();
  await register(admin, server.url, ADMIN_EMAIL);
  const visitor = await browser.newContext({
    bypassCSP: true,
    viewport: { width: 1440, height: 900 },
  });
  await register(visitor, server.url);
  page = await visitor.newPage();
  await page.goto(`${server.url}/trade?market=${MARKET}`);
  await page.getByText("Live", { exact: true }).waitFor();
});
afterAll(async () => {
  await browser.close();
  await server.remove();
});

async function setStatus(status: MarketStatus, forSeconds?: number): Promise<void> {
  const call = await callerOf(admin, server.url);
  const limit = forSeconds === undefined ? {} : { forSeconds };
  await call("markets:setStatus", { market: MARKET, status, reason: "test", ...limit });
}

const ticket = () => page.getByRole("region", { name: "Order ticket" });
const button = (name: string) => ticket().getByRole("button", { name, exact: true });

test.each([
  [
    "halted",
    "Trading is halted; open orders can be cancelled.",
    "Trading in this market is halted.",
  ],
  ["cancelOnly", "The market takes no new orders", "This market takes no new orders for now"],
  ["closed", "The market is closed", "This market is closed."],
] as const)("%s: nothing can be sent", async (status, banner, reason) => {
  await setStatus(status);
  await page.getByText(banner).waitFor();
  await ticket().getByText(reason).waitFor();
  expect(await button("Buy XLM").isDisabled()).toBe(true);
});

test.each(WIDTHS)(
  "an auction gathers limit orders, and says when it ends, at %i px",
  async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await setStatus("auction", 600);
    await page.getByText("Limit orders gather; what can trade trades at one price").waitFor();
    await page.getByText("Indicative price").waitFor();
    await page.getByText("Trading begins in").waitFor();
    expect(await seriousOn(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    if (width === 1440) {
      expect(await button("Market").isDisabled()).toBe(true);
      expect(await ticket().getByLabel("More order types").isDisabled()).toBe(true);
      await ticket().getByLabel("Time in force").selectOption("ioc");
      await ticket().getByText("it takes only limit orders, GTC or GTD").waitFor();
      await ticket().getByLabel("Time in force").selectOption("gtc");
    }
  },
);

test("post-only: an order that is not is held back", async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await setStatus("postOnly");
  await ticket().getByText("This market takes post-only orders only.").waitFor();
  await ticket().getByLabel("Post-only").check();
  await expect.poll(() => ticket().getByText("post-only orders only").count()).toBe(0);
  await ticket().getByLabel("Post-only").uncheck();
});

test("a market that trades again says nothing", async () => {
  await setStatus("trading");
  await expect.poll(() => page.getByText("post-only orders only").count()).toBe(0);
  await expect.poll(() => button("Market").isEnabled()).toBe(true);
});

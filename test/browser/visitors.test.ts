/** The market page without an account: everything public is live, and an order survives signing in. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { expectFit, overflowOf, seriousOn, widthsOfPage } from "./axe.ts";
import { createAccount, openPage, PASSWORD, register, TradePage } from "./people.ts";

let server: SharedServer;
let browser: Browser;

beforeAll(async () => {
  server = await sharedServer("simulated");
  browser = await sharedChromium();
});
afterAll(() => browser.close());

async function visitor(width = 1440): Promise<{
  context: BrowserContext;
  page: Page;
  trade: TradePage;
  complaints: string[];
}> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    bypassCSP: true,
  });
  const { page, complaints } = await openPage(context);
  return { context, page, trade: new TradePage(page, server.url), complaints };
}

describe("a visitor", () => {
  test("sees book, trades, chart and price, and nothing that belongs to users", async () => {
    const { context, page, trade, complaints } = await visitor();
    await trade.open("ETH-USD");
    expect(new URL(page.url()).pathname).toBe("/trade");
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("region", { name: "Order book" }).getByText("Spread").waitFor();
    await page.getByText(/^ETH-USD, candles of/).waitFor({ state: "attached" });
    await expect.poll(() => page.title()).toMatch(/^[\d,]+\.\d\d ETH-USD · Trade$/);
    expect(await page.getByText("Your balances").count()).toBe(0);
    await page.getByText("Your orders and balances appear here").waitFor();
    expect(await trade.ticket().getByText("Available").count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("finds the book in the page before any script runs", async () => {
    const page = await (await fetch(`${server.url}/trade?market=ETH-USD`)).text();
    expect(page.match(/data-side="(?:bid|ask)"/g)).toEqual(['data-side="ask"', 'data-side="bid"']);
    expect(page.match(/data-level="0"/g)).toHaveLength(2);
  });

  test("finds no barrier, on a phone either", async () => {
    const { context, page, complaints } = await visitor();
    await page.goto(`${server.url}/trade`, { waitUntil: "load" });
    await page.waitForTimeout(1_200);
    await expectFit(page, "/trade", { widths: widthsOfPage() });
    await page.setViewportSize({ width: 390, height: 900 });
    await page.getByRole("button", { name: "Sell", exact: true }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Sign in to trade" }).waitFor();
    expect(await seriousOn(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

async function enterOrder(trade: TradePage): Promise<void> {
  const ticket = trade.ticket();
  await ticket.getByRole("group", { name: "Side" }).getByRole("button", { name: "Sell" }).click();
  await ticket.getByLabel("Price", { exact: true }).fill("4321.09");
  await ticket.getByLabel("Quantity", { exact: true }).fill("0.25");
}

async function expectOrderEntered(trade: TradePage): Promise<void> {
  const { page } = trade;
  await page.waitForURL("**/trade?market=ETH-USD");
  await page.getByText("Live", { exact: true }).waitFor();
  const ticket = trade.ticket();
  const sell = ticket.getByRole("group", { name: "Side" }).getByRole("button", { name: "Sell" });
  await expect.poll(() => sell.getAttribute("aria-pressed")).toBe("true");
  // Long enough for the book to come and for the market's price to be offered.
  await page.getByRole("region", { name: "Order book" }).getByText("Spread").waitFor();
  await page.waitForTimeout(1_000);
  expect(await ticket.getByLabel("Price", { exact: true }).inputValue()).toBe("4,321.09");
  expect(await ticket.getByLabel("Quantity", { exact: true }).inputValue()).toBe("0.25");
  await ticket.getByRole("button", { name: "Sell ETH" }).waitFor();
}

describe("an order that a visitor entered", () => {
  test("is in the ticket after signing up", async () => {
    const { context, page, trade } = await visitor();
    await trade.open("ETH-USD");
    await enterOrder(trade);
    await trade.ticket().getByRole("link", { name: "Create account" }).click();
    await createAccount(page);
    await expectOrderEntered(trade);
    // It is given back once: another page starts empty.
    await page.reload();
    await page.getByText("Live", { exact: true }).waitFor();
    await expect
      .poll(() => trade.ticket().getByLabel("Quantity", { exact: true }).inputValue())
      .toBe("");
    await context.close();
  });

  test("is in the ticket after signing in, by the key that would have sent it", async () => {
    const { context, page, trade } = await visitor();
    const email = await (async () => {
      const other = await browser.newContext();
      const address = await register(other, server.url);
      await other.close();
      return address;
    })();
    await trade.open("ETH-USD");
    await enterOrder(trade);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/login**");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expectOrderEntered(trade);
    await context.close();
  });
});

test("the market that was looked at last is shown where none is named", async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await register(context, server.url);
  const { page } = await openPage(context);
  await new TradePage(page, server.url).open("ETH-USD");
  const pages = page.getByRole("navigation", { name: "Pages" }).first();
  await page.getByText("Live", { exact: true }).waitFor();
  const remembered = () => page.evaluate(() => localStorage.getItem("openbell.trade.market"));
  await expect.poll(remembered).toBe("ETH-USD");
  await pages.getByRole("link", { name: "Dashboard" }).click();
  await page.waitForURL("**/dashboard");
  await pages.getByRole("link", { name: "Trade", exact: true }).click();
  await page.getByRole("heading", { name: "Trade ETH-USD" }).waitFor({ state: "attached" });
  await page.goto(`${server.url}/trade`);
  await page.getByRole("heading", { name: "Trade ETH-USD" }).waitFor({ state: "attached" });
  await context.close();
});

/**
 * The main job: sign up, take practice funds, rest a limit order, fill a market order against the
 * simulated market, and find every number equal to the ledger's, also after a kill and a restart.
 */
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ExchangeEvent } from "#engine/events.ts";
import { type MarketAssets, postingsOf } from "#engine/accounts/postings.ts";
import { verifyJournal } from "#server/inspection/verify-journal.ts";
import { sharedChromium } from "../support/chromium.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import {
  TradePage,
  openPage,
  plainNumber,
  readTable,
  signUp,
  takePracticeFunds,
} from "./people.ts";

interface Balances {
  readonly [coin: string]: { readonly available: string; readonly held: string };
}

let server: RunningServer;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  server = await startServerProcess();
  browser = await sharedChromium();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
});
afterAll(async () => {
  await browser.close();
  await server.remove();
});

async function shownBalances(trade: TradePage): Promise<Balances> {
  await trade.showTab("Balances");
  const rows = await readTable(trade.page, "Balances");
  return Object.fromEntries(
    rows.map((row) => [
      row.Coin,
      { available: plainNumber(row.Available), held: plainNumber(row["In orders"]) },
    ]),
  );
}

test("a person signs up, trades, and sees what the ledger says to the last unit", async () => {
  const { page, complaints } = await openPage(context);
  await signUp(page, server.url);
  await takePracticeFunds(page, server.url);
  await page.getByRole("heading", { name: "Take practice funds (done)" }).waitFor();
  // The curve needs no second minute.
  await page.getByRole("slider", { name: /^Equity in/ }).waitFor();
  const trade = new TradePage(page, server.url);
  await trade.open();

  await trade.limit("Buy", "30000.01", "0.0123");
  await trade.showTab("Open orders");
  await page.getByRole("button", { name: "Cancel buy order in BTC-USD at 30000.01" }).waitFor();
  await trade.market("Buy", "0.0321");
  await trade.showTab("Trades");
  await page.getByRole("tabpanel").getByText("0.00").first().waitFor();
  await trade.market("Sell", "0.0100");
  await trade.showTab("Order history");
  await expect
    .poll(async () => {
      const rows = await readTable(page, "Order history");
      return rows.filter(({ Status }) => Status?.startsWith("Filled")).length;
    })
    .toBe(2);

  const balances = await shownBalances(trade);
  // Tables cut what the coin's digits do not show; the postings below say it exactly.
  expect(balances.USD.held).toBe("369");
  expect(Number(balances.BTC.available)).toBeGreaterThan(0.0219);
  expect(Number(balances.BTC.available)).toBeLessThan(0.0221);

  await page.goto(`${server.url}/portfolio`);
  const holdings = await readTable(page, /^Holdings/);
  const bitcoin = holdings.find((row) => row.Coin.startsWith("BTC"));
  // On narrow screens the same cell also says the average cost.
  expect(plainNumber(/^[\d.,]+/.exec(bitcoin?.Quantity ?? "")?.[0] ?? "")).toBe(
    balances.BTC.available,
  );

  await page.goto(`${server.url}/activity`);
  const feed = page.getByRole("list").filter({ hasText: "BTC" }).first();
  await expect.poll(() => feed.innerText()).toMatch(/0\.0321 BTC/);
  const row = feed.getByRole("button").filter({ hasText: "0.0123 BTC" }).first();
  // The row is there before the page's script, and hears no click until then.
  await expect
    .poll(async () => {
      if ((await row.getAttribute("aria-expanded")) !== "true") await row.click();
      return await row.getAttribute("aria-expanded");
    })
    .toBe("true");
  const postings = await readTable(page, /^Ledger postings/);
  expect(
    postings
      .map((row) => `${row.Balance} ${plainNumber(row.Amount.replace("+", ""))} ${row.Coin}`)
      .sort(),
  ).toEqual(["Available -369.000123 USD", "In orders 369.000123 USD"]);

  // Fills are below their order, each with the way to its explanation.
  await feed.getByRole("button").filter({ hasText: "Buy 0.0321 BTC" }).first().click();
  await page.getByRole("table", { name: /^Fills of/ }).waitFor();
  await page
    .getByRole("link", { name: /^Explain this trade/ })
    .first()
    .click();
  await page.getByText("the ledger recorded exactly that").waitFor();
  expect(await readTable(page, "Postings of this trade")).toHaveLength(3);

  await trade.open();
  expect(await shownBalances(trade)).toEqual(balances);

  const stranger = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const other = await openPage(stranger);
  await signUp(other.page, server.url);
  const otherTrade = new TradePage(other.page, server.url);
  await otherTrade.open();
  await otherTrade.showTab("Open orders");
  await other.page.getByText("No open orders").waitFor();
  await otherTrade.showTab("Balances");
  await other.page.getByText("Your account is empty").waitFor();
  await stranger.close();

  await server.kill();
  await server.restart();
  // The page notices by itself: no reload.
  await page.getByText("Live", { exact: true }).waitFor();
  expect(await shownBalances(trade)).toEqual(balances);
  await trade.open();
  expect(await shownBalances(trade)).toEqual(balances);
  await trade.showTab("Open orders");
  await page.getByRole("button", { name: "Cancel buy order in BTC-USD at 30000.01" }).waitFor();

  await server.kill();
  expect(await ledgerBalances()).toEqual(balances);
  // What a lost connection makes a browser say is not a complaint about the page.
  expect(complaints.filter((text) => !/ERR_CONNECTION_REFUSED|WebSocket/.test(text))).toEqual([]);
});

/** The balances of the first person of the journal, added up from its postings alone, as tables print them. */
async function ledgerBalances(): Promise<Balances> {
  const markets = new Map<number, MarketAssets>();
  const coins = new Map<number, { symbol: string; scale: number; displayDecimals: number }>();
  const sums = new Map<string, bigint>();
  let person: number | undefined;
  const add = (account: number, balance: string, assetId: number, amount: bigint): void => {
    if (account !== person) return;
    const key = `${assetId}/${balance}`;
    sums.set(key, (sums.get(key) ?? 0n) + amount);
  };
  const fold = (event: ExchangeEvent): void => {
    if (event.type === "coinListed") coins.set(event.assetId, event.coin);
    if (event.type === "marketListed") markets.set(event.marketId, event);
    if (event.type === "accountOpened" && event.kind === "person") person ??= event.account;
    for (const posting of postingsOf(event, (id) => markets.get(id) as MarketAssets)) {
      const amount = BigInt(posting.amount);
      add(posting.debitAccount, posting.debitBalance, posting.assetId, -amount);
      add(posting.creditAccount, posting.creditBalance, posting.assetId, amount);
    }
  };
  const report = await verifyJournal({
    dataDir: server.dataDir,
    onEvents: (events) => events.forEach(fold),
  });
  expect(report.faults).toEqual([]);
  const balances: Record<string, { available: string; held: string }> = {};
  for (const [assetId, { symbol, scale, displayDecimals }] of coins) {
    const decimal = (balance: string): string => {
      const units = (sums.get(`${assetId}/${balance}`) ?? 0n).toString().padStart(scale + 1, "0");
      const fraction = units.slice(-scale).slice(0, displayDecimals);
      return plainNumber(`${units.slice(0, -scale)}.${fraction}`);
    };
    const [available, held] = [decimal("available"), decimal("held")];
    if (available !== "0" || held !== "0") balances[symbol] = { available, held };
  }
  return balances;
}

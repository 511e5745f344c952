/** What a page says about its connection while the network between it and the server dies and returns. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type FreezingProxy, startFreezingProxy } from "../support/freezing-proxy.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { TradePage, fund, register, touchUntil } from "./people.ts";

let server: RunningServer;
let network: FreezingProxy;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  server = await startServerProcess();
  network = await startFreezingProxy(server.url);
  browser = await sharedChromium();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await register(context, server.url);
  await fund(context, server.url);
});
// A test that fails in the dark leaves the light on for the next.
afterEach(() => network.thaw());
afterAll(async () => {
  await browser.close();
  await network.close();
  await server.remove();
});

async function openTrade(): Promise<TradePage> {
  const trade = new TradePage(await context.newPage(), network.url);
  await trade.open();
  await state(trade.page, "Live").waitFor();
  return trade;
}

function state(page: Page, name: "Live" | "Connecting" | "No answer" | "Offline") {
  return page.getByRole("banner").getByText(name, { exact: true });
}

test("a page whose socket is open calls itself live only once it was answered", async () => {
  const page = await context.newPage();
  // The handshake is the browser's own: a socket that opens and then says nothing.
  await page.routeWebSocket(/\/sync$/, () => undefined);
  await page.goto(`${network.url}/trade?market=BTC-USD`);
  const main = page.getByRole("main");
  const before = await main.boundingBox();
  await page.getByText("Still connecting.").waitFor();
  expect(await state(page, "Live").count()).toBe(0);
  // A user who is about to press the button presses the same one.
  expect(await main.boundingBox()).toEqual(before);
  await page.close();
});

test("a page is sent what has changed in its answers, on the one connection that it opened", async () => {
  const page = await context.newPage();
  const received: string[] = [];
  let sockets = 0;
  page.on("websocket", (socket) => {
    sockets += 1;
    socket.on("framereceived", ({ payload }) => received.push(String(payload)));
  });
  await new TradePage(page, network.url).open();
  const changes = () => received.filter((frame) => frame.includes(`"QueryChanged"`)).length;
  await expect.poll(changes, { timeout: 30_000 }).toBeGreaterThan(20);
  await state(page, "Live").waitFor();
  // It would open another one if it could not read a change.
  expect(sockets).toBe(1);
  await page.close();
});

test("on a dead network the page says so by itself, looks it, and heals", async () => {
  const trade = await openTrade();
  const { page } = trade;
  network.freeze();
  await state(page, "No answer").waitFor({ timeout: 10_000 });
  await page.getByText("The exchange does not answer.", { exact: false }).first().waitFor();
  for (const region of ["Order book", "Trades", "Price chart", "Balances of this market"]) {
    await page
      .getByRole("region", { name: region, exact: true })
      .getByText(/^\d+ s old$/)
      .waitFor();
  }
  const book = page.getByRole("region", { name: "Order book" }).locator(".live-data");
  expect(await book.evaluate((element) => getComputedStyle(element).filter)).toContain("grayscale");
  const buy = trade.ticket().getByRole("button", { name: "Buy BTC" });
  expect(await buy.isDisabled()).toBe(true);
  network.thaw();
  await state(page, "Live").waitFor();
  expect(await page.getByText(/ s old$/).count()).toBe(0);
  await expect.poll(() => buy.isEnabled()).toBe(true);
  await page.close();
});

test("a browser that loses its network is offline at once", async () => {
  const trade = await openTrade();
  await context.setOffline(true);
  await state(trade.page, "Offline").waitFor();
  await context.setOffline(false);
  await state(trade.page, "Live").waitFor();
  await trade.page.close();
});

test("what a page needs for splitters alone takes nothing away while it cannot be loaded", async () => {
  const { page } = await openTrade();
  const unreachable = /\/favicon\.svg|\/splitter-/;
  let refused = 0;
  await page.route(unreachable, async (route) => {
    refused += 1;
    await route.abort();
  });
  // The first move of the pointer asks for them: four splitters and what shows refusals, each three times. After as
  // many a panel gives up.
  await touchUntil(page, async () => refused > 14);
  expect(await page.getByRole("region", { name: "Order book" }).count()).toBe(1);
  expect(await page.getByText("could not be").count()).toBe(0);
  await page.unroute(unreachable);
  await page.getByRole("separator", { name: "Width of the order book" }).waitFor();
  await page.close();
});

/** Clicks while the page cannot know yet that the network has just died. */
async function buyIntoTheDark(trade: TradePage, price: string): Promise<void> {
  const { page } = trade;
  const ticket = trade.ticket();
  const sent = page
    .getByRole("list", { name: "Orders being sent" })
    .getByText(Number(price).toLocaleString("en-US", { minimumFractionDigits: 2 }));
  for (;;) {
    await ticket.getByLabel("Price", { exact: true }).fill(price);
    await ticket.getByLabel("Quantity", { exact: true }).fill("0.001");
    network.freeze();
    await ticket.getByRole("button", { name: "Buy BTC" }).click();
    const isSent = await sent.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
    if (isSent) return;
    // A busy machine may miss the two seconds for which a click is meant: nothing was sent.
    network.thaw();
    await state(page, "Live").waitFor();
  }
}

test("an order clicked while the network died never trades later, and the ticket says what is known", async () => {
  const trade = await openTrade();
  const { page } = trade;
  await buyIntoTheDark(trade, "30000.01");
  await trade.ticket().getByText("We do not know yet whether it was placed; checking…").waitFor();
  network.thaw();
  await trade.ticket().getByText("nothing was placed or changed").waitFor();
  expect(await trade.ticket().getByText("checking…").count()).toBe(0);
  expect(await page.getByText("30,000.01").count()).toBe(0);
  await page.close();
});

test("nor does one whose page was closed and whose server was killed in the meantime", async () => {
  const trade = await openTrade();
  const { page } = trade;
  await buyIntoTheDark(trade, "30000.02");
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  const closed = page.waitForEvent("close");
  await dialog.accept();
  await closed;
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  network.thaw();
  await server.kill();
  await server.restart();
  const next = await openTrade();
  await next.showTab("Order history");
  await next.page
    .getByRole("tabpanel")
    .getByText(/No orders|nothing/i)
    .first()
    .waitFor();
  expect(await next.page.getByText("30,000.02").count()).toBe(0);
  await next.page.close();
});

test("what was sent is marked until it is answered, and a refusal removes the mark", async () => {
  const trade = await openTrade();
  const { page } = trade;
  const orders = page.getByRole("tabpanel");
  const sent = page.getByRole("list", { name: "Orders being sent" });
  await trade.limit("Buy", "30000.03", "0.001");
  const row = orders.getByRole("row").filter({ hasText: "Limit 30,000.03" });
  await row.waitFor();
  const held = page.getByRole("region", { name: "Balances of this market" });
  const before = await held.innerText();

  await buyIntoTheDark(trade, "30000.04");
  await sent.getByText("BTC-USD: Buy 0.001 BTC · Limit 30,000.04").waitFor();
  await sent.getByText("Sending…").waitFor();
  await row.getByRole("button", { name: /^Cancel buy order/ }).click();
  await row.getByText(/^Cancel(ling…|led as soon as the connection is back\.)$/).waitFor();
  // Nothing is free and nothing is listed before the exchange has said so.
  expect(await held.innerText()).toBe(before);
  expect(await orders.getByRole("row").filter({ hasText: "Limit 30,000.04" }).count()).toBe(0);
  await sent.getByText("No answer yet; checking…").waitFor();
  await row.getByText("Cancelled as soon as the connection is back.").waitFor();

  network.thaw();
  // It arrived too late, and is taken back; the cancellation has no such limit.
  await sent.waitFor({ state: "detached" });
  await trade.ticket().getByText("nothing was placed or changed").waitFor();
  await row.waitFor({ state: "detached" });
  expect(await held.innerText()).not.toBe(before);
  await page.close();
});

/** The chart of the trade page: the viewer's orders and fills on it, its tools, and its depth. */
import type { Browser, BrowserContext, CDPSession, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { isFull, share } from "../support/run-counts.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { overflowOf, seriousOn } from "./axe.ts";
import { callerOf, fund, openPage, register, TradePage } from "./people.ts";

/** A step that takes longer has failed. */
const ANSWER_MS_MAX = 30_000;

const DOUBLE_CLICK_MS = 600;

let server: SharedServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  server = await sharedServer("simulated");
  browser = await sharedChromium();
  context = await browser.newContext({
    bypassCSP: true,
    viewport: { width: 1440, height: 900 },
    hasTouch: true,
  });
  await register(context, server.url);
  ({ page, complaints } = await openPage(context));
  page.setDefaultTimeout(ANSWER_MS_MAX);
  await fund(context, server.url);
  await open();
});
afterAll(() => browser.close());
// The tests share a page, and each leaves it as it was but for a menu that is open.
beforeEach(async ({ onTestFailed }) => {
  onTestFailed(open);
  await call("orders:cancelAll", {});
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press("Escape");
});

const chart = () => page.getByRole("region", { name: "Price chart" });
const candles = () => chart().getByRole("region", { name: /^Candles\./ });
const menu = (name: string) => chart().getByRole("dialog", { name });

async function open(): Promise<void> {
  await page.goto(`${server.url}/trade?market=BTC-USD`);
  await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
  await chart().getByText("Loading the chart").waitFor({ state: "detached" });
  await chart()
    .getByText(/Last price/)
    .waitFor({ state: "attached" });
}

async function lastPrice(): Promise<number> {
  const text = await chart()
    .getByText(/Last price/)
    .textContent();
  return Number(/Last price ([\d,.]+)/.exec(text ?? "")?.[1]?.replaceAll(",", ""));
}

async function openTool(name: string): Promise<Locator> {
  // The indicators' button also counts them.
  await chart()
    .getByRole("button", { name: new RegExp(`^${name}( \\d+)?$`) })
    .click();
  return menu(name);
}

async function call(path: string, args: object): Promise<unknown> {
  return (await callerOf(context, server.url))(path, args);
}

async function place(order: object): Promise<void> {
  await call("orders:place", { market: "BTC-USD", ...order });
}

/** A limit order near enough to the market to be visible, and too far from it to be filled. */
async function placeNearby(): Promise<string> {
  const price = `${Math.round((await lastPrice()) * 0.996)}.00`;
  await place({ side: "buy", type: "limit", price, quantity: "0.01" });
  return price;
}

const line = () => chart().getByRole("slider", { name: /^Buy 0.01 BTC · Limit/ });

async function dragByTouch(touch: CDPSession, what: Locator, down: number): Promise<void> {
  await what.hover();
  const box = await what.boundingBox();
  if (box === null) throw new Error("nothing to drag");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const dispatch = (type: "touchStart" | "touchMove" | "touchEnd", at: number | null) =>
    touch.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: at === null ? [] : [{ x, y: at }],
    });
  await dispatch("touchStart", y);
  await dispatch("touchMove", y + down / 2);
  await dispatch("touchMove", y + down);
  await dispatch("touchEnd", null);
}

test("an order's line is dragged to another price, which is confirmed, and cancelled", async () => {
  const price = await placeNearby();
  await line().waitFor();
  const before = await line().getAttribute("aria-valuetext");
  expect(before?.replaceAll(",", "")).toBe(price);

  await line().hover();
  const box = await line().boundingBox();
  if (box === null) throw new Error("the line is not visible");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.down();
  await page.mouse.move(x, y + 12, { steps: 4 });
  await page.mouse.up();
  await chart()
    .getByRole("button", { name: /^Move Buy 0.01 BTC/ })
    .click();
  await page.getByText("Order changed").first().waitFor();
  await expect.poll(() => line().getAttribute("aria-valuetext")).not.toBe(before);
  const moved = (await line().getAttribute("aria-valuetext")) ?? "";
  expect(Number(moved.replaceAll(",", ""))).toBeLessThan(Number(price));
  await page.getByRole("table", { name: "Open orders" }).getByText(moved).first().waitFor();

  await chart()
    .getByRole("button", { name: /^Cancel Buy 0.01 BTC/ })
    .click();
  await line().waitFor({ state: "detached" });
});

test("a trigger's line is dragged too; a trailing stop's follows the market and is cancelled there", async () => {
  // So far from the trailing stop's that the labels do not cover each other.
  const stop = Math.round((await lastPrice()) * 1.007);
  const triggered = { side: "buy", type: "market", quantity: "0.01" };
  await place({ ...triggered, trigger: { type: "stop", price: `${stop}.00` } });
  await place({ ...triggered, trigger: { type: "trailingStop", trailBps: 30 } });
  const line = (name: RegExp) => chart().getByRole("slider", { name });
  const stopLine = line(/^Buy 0.01 BTC · Stop/);
  await stopLine.press("ArrowUp");
  await stopLine.press("Enter");
  await page.getByText("Order changed").first().waitFor();
  await expect
    .poll(async () => (await stopLine.getAttribute("aria-valuetext"))?.replaceAll(",", ""))
    .toBe(`${stop}.01`);

  const trailing = line(/^Buy 0.01 BTC · Trailing 0.3 %/);
  expect(await trailing.getAttribute("aria-disabled")).toBe("true");
  expect(await trailing.getAttribute("title")).toMatch(/follows the market/);
  await chart()
    .getByRole("button", { name: /^Cancel Buy 0.01 BTC · Trailing/ })
    .click();
  await trailing.waitFor({ state: "detached" });
});

test("both orders of a pair are dragged, and those that wait for their entry order", async () => {
  const last = await lastPrice();
  const at = (share: number) => `${Math.round(last * share)}.00`;
  const size = { quantity: "0.01" };
  const limit = (side: string, price: string) => ({ side, type: "limit", price });
  const stop = (side: string, price: string) => {
    return { side, type: "market", trigger: { type: "stop", price } };
  };
  const lists = [
    ["oco", { ...limit("buy", at(0.996)), ...size }, { ...stop("buy", at(1.004)), ...size }],
    [
      "otoco",
      { ...limit("buy", at(0.994)), ...size },
      limit("sell", at(1.006)),
      stop("sell", at(0.99)),
    ],
  ] as const;
  for (const [kind, ...orders] of lists) {
    await call("orders:placeList", { market: "BTC-USD", kind, orders });
    const names = [/Limit/, /Stop/].map((name) => new RegExp(`^(Buy|Sell) .*${name.source}`));
    for (const name of names) {
      const moving = chart().getByRole("slider", { name }).last();
      await moving.press("ArrowDown");
      const to = await moving.getAttribute("aria-valuetext");
      await moving.press("Enter");
      await expect.poll(() => moving.getAttribute("aria-busy")).toBe(null);
      await page
        .getByRole("table", { name: "Open orders" })
        .getByText(to ?? "none")
        .first()
        .waitFor();
    }
    await call("orders:cancelAll", {});
    await chart().getByRole("slider").first().waitFor({ state: "detached" });
  }
});

test("by keyboard a line moves by ticks, and Escape puts it back", async () => {
  await placeNearby();
  await line().focus();
  const before = await line().getAttribute("aria-valuetext");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  expect(await line().getAttribute("aria-valuetext")).not.toBe(before);
  await page.keyboard.press("Escape");
  expect(await line().getAttribute("aria-valuetext")).toBe(before);
  await page.keyboard.press("PageDown");
  await page.keyboard.press("Enter");
  await page.getByText("Order changed").first().waitFor();
});

test("a refused move puts the line back and says why", async () => {
  const price = await placeNearby();
  await line().waitFor();
  const orders = await openTool("Orders on the chart");
  await orders.getByLabel("Ask before a dragged order is moved").uncheck();
  await orders.getByLabel(/^Price of Buy 0.01 BTC/).fill("1.00");
  // What was typed outlives a connection that is away for a moment.
  await context.setOffline(true);
  await orders.getByText(/^You are offline/).waitFor();
  await context.setOffline(false);
  await orders.getByRole("button", { name: "Move" }).click();
  await orders.getByRole("alert").waitFor();
  await orders.getByLabel("Ask before a dragged order is moved").check();
  await page.keyboard.press("Escape");
  expect((await line().getAttribute("aria-valuetext"))?.replaceAll(",", "")).toBe(price);
});

test("a right click starts an order at its price in the ticket, by keyboard Enter does", async () => {
  const box = await candles().boundingBox();
  if (box === null) throw new Error("no candles");
  await page.mouse.click(box.x + 200, box.y + 200, { button: "right" });
  const orderMenu = menu("Order in BTC-USD at a price");
  const price = (await orderMenu.getByLabel("Price").inputValue()).replace(/\.?0+$/, "");
  await orderMenu.getByRole("button", { name: "Sell limit here" }).click();
  const ticket = new TradePage(page, server.url).ticket();
  expect(await ticket.getByLabel("Price", { exact: true }).inputValue()).toContain(price);
  await ticket.getByRole("button", { name: "Sell BTC" }).waitFor();

  await candles().focus();
  await page.keyboard.press("Enter");
  await orderMenu.getByLabel("Price").fill("99999");
  await orderMenu.getByRole("button", { name: "Buy stop here" }).press("Enter");
  expect(await ticket.getByLabel("Trigger price").inputValue()).toBe("99,999");

  await candles().focus();
  await page.keyboard.press("Enter");
  await orderMenu.getByLabel("Price").fill("30000");
  await orderMenu.getByRole("button", { name: "Buy take profit here" }).click();
  expect(await ticket.getByLabel("Trigger price").inputValue()).toBe("30,000");

  await candles().focus();
  await page.keyboard.press("Enter");
  await orderMenu.getByLabel("Price").fill("99999");
  await orderMenu.getByRole("button", { name: "Alert here" }).click();
  await page.getByText("Alert set").waitFor();
});

test("own fills are marked and told", async () => {
  await place({ side: "buy", type: "market", quantity: "0.02" });
  const fills = chart().getByRole("list", { name: "Your trades on the chart" });
  await fills.getByText(/^Bought 0.02 BTC at /).waitFor({ state: "attached" });
  await chart().getByText("Bought", { exact: true }).waitFor();
});

test("indicators are found, edited, remembered and removed", async () => {
  let indicators = await openTool("Indicators");
  await indicators.getByLabel("Search indicators").fill("relative");
  await indicators.getByLabel("Relative strength index RSI").check();
  await indicators.getByLabel("RSI, Period").fill("21");
  await open();
  indicators = await openTool("Indicators");
  expect(await indicators.getByLabel("RSI, Period").inputValue()).toBe("21");
  await indicators.getByRole("button", { name: "Default parameters of RSI" }).click();
  expect(await indicators.getByLabel("RSI, Period").inputValue()).toBe("14");
  await indicators.getByRole("button", { name: "Remove Relative strength index" }).click();
  expect(await indicators.getByLabel("RSI, Period").count()).toBe(0);
});

test("every indicator, chart type and axis can be drawn", async () => {
  const indicators = await openTool("Indicators");
  await indicators.getByLabel("Search indicators").waitFor();
  const boxes = await indicators
    .getByRole("group", { name: "All indicators" })
    .getByRole("checkbox")
    .all();
  expect(boxes.length).toBeGreaterThanOrEqual(20);
  const drawn = isFull ? boxes : boxes.filter((_, at) => at % 4 === 0);
  for (const box of drawn) await box.check();
  for (const box of drawn.slice(2)) await box.uncheck();
  await page.keyboard.press("Escape");
  const style = await openTool("Chart type and price axis");
  await style.getByRole("button", { name: "Heikin-Ashi" }).waitFor();
  for (const choice of await style.getByRole("button").all()) await choice.click();
  await style.getByRole("button", { name: "Candles", exact: true }).click();
  await style.getByRole("button", { name: "Linear" }).click();
  expect(complaints).toEqual([]);
});

test("a drawing stays with its market and is deleted, alone or with all others", async () => {
  let drawings = await openTool("Drawings");
  await drawings.getByRole("button", { name: "Trend line" }).click();
  await chart().getByText("Trend line: click both ends").waitFor();
  const box = await candles().boundingBox();
  if (box === null) throw new Error("no candles");
  await page.mouse.click(box.x + 200, box.y + 150);
  // Sooner the library takes the next click for the second half of a double click.
  await page.waitForTimeout(DOUBLE_CLICK_MS);
  await page.mouse.move(box.x + 300, box.y + 180);
  await page.mouse.click(box.x + 400, box.y + 200);
  drawings = await openTool("Drawings");
  const list = drawings.getByRole("list", { name: "Drawings on the chart" });
  await list.getByText("Trend line 1").waitFor();
  // By keyboard there is no pointer to draw with: it lies across the chart at once.
  await drawings.getByRole("button", { name: "Horizontal line" }).press("Enter");
  await list.getByLabel("Price of Horizontal line 2").fill("50000");
  await open();
  drawings = await openTool("Drawings");
  expect(await list.getByLabel("Price of Horizontal line 2").inputValue()).toBe("50,000.00");
  await list.getByRole("button", { name: "Delete Trend line 1" }).click();
  await drawings.getByRole("button", { name: "Delete all" }).click();
  expect(await list.count()).toBe(0);
});

test("another market is compared in percent", async () => {
  const compare = await openTool("Compare with another market");
  await compare.getByRole("button", { name: /^ETH-USD/ }).click();
  await chart()
    .getByText(/^ETH-USD [+−]?\d/)
    .waitFor();
  await chart().getByRole("button", { name: "Stop comparing with ETH-USD" }).click();
  await chart()
    .getByText(/^ETH-USD/)
    .waitFor({ state: "detached" });
});

test("the depth is live and read by pointer and keys", async () => {
  await chart().getByRole("button", { name: "Depth", exact: true }).click();
  const depth = chart().getByRole("region", { name: /^Depth\./ });
  await depth.focus();
  await page.keyboard.press("ArrowRight");
  await depth.getByText(/^Asks up to [\d,.]+: [\d,.]+ BTC$/).waitFor({ state: "attached" });
  await page.keyboard.press("ArrowLeft");
  await depth.getByText(/^Bids down to /).waitFor({ state: "attached" });
  await depth.hover({ position: { x: 20, y: 60 } });
  await depth.getByText("Value").waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await chart().getByRole("button", { name: "Price", exact: true }).click();
});

test("the chart fills the window until Escape", async () => {
  await chart().getByRole("button", { name: "Full screen", exact: true }).click();
  await expect.poll(async () => (await chart().boundingBox())?.width).toBe(1440);
  await chart().getByRole("button", { name: "Leave full screen" }).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(async () => ((await chart().boundingBox())?.width ?? 0) < 1000).toBe(true);
});

test("on a phone a long press starts an order, and a line is moved and cancelled", async () => {
  // The window leaves full screen some time after the page has left it.
  await vi.waitFor(() => page.setViewportSize({ width: 390, height: 844 }), 10_000);
  await placeNearby();
  await line().waitFor();
  const touch = await context.newCDPSession(page);
  const move = chart().getByRole("button", { name: /^Move Buy 0.01 BTC/ });
  // A candle that widens the price axis takes the line from under the finger: then again.
  for (let attempt = 1; (await move.count()) === 0; attempt += 1) {
    await dragByTouch(touch, line(), -10);
    await move.waitFor({ timeout: 5_000 }).catch((error: unknown) => {
      if (attempt === 5) throw error;
    });
  }
  await move.tap();
  await page.getByText("Order changed").first().waitFor();
  await chart()
    .getByRole("button", { name: /^Cancel Buy 0.01 BTC/ })
    .tap();
  await line().waitFor({ state: "detached" });

  const area = await candles().boundingBox();
  if (area === null) throw new Error("no candles");
  const point = { x: area.x + 120, y: area.y + 180 };
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [point] });
  const orderMenu = menu("Order in BTC-USD at a price");
  await orderMenu.waitFor();
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  expect(await seriousOn(page)).toEqual([]);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await orderMenu.getByRole("button", { name: "Buy limit here" }).tap();
  const ticket = page.getByRole("dialog", { name: "Trade BTC-USD" });
  await ticket.waitFor();
  await page.keyboard.press("Escape");
  await ticket.waitFor({ state: "detached" });
});

test.each(share([1440, 1024, 768]))(
  "orders, fills and menus are accessible at %i px",
  async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await placeNearby();
    await line().waitFor();
    expect(await seriousOn(page)).toEqual([]);
    for (const name of [
      "Indicators",
      "Drawings",
      "Orders on the chart",
      "Chart type and price axis",
    ]) {
      await openTool(name);
      expect(await seriousOn(page)).toEqual([]);
      await page.keyboard.press("Escape");
    }
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
  },
);

/** Every page and file names an order the same from its placement to its end, and says why it ended. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Order, OrderListResult, PlaceOrderResult } from "#contract/types.ts";
import { sharedChromium } from "../support/chromium.ts";
import { isFull } from "../support/run-counts.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { overflowOf, seriousOn } from "./axe.ts";
import { KINDS, type NamedOrder, nameIn, rowWith } from "./order-kind-table.ts";
import { type Call, callerOf, fund, register } from "./people.ts";

const WIDTHS = isFull ? [1440, 390] : [1440];

let server: SharedServer;
let browser: Browser;
let context: BrowserContext;
let call: Call;
let page: Page;
/** All orders of all kinds with the words for them, as they were placed. */
const placed: { readonly named: NamedOrder; readonly orderId: string }[] = [];

beforeAll(async () => {
  server = await sharedServer("simulated");
  browser = await sharedChromium();
  context = await browser.newContext({ bypassCSP: true });
  await register(context, server.url);
  await fund(context, server.url);
  call = await callerOf(context, server.url);
  for (const { request, orders } of KINDS) {
    for (const [at, { orderId }] of (await place(request)).entries()) {
      const named = orders[at];
      if (named !== undefined) placed.push({ named, orderId });
    }
  }
  page = await context.newPage();
});
afterAll(() => browser.close());

async function place(request: object): Promise<readonly Order[]> {
  const args = { market: "BTC-USD", ...request };
  if (!("orders" in args)) return [((await call("orders:place", args)) as PlaceOrderResult).order];
  return ((await call("orders:placeList", args)) as OrderListResult).orders;
}

async function show(path: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.goto(`${server.url}${path}`);
  await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
}

async function fitsAt(width: number): Promise<void> {
  expect(await seriousOn(page), `at ${width} px`).toEqual([]);
  expect(await overflowOf(page), `at ${width} px`).toBeLessThanOrEqual(0);
}

const DASHBOARD_ROWS = 8;

test.each(WIDTHS)("open orders of every kind on the dashboard at %i px", async (width) => {
  await show("/dashboard", width);
  const table = page.getByRole("table", { name: "Open orders" });
  for (const { named } of placed.slice(-DASHBOARD_ROWS)) {
    const { title, chips = [], wait = "" } = named;
    await rowWith(table, [nameIn(title), ...chips, wait]);
  }
  await fitsAt(width);
});

// The page of each order is loaded, which takes its time: of a share the ones with most words.
const shownAlone = new Set(["iceberg with an end", "trailing stop", "bracket"]);
const alone = KINDS.filter(({ name }) => isFull || shownAlone.has(name));
test.each(alone)("$name on a page of its own", async ({ orders }) => {
  const own = placed.findLast(({ named }) => named === orders.at(-1));
  const { title, wait } = orders.at(-1) ?? orders[0];
  await show(`/orders/${own?.orderId}`, 1440);
  await page.getByRole("heading", { name: title }).waitFor();
  if (wait !== undefined) {
    const said = wait.split(" · ").at(-1) ?? "";
    await page.getByText(said).first().waitFor();
  }
  for (const { title: other, chips = [] } of orders.slice(0, -1)) {
    await rowWith(page.getByRole("main"), [nameIn(other), ...chips], "listitem");
  }
});

test("a bracket whose entry has filled is still one", async () => {
  const list = (await call("orders:placeList", {
    market: "BTC-USD",
    kind: "otoco",
    orders: [
      { side: "buy", type: "market", quantity: "0.001" },
      { side: "sell", type: "limit", price: "99000.00" },
      { side: "sell", type: "market", trigger: { type: "stop", price: "25000.00" } },
    ],
  })) as OrderListResult;
  expect(list.orders[0]?.status).toBe("filled");
  await show("/trade?market=BTC-USD", 1440);
  const table = page.getByRole("table", { name: "Open orders" });
  await rowWith(table, ["Limit 99,000.00", "Bracket"]);
  await rowWith(table, ["Stop 25,000.00 → market", "Bracket", "Waits for the price to fall"]);
});

test.each(WIDTHS)("their ends in the history and the activity at %i px", async (width) => {
  await call("orders:cancelAll", {});
  await show("/trade?market=BTC-USD", width);
  if (width === 390) await page.getByRole("button", { name: "Orders", exact: true }).click();
  await page.getByRole("tab", { name: "Order history" }).click();
  const history = page.getByRole("table", { name: "Order history" });
  const end = /Cancelled by you\.|A linked order traded or ended\./;
  for (const { named } of placed) {
    await rowWith(history, [nameIn(named.title), ...(named.chips ?? []), end]);
  }
  await fitsAt(width);

  await show("/activity?kind=order", width);
  const feed = page.getByRole("main");
  for (const { named } of placed) {
    await rowWith(feed, [named.title, ...(named.chips ?? []), end], "listitem");
  }
  await fitsAt(width);
});

test("their ends in the files", async () => {
  const rows = async (file: string) => {
    const answer = await context.request.get(`${server.url}/api/exports/${file}`);
    return (await answer.text()).split("\r\n");
  };
  const contains = (line: string, texts: readonly string[]) =>
    texts.every((text) => line.includes(text));
  const [orders, activity] = [await rows("orders.csv"), await rows("activity.csv")];
  for (const { named, orderId } of placed) {
    const chips = (named.chips ?? []).map((chip) => chip.trim());
    const end = orders.find((line) => line.split(",")[1] === orderId) ?? "";
    expect(end).toSatisfy((line) => contains(line, [nameIn(named.title), ...chips]));
    expect(end).toMatch(/Cancelled by you\.|A linked order traded or ended\./);
    const event = activity.find((line) => contains(line, [named.title, ...chips])) ?? "";
    expect(event, named.title).toMatch(/Cancelled by you\.|A linked order traded or ended\./);
  }
});

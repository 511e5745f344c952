/** Every kind of order through the ticket, on a wide screen and on a phone, named right until it ends. */
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFailed, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { pairs } from "../support/run-counts.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { overflowOf, seriousOn } from "./axe.ts";
import { endOf, IMMEDIATE, type Kind, KINDS, nameIn, rowWith, WHEN } from "./order-kind-table.ts";
import { plainNumber, register, sendUntilTaken, TradePage } from "./people.ts";

let server: SharedServer;
let browser: Browser;
let context: BrowserContext;
/** The one that is open: each costs processor time for as long as markets move on it. */
let page: Page;
let trade: TradePage;
/** At which it was opened; undefined once a test has failed on it. */
let openedWidth: number | undefined;

beforeAll(async () => {
  server = await sharedServer("simulated");
  browser = await sharedChromium();
  context = await browser.newContext({ bypassCSP: true });
  await register(context, server.url);
  page = await context.newPage();
  trade = new TradePage(page, server.url);
});
afterAll(() => browser.close());

/** Taking an order empties its quantity; on a phone it also closes the sheet. */
async function isCleared(ticket: Locator): Promise<boolean> {
  const quantity = ticket.getByLabel("Quantity", { exact: true });
  // In one step: the sheet may close between two.
  return await quantity.evaluateAll((boxes) =>
    boxes.every((box) => box instanceof HTMLInputElement && box.value === ""),
  );
}

function refusalOf(ticket: Locator): Locator {
  return ticket.getByRole("alert").filter({ hasNotText: "checking…" });
}

async function open(width: number): Promise<void> {
  openedWidth = width;
  await page.setViewportSize({ width, height: width === 390 ? 844 : 1000 });
  await page.goto(`${server.url}/trade?market=BTC-USD`);
  await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
}

test("practice funds are taken from the ticket", async () => {
  await open(1440);
  const take = trade.ticket().getByRole("button", { name: /^Take .* practice funds$/ });
  // Made again where a busy machine missed the time for which it is meant.
  await expect
    .poll(
      async () => {
        if ((await take.count()) > 0 && (await take.isEnabled())) await take.click();
        return await trade.ticket().getByText("Available 0.00 USD").count();
      },
      { timeout: 30_000, interval: 3_000 },
    )
    .toBe(0);
});

/** The kinds of a width follow each other on the page. */
async function openAt(width: number): Promise<void> {
  onTestFailed(() => {
    openedWidth = undefined;
  });
  if (openedWidth !== width) await open(width);
}

/** On a phone the panels are views, of which one is visible. */
async function showView(page: Page, isPhone: boolean, name: "Chart" | "Orders"): Promise<void> {
  if (isPhone) await page.getByRole("button", { name, exact: true }).click();
}

/** Leaves nothing in the ticket of the order before. */
async function makePlain(ticket: Locator): Promise<void> {
  await ticket.getByRole("button", { name: "Limit", exact: true }).click();
  for (const label of ["Post-only", "Iceberg", "TP/SL"]) await ticket.getByLabel(label).uncheck();
  await ticket.getByLabel("Time in force").selectOption("gtc");
  await ticket.getByLabel("Self-trade prevention").selectOption("");
}

async function plainTicket(page: Page, isPhone: boolean): Promise<Locator> {
  if (isPhone) await page.getByRole("button", { name: "Buy", exact: true }).click();
  const ticket = (isPhone ? page.getByRole("dialog") : page)
    .getByRole("region", { name: "Order ticket" })
    .first();
  await makePlain(ticket);
  return ticket;
}

async function placeByTicket(page: Page, isPhone: boolean, kind: Kind): Promise<void> {
  const ticket = await plainTicket(page, isPhone);
  await kind.enter(ticket);
  await ticket.getByLabel("Quantity", { exact: true }).fill("0.01");
  expect(await seriousOn(page)).toEqual([]);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  const { question } = kind;
  const place = async () => {
    await ticket.getByRole("button", { name: "Buy BTC", exact: true }).click();
    if (question === undefined) return;
    const items = page.getByRole("dialog", { name: question }).getByRole("listitem");
    for (const { title, chips = [] } of kind.orders) {
      let item = items.filter({ hasText: title });
      for (const chip of chips) item = item.filter({ hasText: chip });
      await item.waitFor();
    }
    expect(await seriousOn(page)).toEqual([]);
    await page.getByRole("button", { name: "Place", exact: true }).click();
  };
  await sendUntilTaken(place, () => isCleared(ticket), refusalOf(ticket));
  if (isPhone) await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** The orders' names after the changes. */
function titlesAfter(titles: readonly string[], changes: Kind["changes"]): string[] {
  const after = [...titles];
  for (const { at = 0, title, also } of changes) {
    after[at] = title;
    if (also !== undefined) after[also.at] = also.title;
  }
  return after;
}

async function changeByDialogs(
  page: Page,
  table: Locator,
  titles: readonly string[],
  { changes }: Kind,
): Promise<void> {
  for (const [index, { at = 0, label, to, says }] of changes.entries()) {
    const name = nameIn(titlesAfter(titles, changes.slice(0, index))[at] ?? "");
    const row = table.getByRole("row").filter({ hasText: name }).first();
    await row.getByRole("button", { name: /^Change / }).click();
    const dialog = page.getByRole("dialog", { name: "Change order" });
    await dialog.waitFor();
    expect(await seriousOn(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    if (says !== undefined) await dialog.getByText(says).waitFor();
    const box = dialog.getByLabel(label, { exact: true });
    await box.fill(to);
    const isClosed = async () => (await dialog.count()) === 0;
    await sendUntilTaken(() => box.press("Enter"), isClosed, dialog.getByRole("alert"));
    await dialog.waitFor({ state: "detached" });
  }
}

async function moveByChart(page: Page, titles: readonly string[], { moves }: Kind): Promise<void> {
  const chart = page.getByRole("region", { name: "Price chart" });
  await chart.getByRole("button", { name: "Orders on the chart" }).click();
  const menu = chart.getByRole("dialog", { name: "Orders on the chart" });
  for (const title of titles) await menu.getByText(title, { exact: true }).waitFor();
  for (const [index, { at = 0, label, to, title }] of moves.entries()) {
    const name = titlesAfter(titles, moves.slice(0, index))[at] ?? "";
    const box = menu.getByLabel(`${label} of ${name}`);
    await box.fill(to);
    const isMoved = async () => (await menu.getByText(title, { exact: true }).count()) > 0;
    await sendUntilTaken(() => box.press("Enter"), isMoved, menu.getByRole("alert"));
  }
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
}

const PLACED = pairs([1440, 390], KINDS).toSorted(([one], [other]) => other - one);
test.each(PLACED.map(([width, kind]) => ({ width, kind, name: kind.name })))(
  "$name at $width px is placed, seen, changed and cancelled by ticket, table and chart",
  async ({ width, kind }) => {
    await openAt(width);
    const isPhone = width === 390;
    await placeByTicket(page, isPhone, kind);

    await showView(page, isPhone, "Orders");
    await page.getByRole("tab", { name: /^Open orders/ }).click();
    const table = page.getByRole("table", { name: "Open orders" });
    for (const { title, chips = [], wait = "" } of kind.orders) {
      await rowWith(table, [nameIn(title), ...chips, wait]);
    }
    const placed = kind.orders.map(({ title }) => title);
    const areShown = async (titles: readonly string[]) => {
      for (const [at, { chips = [] }] of kind.orders.entries()) {
        await rowWith(table, [nameIn(titles[at] ?? ""), ...chips]);
      }
    };
    await changeByDialogs(page, table, placed, kind);
    const changed = titlesAfter(placed, kind.changes);
    await areShown(changed);

    await showView(page, isPhone, "Chart");
    await moveByChart(page, changed, kind);
    await showView(page, isPhone, "Orders");
    const moved = titlesAfter(changed, kind.moves);
    await areShown(moved);

    await page
      .getByRole("button", { name: /^Cancel buy order in BTC-USD/ })
      .first()
      .click();
    await page.getByText("No open orders").waitFor();
    await page.getByRole("tab", { name: "Order history" }).click();
    const history = page.getByRole("table", { name: "Order history" });
    for (const [at, { chips = [] }] of kind.orders.entries()) {
      await rowWith(history, [nameIn(moved[at] ?? ""), ...chips, endOf(kind)]);
    }
  },
);

const ENDED_AT_ONCE = pairs([390, 1440], IMMEDIATE).toSorted(([one], [other]) => one - other);
test.each(ENDED_AT_ONCE.map(([width, kind]) => ({ width, ...kind })))(
  "$name at $width px ends at once and says why",
  async ({ width, enter, shown, refused }) => {
    await openAt(width);
    const isPhone = width === 390;
    const ticket = await plainTicket(page, isPhone);
    await enter(ticket);
    const send = () => ticket.getByRole("button", { name: "Buy BTC", exact: true }).click();
    if (refused !== undefined) {
      await sendUntilTaken(
        send,
        async () => (await ticket.getByText(refused).count()) > 0,
        refusalOf(ticket),
      );
      await page.keyboard.press("Escape");
      return;
    }
    await sendUntilTaken(send, () => isCleared(ticket), refusalOf(ticket));
    if (isPhone) await page.getByRole("dialog").waitFor({ state: "detached" });
    await showView(page, isPhone, "Orders");
    await page.getByRole("tab", { name: "Order history" }).click();
    await rowWith(page.getByRole("table", { name: "Order history" }), shown);
  },
);

test("a refused change is explained beside the entries, which stay", async () => {
  await open(1440);
  await trade.limit("Buy", "30000", "0.01");
  const table = page.getByRole("table", { name: "Open orders" });
  await page.getByRole("button", { name: "Change buy order in BTC-USD at 30000.00" }).click();
  const dialog = page.getByRole("dialog", { name: "Change order" });
  const quantity = dialog.getByLabel("Quantity", { exact: true });
  await quantity.fill("0.00001");
  await dialog.getByText("Quantity must be a multiple of").waitFor();
  await quantity.fill("4");
  await dialog.getByText("end of the queue").waitFor();
  await quantity.press("Enter");
  await dialog.getByRole("alert").getByText("You do not have enough USD").waitFor();
  expect(await quantity.inputValue()).toBe("4");
  await quantity.fill("0.009");
  await dialog.getByText("keeps its place in the queue").waitFor();
  const isClosed = async () => (await dialog.count()) === 0;
  await sendUntilTaken(() => quantity.press("Enter"), isClosed, dialog.getByRole("alert"));
  await table.getByText("0.0090").waitFor();
  await page.getByRole("button", { name: /^Cancel buy order/ }).click();
  await page.getByText("No open orders").waitFor();
});

test("a price keeps its grouping and its caret while it is typed", async () => {
  await open(1440);
  const price = trade.ticket().getByLabel("Trigger price", { exact: true });
  await trade.ticket().getByLabel(WHEN, { exact: true }).selectOption("stop");
  await price.pressSequentially("1234567,5");
  expect(await price.inputValue()).toBe("1,234,567.5");
  for (let step = 0; step < 5; step += 1) await price.press("ArrowLeft");
  await price.press("Backspace");
  await price.pressSequentially("98");
  expect(await price.inputValue()).toBe("12,398,567.5");
});

test("the orders of one side are cancelled after a question that counts them", async () => {
  await open(1440);
  const table = page.getByRole("table", { name: "Open orders" });
  await trade.limit("Buy", "30000", "0.01");
  await trade.limit("Buy", "30001", "0.01");
  await trade.market("Buy", "0.02");
  await trade.limit("Sell", "90000", "0.01");
  await table.getByText("Limit 90,000.00").waitFor();
  await page.getByRole("button", { name: "Cancel by side or market" }).click();
  expect(await seriousOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Cancel buy orders 2" }).click();
  const question = page.getByRole("dialog", { name: "Cancel 2 buy orders?" });
  await question.getByText("Every open buy order in all markets ends").waitFor();
  await question.getByRole("button", { name: "Cancel 2 buy orders" }).click();
  await table.getByText("Limit 30,000.00").waitFor({ state: "detached" });
  await table.getByText("Limit 90,000.00").waitFor();
  await page.getByRole("button", { name: "Cancel all", exact: true }).click();
  await page
    .getByRole("dialog", { name: "Cancel 1 order?" })
    .getByRole("button", { name: "Cancel 1 order" })
    .click();
  await page.getByText("No open orders").waitFor();
});

test("a kind of order that was unticked is sent at once, until the settings ask again", async () => {
  await open(1440);
  const ticket = trade.ticket();
  const enter = async () => {
    await ticket.getByLabel(WHEN, { exact: true }).selectOption("stop");
    await ticket.getByLabel("Trigger price", { exact: true }).fill("90000");
    await ticket.getByLabel("Quantity", { exact: true }).fill("0.01");
  };
  const send = (press: () => Promise<void>) =>
    sendUntilTaken(press, () => isCleared(ticket), refusalOf(ticket));
  const asked = page.getByRole("dialog", { name: "Place this order?" });
  const rows = page.getByRole("table", { name: "Open orders" }).getByText("Stop 90,000.00");
  await enter();
  await trade.click("Buy");
  await asked.getByLabel("Ask before stop, take-profit and trailing orders").uncheck();
  const place = asked.getByRole("button", { name: "Place", exact: true });
  await send(async () =>
    (await place.count()) > 0 ? await place.click() : await trade.click("Buy"),
  );
  await rows.first().waitFor();
  await enter();
  await send(() => trade.click("Buy"));
  await expect.poll(() => rows.count()).toBe(2);
  const settings = await context.newPage();
  await settings.goto(`${server.url}/settings`);
  const box = settings.getByLabel("Stop, take-profit and trailing orders");
  await expect.poll(() => box.isChecked()).toBe(false);
  await box.check();
  await settings.close();
  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
  await enter();
  await trade.click("Buy");
  await asked.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Cancel all", exact: true }).click();
  await page.getByRole("button", { name: "Cancel 2 orders" }).click();
  await page.getByText("No open orders").waitFor();
});

test("arrow keys step price and quantity", async () => {
  await open(1440);
  const ticket = trade.ticket();
  await trade.enterLimit("Buy", "30000", "0.0001");
  const quantity = ticket.getByLabel("Quantity", { exact: true });
  await quantity.press("ArrowUp");
  expect(await quantity.inputValue()).toBe("0.0002");
  await quantity.press("Shift+ArrowUp");
  expect(await quantity.inputValue()).toBe("0.0012");
  const price = ticket.getByLabel("Price", { exact: true });
  await price.press("ArrowDown");
  expect(await price.inputValue()).toBe("29,999.99");
});

test("a price far on the wrong side of the market is asked about first", async () => {
  await open(1440);
  const asked = JSON.stringify({ deviation: "1" });
  await page.evaluate((text) => localStorage.setItem("openbell.trade.confirmations", text), asked);
  await page.reload();
  const ticket = trade.ticket();
  await ticket.getByRole("button", { name: "Use the ask price" }).click();
  const shown = await ticket.getByLabel("Price", { exact: true }).inputValue();
  const ask = Number(plainNumber(shown));
  await ticket.getByLabel("Price", { exact: true }).fill((ask * 1.03).toFixed(2));
  await ticket.getByLabel("Quantity", { exact: true }).fill("0.001");
  await ticket.getByText(/% above the market$/).waitFor();
  await ticket.getByRole("button", { name: "Buy BTC", exact: true }).click();
  const question = page.getByRole("dialog", { name: /above the market\?$/ });
  await question.waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await question.getByRole("button", { name: "Back" }).click();
  expect(await ticket.getByLabel("Quantity", { exact: true }).inputValue()).toBe("0.001");
});

/** Every kind of order through the ticket, on a wide screen and on a phone, named right until it ends. */
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { pairs } from "../support/run-counts.ts";
import { type SharedServer, sharedServer } from "../support/running-server.ts";
import { overflowOf, seriousOn } from "./axe.ts";
import { plainNumber, register, sendUntilTaken, TradePage } from "./people.ts";

let server: SharedServer;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  server = await sharedServer("simulated");
  browser = await sharedChromium();
  context = await browser.newContext({ bypassCSP: true });
  await register(context, server.url);
});
afterAll(() => browser.close());

interface Kind {
  readonly name: string;
  readonly side: "Buy" | "Sell";
  /** The question before it is sent; undefined if it is sent at once. */
  readonly question?: string;
  /** Enters everything but side and quantity. */
  readonly enter: (ticket: Locator) => Promise<void>;
  /** What the open orders say of it. */
  readonly shown: readonly string[];
  /** A change of the newest order, and what the open orders say then; null if it cannot change. */
  readonly change: { readonly label: string; readonly to: string; readonly shown: string } | null;
}

const fill = (label: string, text: string) => async (ticket: Locator) =>
  ticket.getByLabel(label, { exact: true }).fill(text);
const choose = (label: string, value: string) => async (ticket: Locator) => {
  await ticket.getByLabel(label, { exact: true }).selectOption(value);
};
const check = (label: string) => async (ticket: Locator) => ticket.getByLabel(label).check();
const press = (name: string) => async (ticket: Locator) =>
  ticket.getByRole("button", { name, exact: true }).click();
const all =
  (...steps: readonly ((ticket: Locator) => Promise<void>)[]) =>
  async (ticket: Locator) => {
    for (const step of steps) await step(ticket);
  };

const WHEN = "More order types";
const KINDS: readonly Kind[] = [
  {
    name: "stop",
    side: "Buy",
    question: "Place this order?",
    enter: all(choose(WHEN, "stop"), fill("Trigger price", "90000")),
    shown: ["Stop 90,000.00 → market", "Waits for the price to rise to 90,000.00."],
    change: { label: "Trigger price", to: "91000", shown: "Stop 91,000.00 → market" },
  },
  {
    name: "stop-limit",
    side: "Buy",
    question: "Place this order?",
    enter: all(
      choose(WHEN, "stop"),
      fill("Trigger price", "90000"),
      press("Then at a limit"),
      fill("Limit price", "90100"),
    ),
    shown: ["Stop 90,000.00 → limit 90,100.00", "Stop-limit"],
    change: { label: "Limit price", to: "90200", shown: "Stop 90,000.00 → limit 90,200.00" },
  },
  {
    name: "take profit",
    side: "Buy",
    question: "Place this order?",
    enter: all(choose(WHEN, "takeProfit"), fill("Trigger price", "30000")),
    shown: ["Take profit 30,000.00 → market", "Waits for the price to fall to 30,000.00."],
    change: { label: "Quantity", to: "0.02", shown: "0.0200" },
  },
  {
    name: "trailing stop",
    side: "Buy",
    question: "Place this order?",
    enter: all(choose(WHEN, "trailingStop"), fill("Distance", "25")),
    shown: ["Trailing 25 % → market", "Waits for the price to rise 25 % from its lowest."],
    change: { label: "Distance", to: "30", shown: "Trailing 30 % → market" },
  },
  {
    name: "iceberg with an end",
    side: "Buy",
    enter: all(
      press("Limit"),
      fill("Price", "30000"),
      check("Iceberg"),
      fill("Visible quantity", "0.002"),
      choose("Time in force", "gtd"),
    ),
    shown: ["Limit 30,000.00", "Iceberg 0.002", "GTD "],
    change: { label: "Price", to: "30001", shown: "Limit 30,001.00" },
  },
  {
    name: "post-only",
    side: "Buy",
    enter: all(press("Limit"), fill("Price", "30000"), check("Post-only")),
    shown: ["Limit 30,000.00", "Post-only"],
    change: { label: "Price", to: "30002", shown: "Limit 30,002.00" },
  },
  {
    name: "OCO",
    side: "Buy",
    question: "Place these 2 orders?",
    enter: all(choose(WHEN, "oco"), fill("Stop price", "90000"), fill("Limit price", "30000")),
    shown: ["Stop 90,000.00 → market", "Limit 30,000.00", "OCO"],
    change: null,
  },
  {
    name: "bracket",
    side: "Buy",
    question: "Place these 3 orders?",
    enter: all(
      press("Limit"),
      fill("Price", "30000"),
      check("TP/SL"),
      fill("Take-profit", "40000"),
      fill("Stop-loss", "25000"),
    ),
    shown: ["Limit 30,000.00", "Limit 40,000.00", "Stop 25,000.00 → market", "Bracket"],
    // Of the order that trades first; those that wait for it follow.
    change: { label: "Quantity", to: "0.02", shown: "0.0200" },
  },
];

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

async function open(width: number): Promise<{ page: Page; trade: TradePage }> {
  const page = await context.newPage();
  await page.setViewportSize({ width, height: width === 390 ? 844 : 1000 });
  const trade = new TradePage(page, server.url);
  await page.goto(`${server.url}/trade?market=BTC-USD`);
  await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
  return { page, trade };
}

test("practice funds are taken from the ticket", async () => {
  const { page, trade } = await open(1440);
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
  await page.close();
});

test.each(pairs([1440, 390], KINDS).map(([width, kind]) => ({ width, kind, name: kind.name })))(
  "$name at $width px is placed, changed and cancelled",
  async ({ width, kind: { side, question, enter, shown, change } }) => {
    const { page } = await open(width);
    const isPhone = width === 390;
    if (isPhone) await page.getByRole("button", { name: side, exact: true }).click();
    const ticket = (isPhone ? page.getByRole("dialog") : page)
      .getByRole("region", { name: "Order ticket" })
      .first();
    await ticket.getByRole("group", { name: "Side" }).getByRole("button", { name: side }).click();
    await enter(ticket);
    await ticket.getByLabel("Quantity", { exact: true }).fill("0.01");
    expect(await seriousOn(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    const send = ticket.getByRole("button", { name: `${side} BTC`, exact: true });
    const empty = page.getByText("No open orders");
    const place = async () => {
      await send.click();
      if (question === undefined) return;
      const asked = page.getByRole("dialog", { name: question });
      await asked
        .getByText(/^Buy 0\.01 BTC/)
        .first()
        .waitFor();
      expect(await seriousOn(page)).toEqual([]);
      await asked.getByRole("button", { name: "Place", exact: true }).click();
    };
    await sendUntilTaken(place, () => isCleared(ticket), refusalOf(ticket));
    if (isPhone) {
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Orders", exact: true }).click();
    }
    const table = page.getByRole("table", { name: "Open orders" });
    for (const text of shown) await table.getByText(text).first().waitFor();
    await page
      .getByRole("button", { name: /^Change buy order in BTC-USD/ })
      .first()
      .click();
    const dialog = page.getByRole("dialog", { name: "Change order" });
    await dialog.waitFor();
    expect(await seriousOn(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    if (change === null) {
      await dialog.getByText("Linked orders depend on each other").waitFor();
      await page.keyboard.press("Escape");
    } else {
      const box = dialog.getByLabel(change.label, { exact: true });
      await box.fill(change.to);
      const isClosed = async () => (await dialog.count()) === 0;
      await sendUntilTaken(() => box.press("Enter"), isClosed, dialog.getByRole("alert"));
      await table.getByText(change.shown, { exact: true }).first().waitFor();
    }
    await dialog.waitFor({ state: "detached" });
    await page
      .getByRole("button", { name: /^Cancel (?:buy|sell) order in BTC-USD/ })
      .first()
      .click();
    await empty.waitFor();
    await page.getByRole("tab", { name: "Order history" }).click();
    const history = page.getByRole("table", { name: "Order history" });
    await history.getByText("Cancelled by you.").first().waitFor();
    await page.close();
  },
);

test("a refused change is explained beside the entries, which stay", async () => {
  const { page, trade } = await open(1440);
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
  await page.close();
});

test("a price keeps its grouping and its caret while it is typed", async () => {
  const { page, trade } = await open(1440);
  const price = trade.ticket().getByLabel("Trigger price", { exact: true });
  await trade.ticket().getByLabel(WHEN, { exact: true }).selectOption("stop");
  await price.pressSequentially("1234567,5");
  expect(await price.inputValue()).toBe("1,234,567.5");
  for (let step = 0; step < 5; step += 1) await price.press("ArrowLeft");
  await price.press("Backspace");
  await price.pressSequentially("98");
  expect(await price.inputValue()).toBe("12,398,567.5");
  await page.close();
});

test("the orders of one side are cancelled after a question that counts them", async () => {
  const { page, trade } = await open(1440);
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
  await page.close();
});

test("a kind of order that was unticked is sent at once, until the settings ask again", async () => {
  const { page, trade } = await open(1440);
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
  await page.close();
});

test("arrow keys step price and quantity", async () => {
  const { page, trade } = await open(1440);
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
  await page.close();
});

test("a price far on the wrong side of the market is asked about first", async () => {
  const { page, trade } = await open(1440);
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
  await page.close();
});

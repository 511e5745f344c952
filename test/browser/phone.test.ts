/** The trading screen on a phone: a window of 390 by 844 pixels and fingers instead of a mouse. */
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { faultsForFingers } from "./finger.ts";
import { callerOf, register } from "./people.ts";

let server: SharedServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  server = await sharedServer("simulated");
  browser = await sharedChromium();
  context = await browser.newContext({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 844 },
  });
  await register(context, server.url);
  await placeOrders();
  page = await context.newPage();
});
beforeEach(async () => {
  await page.goto(`${server.url}/trade?market=BTC-USD`);
  await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
  await candlesInView();
});
afterAll(() => browser.close());

/** A trade, and more open orders than a menu has room for. */
async function placeOrders(): Promise<void> {
  const call = await callerOf(context, server.url);
  await call("accounts:takePracticeFunds", {});
  const market = "BTC-USD";
  await call("orders:place", { market, type: "market", side: "buy", quoteAmount: "2000" });
  const buy = { market, type: "limit", side: "buy", quantity: "0.001" };
  for (let price = 20_000; price < 20_010; price += 1) {
    await call("orders:place", { ...buy, price: `${price}.00` });
  }
}

const chart = () => page.getByRole("region", { name: "Price chart" });
const views = () => page.getByRole("group", { name: "View" }).getByRole("button");

async function show(view: "Chart" | "Book" | "Trades" | "Orders"): Promise<void> {
  await views()
    .and(page.getByText(view, { exact: true }))
    .tap();
}

/** The sentence for screen readers that says which candles are in view. */
async function candlesInView(): Promise<string> {
  return await chart()
    .getByText(/candles of .* from .* to /)
    .innerText();
}

/** Presses what opens a layer, looks at the layer, and closes it again. */
async function lookInto(opener: Locator, look: () => Promise<void>): Promise<void> {
  await opener.tap();
  const layer = page
    .locator(":popover-open, [data-state=open]:is([role=dialog], [role=menu])")
    .last();
  await layer.waitFor();
  // Its content is loaded when it is opened.
  await layer.locator("button, input, a, select, p, [role=menuitem]").first().waitFor();
  await look();
  await page.keyboard.press("Escape");
  await layer.waitFor({ state: "hidden" });
  const isFocused = () => opener.evaluate((element) => element === document.activeElement);
  await expect.poll(isFocused).toBe(true);
}

/** What was found in all states of the page, each once. */
function collectFaults() {
  const found = new Map<string, string>();
  return {
    found,
    look: async (where: string): Promise<void> => {
      for (const fault of await faultsForFingers(page)) {
        if (!found.has(fault)) found.set(fault, where);
      }
    },
  };
}

test("every control of every panel and menu can be pressed with a finger", async () => {
  const { found, look } = collectFaults();
  for (const view of ["Chart", "Book", "Trades", "Orders"] as const) {
    await show(view);
    const tabs = await page.getByRole("tablist").first().getByRole("tab").all();
    for (const tab of view === "Orders" ? tabs : [null]) {
      await tab?.tap();
      const what = `${view} ${(await tab?.innerText()) ?? ""}`;
      await look(what);
      const panel = view === "Chart" ? page.locator("body") : page.locator("main");
      const openers = panel.locator("button[aria-haspopup]:visible");
      for (let index = 0; index < (await openers.count()); index += 1) {
        const opener = openers.nth(index);
        const name = await opener.evaluate((button) => button.ariaLabel ?? button.textContent);
        await lookInto(opener, () => look(`${what}: ${name}`));
      }
    }
  }
  expect(Object.fromEntries(found)).toEqual({});
});

test("every control of the ticket can be pressed with a finger", async () => {
  const { found, look } = collectFaults();
  const ticket = page.getByRole("dialog", { name: "Trade BTC-USD" });
  const kinds = ticket.getByLabel("More order types", { exact: true });
  await page.locator("[data-order-bar] button").first().tap();
  for (const name of ["Market", "Limit"]) {
    await ticket.getByRole("button", { name, exact: true }).tap();
    await look(name);
  }
  await ticket.getByLabel("TP/SL").check();
  await ticket.getByLabel("Iceberg").check();
  await ticket.getByLabel("Time in force", { exact: true }).selectOption("gtd");
  await look("all that a limit order can have");
  const values = await kinds
    .locator("option")
    .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
  for (const value of values) {
    await kinds.selectOption(value);
    await look(value);
  }
  expect(Object.fromEntries(found)).toEqual({});
  await ticket.getByRole("button", { name: "Close" }).tap();
  await ticket.waitFor({ state: "detached" });
});

test("the chart still shows the newest candles after another panel", async () => {
  const before = await candlesInView();
  for (const view of ["Orders", "Chart", "Book", "Chart"] as const) await show(view);
  // The range is reported a moment after each change.
  await page.waitForTimeout(800);
  const start = (sentence: string) => / from .* to /.exec(sentence)?.[0];
  expect(start(await candlesInView())).toBe(start(before));
});

test("the chart in full screen covers the bars of the page", async () => {
  await chart().getByRole("button", { name: "Full screen", exact: true }).tap();
  const bottom = () =>
    page.evaluate(() => {
      const pressed = document.elementFromPoint(innerWidth / 2, innerHeight - 4);
      return pressed?.closest("section[aria-label='Price chart']") !== null;
    });
  await expect.poll(bottom).toBe(true);
  await chart().getByRole("button", { name: "Leave full screen" }).tap();
  await expect.poll(bottom).toBe(false);
});

test("a finger reads the depth", async () => {
  await chart().getByRole("button", { name: "Depth", exact: true }).tap();
  const depth = chart().getByRole("region", { name: /^Depth/ });
  await depth.waitFor();
  await depth.tap({ position: { x: 60, y: 200 } });
  // The finger is away by then.
  await page.waitForTimeout(300);
  expect(await depth.getByText("Value").count()).toBe(1);
  await chart().getByRole("button", { name: "Price", exact: true }).tap();
});

test("the palette offers no layout, which a phone does not have", async () => {
  const opener = page.getByRole("button", { name: "Search pages and actions" });
  await lookInto(opener, async () => {
    await page.getByRole("option", { name: "Interval: 1 hour" }).waitFor();
    expect(await page.getByRole("option", { name: /layout|panel sizes/i }).count()).toBe(0);
    expect(await faultsForFingers(page)).toEqual([]);
  });
});

test("a trader who comes back from an order finds the list they left", async () => {
  await show("Orders");
  await page.getByRole("tab", { name: "Order history" }).tap();
  await page.getByRole("tabpanel").getByRole("link", { name: "Market" }).tap();
  await page.waitForURL("**/orders/*");
  await page.goBack();
  const tab = page.getByRole("tab", { name: "Order history", selected: true });
  await expect.poll(() => tab.isVisible()).toBe(true);
});

test("the market list opens without the screen keyboard", async () => {
  await lookInto(page.getByRole("button", { name: /choose another market/ }), async () => {
    await page.getByRole("button", { name: "ETH-USD is a favourite" }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("INPUT");
  });
});

test("a quantity beyond the maximum is not the maximum, and no filter is taken off that is not set", async () => {
  await page.locator("[data-order-bar] button").first().tap();
  const ticket = page.getByRole("dialog", { name: "Trade BTC-USD" });
  await ticket.getByLabel("Quantity", { exact: true }).fill("1000");
  const share = ticket.getByRole("slider", { name: "Share of the maximum" });
  await expect.poll(() => share.getAttribute("aria-valuetext")).toMatch(/^\d{4,}%/);
  const maximum = ticket.getByRole("button", { name: "Max" });
  expect(await maximum.getAttribute("aria-pressed")).toBe("false");
  await ticket.getByRole("button", { name: "Close" }).tap();

  await show("Orders");
  await page.getByRole("tab", { name: /^Open orders/ }).tap();
  const showAll = page.getByRole("button", { name: "Show everything" });
  await lookInto(page.getByRole("button", { name: "Filter" }), async () => {
    expect(await showAll.isDisabled()).toBe(true);
    await page.getByRole("combobox", { name: "Side" }).selectOption("buy");
    expect(await showAll.isEnabled()).toBe(true);
  });
});

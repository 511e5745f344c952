/** Trading by keys alone: the order of the focus, that it is visible, what Escape does, and where it returns. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { type Call, newTrader, openLive, sendUntilTaken } from "./people.ts";

let server: SharedServer;
let browser: Browser;
let page: Page;
let call: Call;

beforeAll(async () => {
  server = await sharedServer("simulated");
  browser = await sharedChromium();
  ({ page, call } = await newTrader(browser, server.url));
  await openLive(page, `${server.url}/trade?market=BTC-USD`);
});
afterAll(() => browser.close());
beforeEach(async () => {
  await call("orders:cancelAll", {});
  await page.getByText("No open orders").waitFor();
});

const ticket = () => page.getByRole("region", { name: "Order ticket" });
const table = () => page.getByRole("table", { name: "Open orders" });

/** What has the focus, by its accessible name; the focus must be visible, by an outline or a border. */
async function focused(): Promise<string> {
  return await page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return "nothing";
    const around = [element, element.parentElement, element.parentElement?.parentElement];
    const isVisible = around.some((each) => {
      if (each === null || each === undefined) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(each);
      return outlineStyle !== "none" && outlineWidth !== "0px";
    });
    const { labels } = element as HTMLInputElement;
    const name =
      element.getAttribute("aria-label") ?? labels?.[0]?.textContent ?? element.textContent ?? "";
    return isVisible ? name.trim() : `${name.trim()} (invisible)`;
  });
}

async function tabThrough(count: number, key = "Tab"): Promise<string[]> {
  const names: string[] = [];
  for (let step = 0; step < count; step += 1) {
    await page.keyboard.press(key);
    names.push(await focused());
  }
  return names;
}

async function hasFocus(locator: Locator): Promise<boolean> {
  return await locator.evaluate((element) => element.contains(document.activeElement));
}

test("the ticket is gone through in its order, and Escape clears it", async () => {
  await ticket().getByLabel("More order types").selectOption("stop");
  await ticket().getByLabel("Trigger price").waitFor();
  await ticket().getByRole("group", { name: "Side" }).getByRole("button", { name: "Buy" }).focus();
  const names = await tabThrough(18);
  const order = [
    "Sell",
    "Limit",
    "Market",
    "More order types",
    "Trigger price",
    "Then at the market",
    "Then at a limit",
    "Quantity",
    "Total",
    "Self-trade prevention",
    "Buy BTC",
  ];
  expect(names.filter((name) => name.endsWith("(invisible)"))).toEqual([]);
  expect(names.filter((name) => order.includes(name))).toEqual(order);

  const quantity = ticket().getByLabel("Quantity", { exact: true });
  await quantity.fill("0.01");
  await quantity.press("Escape");
  expect(await quantity.inputValue()).toBe("");
  expect(await hasFocus(quantity)).toBe(true);
});

test("an order is asked about, sent, changed and cancelled by keys, and the focus returns", async () => {
  await ticket().getByLabel("More order types").selectOption("stop");
  await ticket().getByLabel("Trigger price").fill("90000");
  const quantity = ticket().getByLabel("Quantity", { exact: true });
  await quantity.fill("0.01");
  await quantity.press("Enter");
  const question = page.getByRole("dialog", { name: "Place this order?" });
  await question.waitFor();
  // The focus stays in the dialog, however often it goes round.
  for (const key of ["Tab", "Shift+Tab"]) {
    for (let step = 0; step < 6; step += 1) {
      await page.keyboard.press(key);
      expect(await hasFocus(question)).toBe(true);
      expect(await focused()).not.toMatch(/invisible|nothing/);
    }
  }
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  // The focus follows the dialog's end.
  await expect.poll(() => hasFocus(quantity)).toBe(true);
  const place = async () => {
    await quantity.press("Enter");
    await question.getByRole("button", { name: "Place", exact: true }).press("Enter");
  };
  const isCleared = async () => (await quantity.inputValue()) === "";
  const refusal = ticket().getByRole("alert").filter({ hasNotText: "checking…" });
  await sendUntilTaken(place, isCleared, refusal);
  await table().getByText("Stop 90,000.00 → market").waitFor();

  const change = page.getByRole("button", { name: /^Change buy order in BTC-USD/ });
  await change.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Change order" });
  await dialog.waitFor();
  expect(await hasFocus(dialog)).toBe(true);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await hasFocus(change)).toBe(true);

  // The next stop of the focus cancels.
  await page.keyboard.press("Tab");
  expect(await focused()).toMatch(/^Cancel buy order in BTC-USD/);
  await page.keyboard.press("Enter");
  await page.getByText("No open orders").waitFor();
  // Its row is gone: the focus is on the panel that had it.
  expect(await hasFocus(page.getByRole("tabpanel", { name: /^Open orders/ }))).toBe(true);
});

test("rows are sorted by keys, and a cancelled one leaves the focus to the next", async () => {
  for (const price of ["30000", "30001", "30002"]) {
    const order = { market: "BTC-USD", side: "buy", type: "limit", price, quantity: "0.01" };
    await call("orders:place", order);
  }
  await table().getByText("Limit 30,002.00").waitFor();
  const head = table().getByRole("columnheader", { name: "Order" });
  await head.getByRole("button").press("Enter");
  await expect.poll(() => head.getAttribute("aria-sort")).not.toBe(null);
  const names = async () => (await table().getByRole("link").allInnerTexts()).map(String);
  const before = await names();
  await head.getByRole("button").press("Enter");
  await expect.poll(names).toEqual(before.toReversed());

  await page
    .getByRole("button", { name: /^Cancel buy order/ })
    .nth(1)
    .focus();
  await page.keyboard.press("Enter");
  await table().getByText("Limit 30,001.00").waitFor({ state: "detached" });
  // On the next row, not on its button: a key that is still held must not cancel that order as well.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("TR");
  await page.keyboard.press("Enter");
  expect(await page.getByRole("button", { name: /^Cancel buy order/ }).count()).toBeGreaterThan(0);
});

test("the chart's menu is opened, gone through and left by keys", async () => {
  const candles = page.getByRole("region", { name: /^Candles\./ });
  await page
    .getByText(/Last price/)
    .first()
    .waitFor({ state: "attached" });
  await candles.focus();
  expect(await focused()).not.toMatch(/invisible/);
  await page.keyboard.press("Enter");
  const menu = page.getByRole("dialog", { name: "Order in BTC-USD at a price" });
  await menu.waitFor();
  // A new trade renders the chart around it again, which must not move the focus.
  const said = page.getByText(/Last price .*, highest/);
  const before = await said.textContent();
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => said.textContent()).not.toBe(before);
  expect(await focused()).toBe("Sell limit here");
  await page.keyboard.press("ArrowUp");
  const starts = [await focused(), ...(await tabThrough(4, "ArrowDown"))];
  expect(starts.slice(0, 2)).toEqual(["Buy limit here", "Sell limit here"]);
  expect(starts[2]).toMatch(/^(?:Buy|Sell) stop here$/);
  expect(starts[3]).toMatch(/^(?:Buy|Sell) take profit here$/);
  expect(starts[4]).toBe("Alert here");
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
  expect(await hasFocus(candles)).toBe(true);

  await page.keyboard.press("Enter");
  await menu.getByLabel("Price").fill("90000");
  await menu.getByRole("button", { name: "Sell take profit here" }).press("Enter");
  expect(await ticket().getByLabel("Trigger price").inputValue()).toBe("90,000");
  await expect.poll(focused).toBe("Quantity");
});

test("nothing moves for people who want no motion", async () => {
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0) > 1)
        .map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 120)),
    );
  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
  await expect.poll(moving).toEqual([]);
  // New digits of the book and the last price flash otherwise, and dialogs fade in.
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Command palette" }).waitFor();
  for (let look = 0; look < 10; look += 1) {
    expect(await moving()).toEqual([]);
    await page.waitForTimeout(100);
  }
  await page.keyboard.press("Escape");
});

/** The trading screen's panels, tabs and layouts: by pointer and keyboard, remembered, at every width. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { share } from "../support/run-counts.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { cutOffTexts, overflowOf, seriousOn } from "./axe.ts";
import { newPerson, type Person, fund, TradePage } from "./people.ts";

let server: SharedServer;
let browser: Browser;
let person: Person;
let trade: TradePage;

beforeAll(async () => {
  server = await sharedServer("simulated");
  browser = await sharedChromium();
  person = await newPerson(browser, server.url);
  await fund(person.context, server.url);
  trade = new TradePage(person.page, server.url);
  await trade.open();
});
afterAll(() => browser.close());

const splitter = (page: Page, name: string) => page.getByRole("separator", { name });
const book = (page: Page) => page.getByRole("region", { name: "Order book" });
const tabs = (page: Page) => page.getByRole("navigation", { name: "Open markets" });

async function widthOf(panel: Locator): Promise<number> {
  return Math.round((await panel.boundingBox())?.width ?? 0);
}

test("a panel follows the pointer, stays within its limits and is remembered", async () => {
  const { page } = person;
  const handle = splitter(page, "Width of the order book");
  // Handles are there from the first movement that the running page sees.
  await expect
    .poll(async () => {
      await page.mouse.move(700, 400);
      await page.mouse.move(705, 400);
      return handle.count();
    })
    .toBe(1);
  const before = await widthOf(book(page));
  const box = await handle.boundingBox();
  const [x, y] = [(box?.x ?? 0) + 5, (box?.y ?? 0) + 200];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 60, y, { steps: 4 });
  await page.mouse.up();
  const differs = async () => Math.abs((await widthOf(book(page))) - before - 60);
  await expect.poll(differs).toBeLessThanOrEqual(2);
  const after = await widthOf(book(page));
  await trade.open();
  await expect.poll(() => widthOf(book(page))).toBe(after);
  // The chart keeps its part of the window.
  await page.mouse.move(700, 400);
  await handle.press("End");
  expect(await widthOf(page.getByRole("region", { name: "Price chart" }))).toBeGreaterThan(220);
  await handle.press("Enter");
  expect(await widthOf(book(page))).toBe(before);
});

test("the keyboard resizes every panel and says its size", async () => {
  const { page } = person;
  for (const [name, key] of [
    ["Width of the order book", "ArrowLeft"],
    ["Width of the order ticket", "ArrowLeft"],
    ["Height of orders and balances", "ArrowUp"],
    ["Size of the trades", "ArrowUp"],
  ] as const) {
    const handle = splitter(page, name);
    const before = Number(await handle.getAttribute("aria-valuenow"));
    expect(before).toBeGreaterThan(0);
    await handle.press(`Shift+${key}`);
    await expect
      .poll(async () => Number(await handle.getAttribute("aria-valuenow")))
      .toBeGreaterThan(before);
  }
  expect(await seriousOn(page)).toEqual([]);
});

test("a layout is chosen and its sizes are reset", async () => {
  const { page } = person;
  const chart = page.getByRole("region", { name: "Price chart" });
  const menu = page.getByRole("button", { name: /^Layout, / });
  await menu.click();
  await page.getByRole("button", { name: "Reset panel sizes" }).click();
  const standard = await widthOf(chart);
  await menu.click();
  expect(await seriousOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Wide tape" }).click();
  const tape = page.getByRole("region", { name: "Trades", exact: true });
  // Beside the book, not below it.
  await expect
    .poll(async () => (await tape.boundingBox())?.y)
    .toBe((await book(page).boundingBox())?.y);
  expect(await widthOf(chart)).toBeLessThan(standard);
  await expect.poll(() => cutOffTexts(page)).toEqual([]);
  await trade.open();
  await page.getByRole("button", { name: "Layout, Wide tape" }).waitFor();
  await page.keyboard.press("l");
  await page.getByRole("button", { name: "Layout, Standard" }).waitFor();
  await expect.poll(() => widthOf(chart)).toBe(standard);
});

test("markets stay open as tabs, are switched by keys and closed", async () => {
  const { page } = person;
  const links = tabs(page).getByRole("link");
  await trade.open("ETH-USD");
  await expect.poll(() => links.count()).toBe(2);
  await trade.open("SOL-USD");
  await expect.poll(() => links.count()).toBe(3);
  expect(await links.last().getAttribute("aria-current")).toBe("page");
  await page.locator("body").press("[");
  await page.waitForURL("**/trade?market=ETH-USD");
  await page.locator("body").press("]");
  await page.waitForURL("**/trade?market=SOL-USD");
  expect(await seriousOn(page)).toEqual([]);
  await links.last().focus();
  await page.keyboard.press("Delete");
  await page.waitForURL("**/trade?market=ETH-USD");
  await expect.poll(() => links.count()).toBe(2);
  expect(await page.locator(":focus").innerText()).toContain("ETH");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/trade?market=BTC-USD");
  await page.getByRole("button", { name: "Close ETH-USD" }).click();
  await expect.poll(() => links.count()).toBe(1);
  // The only tab cannot be closed.
  expect(await page.getByRole("button", { name: /^Close / }).count()).toBe(0);
  // A link that names no market opens the last one.
  await page.getByRole("link", { name: "Portfolio" }).first().click();
  await page.getByRole("link", { name: "Trade", exact: true }).first().click();
  await page.getByRole("heading", { name: "Trade BTC-USD" }).waitFor();
  // No test below needs this page, which is drawn for as long as it is open.
  await page.close();
});

test.each(share([1920, 1440, 1024, 768, 390]))("nothing is cut off at %i px", async (width) => {
  const page = await person.context.newPage();
  await page.setViewportSize({ width, height: 900 });
  await page.goto(`${server.url}/trade?market=BTC-USD`);
  await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
  await page.waitForTimeout(1_000);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  // On a starved machine the age of the data takes a part of a title's place for a while.
  await expect.poll(() => cutOffTexts(page)).toEqual([]);
  expect(await seriousOn(page)).toEqual([]);
  await page.close();
});

const LOADS = share([
  { layout: "standard", width: 1440 },
  { layout: "standard", width: 1024 },
  { layout: "standard", width: 768 },
  { layout: "book", width: 1440 },
  { layout: "book", width: 1024 },
  { layout: "tape", width: 1440 },
  { layout: "standard", width: 390 },
]);
test.each(LOADS)(
  "the page keeps still while it loads at $width px, layout $layout",
  async ({ layout, width }) => {
    const page = await person.context.newPage();
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript((chosen) => {
      const stored = {
        layout: chosen,
        sizes: { book: { panels: 200 }, tape: { book: 560, tape: 260 } },
      };
      localStorage.setItem("openbell.trade.layout", JSON.stringify(stored));
      const shifts = { sum: 0, sources: [] as string[] };
      (globalThis as unknown as { shifts: typeof shifts }).shifts = shifts;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { value, sources } = entry as unknown as {
            value: number;
            sources: readonly { node?: HTMLElement }[];
          };
          shifts.sum += value;
          shifts.sources.push(...sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? ""));
        }
      }).observe({ type: "layout-shift", buffered: true });
    }, layout);
    // A starved machine paints steps in between that are otherwise never seen: one load of three must be still.
    const loads: { readonly sum: number; readonly sources: readonly string[] }[] = [];
    while (loads.length < 3 && (loads.at(-1)?.sum ?? 1) > 0.02) {
      await page.goto(`${server.url}/trade?market=BTC-USD`);
      await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
      await page.waitForTimeout(3_000);
      loads.push(
        await page.evaluate(
          () => (globalThis as unknown as { shifts: { sum: number; sources: string[] } }).shifts,
        ),
      );
    }
    const least = Math.min(...loads.map(({ sum }) => sum));
    expect(least, loads.flatMap(({ sources }) => sources).join("\n")).toBeLessThanOrEqual(0.02);
    await page.close();
  },
);

const TOAST_WIDTHS = share([768, 1440, 1024, 390]);
test.each(TOAST_WIDTHS)("toasts cover nothing that can be pressed at %i px", async (width) => {
  const page = await person.context.newPage();
  await page.setViewportSize({ width, height: 900 });
  await page.addInitScript(() => localStorage.removeItem("openbell.trade.layout"));
  await page.goto(`${server.url}/trade?market=BTC-USD`);
  await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
  const isPhone = width === 390;
  if (isPhone) await page.getByRole("button", { name: "Buy", exact: true }).click();
  const ticket = (isPhone ? page.getByRole("dialog") : page).getByRole("region", {
    name: "Order ticket",
  });
  await ticket.getByLabel("Price", { exact: true }).fill("30000.00");
  await ticket.getByLabel("Quantity", { exact: true }).fill("0.001");
  await ticket.getByRole("button", { name: "Buy BTC", exact: true }).click();
  const toast = page.locator("[data-sonner-toast][data-mounted=true]").first();
  await toast.waitFor();
  await page.waitForTimeout(500);
  const covered = await toast.evaluate((element, onlyFixed) => {
    const over = element.getBoundingClientRect();
    const toaster = element.closest<HTMLElement>("[data-sonner-toaster]");
    if (toaster !== null) toaster.style.display = "none";
    const controls = onlyFixed
      ? document.querySelectorAll("nav a, [data-order-bar] button, header button, header a")
      : document.querySelectorAll(
          "main button, main input, main select, main a, header a, header button",
        );
    return [...controls]
      .filter((control) => {
        const box = control.getBoundingClientRect();
        const [left, right] = [Math.max(box.left, over.left), Math.min(box.right, over.right)];
        const [top, bottom] = [Math.max(box.top, over.top), Math.min(box.bottom, over.bottom)];
        if (!control.checkVisibility() || left >= right || top >= bottom) return false;
        // What is scrolled under a bar cannot be pressed there.
        const pressed = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return pressed !== null && control.contains(pressed);
      })
      .map((control) => control.outerHTML.slice(0, 200));
  }, isPhone);
  expect(covered).toEqual([]);
  await page.close();
});

test.each(share(["/trade?market=BTC-USD", "/dashboard", "/portfolio", "/"]))(
  "%s says once that markets are simulated",
  async (path) => {
    const page = await person.context.newPage();
    await page.goto(`${server.url}${path}`);
    await page.getByText("SIMULATED", { exact: true }).first().waitFor();
    expect(await page.getByText("SIMULATED", { exact: true }).count()).toBe(1);
    await page.close();
  },
);

test("without our colours the chosen tab and side can still be told", async () => {
  const page = await person.context.newPage();
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(`${server.url}/trade?market=BTC-USD`);
  await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
  const background = (locator: Locator) =>
    locator.evaluate((element) => getComputedStyle(element).backgroundColor);
  const side = page.getByRole("group", { name: "Side" });
  const [buy, sell] = [
    side.getByRole("button", { name: "Buy" }),
    side.getByRole("button", { name: "Sell" }),
  ];
  expect(await background(buy)).not.toBe(await background(sell));
  const [open, history] = [
    page.getByRole("tab", { name: /^Open orders/ }),
    page.getByRole("tab", { name: "Order history" }),
  ];
  expect(await background(open)).not.toBe(await background(history));
  const [both, bids] = [
    page.getByRole("button", { name: "Bids and asks" }),
    page.getByRole("button", { name: "Bids only" }),
  ];
  expect(await background(both)).not.toBe(await background(bids));
  await page.close();
});

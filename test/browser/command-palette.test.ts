/** The command palette and the list of shortcuts: found by letters, run by keys, silent while typing. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { overflowOf, seriousOn } from "./axe.ts";
import { newPerson, openPage, type Person, fund, TradePage } from "./people.ts";

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
  await trade.limit("Buy", "30000.00", "0.001");
});
afterAll(() => browser.close());

const palette = (page: Page) => page.getByRole("dialog", { name: "Command palette" });
const options = (page: Page) => palette(page).getByRole("option");

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await palette(page).getByRole("combobox").fill(text);
  // Commands of the page may still be on their way.
  await options(page).first().waitFor();
}

test("a page and a market are found by a few letters", async () => {
  const { page } = person;
  await search(page, "portf");
  expect(await seriousOn(page)).toEqual([]);
  await page.keyboard.press("Enter");
  // The frame around the page is another one: a palette opened before would leave with the old one.
  await page.getByRole("heading", { name: "Portfolio" }).waitFor();
  await search(page, "ethereum");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/trade?market=ETH-USD");
});

test("what was used last comes first", async () => {
  const { page } = person;
  await page.keyboard.press("Control+k");
  await expect.poll(() => options(page).first().innerText()).toBe("ETH/USD");
  await palette(page).getByText("Recent").waitFor();
  await page.keyboard.press("Escape");
  await palette(page).waitFor({ state: "detached" });
});

test("the trading screen offers its own actions", async () => {
  const { page } = person;
  await trade.open();
  await search(page, "sell btc");
  // The screen's own actions come with its code.
  await palette(page)
    .getByRole("option", { name: /^Sell BTC/ })
    .waitFor();
  await page.keyboard.press("Enter");
  await palette(page).waitFor({ state: "detached" });
  const sell = trade
    .ticket()
    .getByRole("group", { name: "Side" })
    .getByRole("button", { name: "Sell" });
  await expect.poll(() => sell.getAttribute("aria-pressed")).toBe("true");
  expect(await page.locator(":focus").getAttribute("name")).toBe("quantity");
  await search(page, "chart focus");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Layout, Chart focus" }).waitFor();
  await search(page, "4 hours");
  await page.keyboard.press("Enter");
  await expect
    .poll(() =>
      page
        .getByRole("group", { name: "Interval" })
        .getByRole("button", { name: /^4h/ })
        .getAttribute("aria-pressed"),
    )
    .toBe("true");
  await search(page, "cancel all orders in");
  await page.keyboard.press("Enter");
  const question = page.getByRole("dialog", { name: "Cancel 1 order?" });
  await question.getByRole("button", { name: "Cancel 1 order" }).click();
  await page.getByText("No open orders").waitFor();
});

test("preferences are switched", async () => {
  const { page } = person;
  await search(page, "density");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => page.evaluate(() => document.documentElement.dataset["density"]))
    .toBe("compact");
  await search(page, "density");
  await page.keyboard.press("Enter");
  await search(page, "sounds");
  await options(page).getByText("Sounds: on, for your trades").waitFor();
  await page.keyboard.press("Escape");
});

test("an own trade sounds only if sounds are on", async () => {
  const page = await person.context.newPage();
  await page.addInitScript(() => {
    const heard = { tones: 0 };
    (globalThis as unknown as { heard: typeof heard }).heard = heard;
    globalThis.AudioContext = class extends AudioContext {
      override createOscillator(): OscillatorNode {
        heard.tones += 1;
        return super.createOscillator();
      }
    };
  });
  const tones = () =>
    page.evaluate(() => (globalThis as unknown as { heard: { tones: number } }).heard.tones);
  const here = new TradePage(page, server.url);
  await here.open();
  await here.buyAtMarket("0.001");
  expect(await tones()).toBe(0);
  await search(page, "sounds");
  await page.keyboard.press("Enter");
  await palette(page).waitFor({ state: "detached" });
  await page.waitForTimeout(1_000);
  expect(await tones()).toBe(0);
  await here.buyAtMarket("0.001");
  await expect.poll(tones).toBeGreaterThan(0);
  await page.close();
});

test("the question mark lists every shortcut, and single keys can be turned off", async () => {
  const { page } = person;
  await trade.open();
  await page.locator("body").press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await sheet.getByText("Search pages and actions").waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await sheet.getByLabel("Shortcuts of a single key").uncheck();
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
  await page.locator("body").press("?");
  expect(await sheet.count()).toBe(0);
  await trade.ticket().getByRole("button", { name: "Keyboard shortcuts" }).click();
  await sheet.getByLabel("Shortcuts of a single key").check();
  await page.keyboard.press("Escape");
});

test("no shortcut acts while text is typed or something lies over the page", async () => {
  const { page } = person;
  await page.locator("body").press("m");
  const markets = page.getByRole("dialog", { name: "Markets" });
  const box = markets.getByRole("searchbox");
  await box.waitFor();
  await page.keyboard.type("lb?s");
  expect(await box.inputValue()).toBe("lb?s");
  expect(await page.getByRole("dialog", { name: "Keyboard shortcuts" }).count()).toBe(0);
  await page.keyboard.press("Escape");
});

test("on a phone a button opens it", async () => {
  const page = await person.context.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/trade?market=BTC-USD`);
  await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Search pages and actions" }).click();
  await palette(page).getByRole("combobox").fill("sol");
  await options(page).first().waitFor();
  expect(await seriousOn(page)).toEqual([]);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await page.close();
});

test("visitors find pages and markets too", async () => {
  const context = await browser.newContext({ bypassCSP: true });
  const { page, complaints } = await openPage(context);
  await page.goto(`${server.url}/trade`);
  // Hydrated: the palette, which is there before, would show another market in the one that is rendered.
  await page.locator("canvas").first().waitFor();
  await page.getByRole("button", { name: "Search pages and actions" }).click();
  await palette(page).getByRole("combobox").fill("sol");
  await options(page).first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/trade?market=SOL-USD");
  await page.keyboard.press("Control+k");
  expect(await options(page).getByText("Sign out").count()).toBe(0);
  expect(await options(page).getByText("Cancel all orders").count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

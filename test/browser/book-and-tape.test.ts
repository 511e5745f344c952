/** The book and the tape by pointer and keyboard: what is shown, what is chosen, what is remembered. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { cutOffTexts, seriousOn } from "./axe.ts";
import { callerOf, fund, newPerson, type Person, plainNumber, TradePage } from "./people.ts";

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

const bookOf = (page: Page) => page.getByRole("region", { name: "Order book" });
const bids = (page: Page) => bookOf(page).getByRole("list", { name: /^Bids/ });
const asks = (page: Page) => bookOf(page).getByRole("list", { name: /^Asks/ });
const cardOf = (page: Page) => page.getByRole("tooltip");

test("a price goes to the ticket as its price, a total as its quantity", async () => {
  const { page } = person;
  const ticket = trade.ticket();
  const third = bids(page).getByRole("listitem").nth(2);
  await third.locator("[data-cell=price]").click();
  const price = await ticket.getByLabel("Price", { exact: true }).inputValue();
  // The book moves on while it is read: the price is that of a bid, below the best ask.
  expect(plainNumber(price)).toMatch(/^\d+(?:\.\d{1,2})?$/);
  expect(await ticket.getByLabel("Quantity", { exact: true }).inputValue()).toBe("");
  await third.locator("[data-cell=total]").click();
  const quantity = await ticket.getByLabel("Quantity", { exact: true }).inputValue();
  expect(Number(plainNumber(quantity))).toBeGreaterThan(0);
  expect(await ticket.getByLabel("Price", { exact: true }).inputValue()).toBe(price);
});

test("the spread stands in one line where there is room", async () => {
  const spread = bookOf(person.page)
    .getByText(/^Spread/)
    .first();
  const parts = spread.locator("xpath=ancestor-or-self::span[contains(@class,'flex-wrap')]/span");
  const tops = await parts.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(tops).toHaveLength(2);
  expect(tops[0]).toBe(tops[1]);
});

test("pointing at a level tells the sum and the average price down to it", async () => {
  const { page } = person;
  await asks(page).getByRole("listitem").nth(3).locator("[data-cell=price]").hover();
  await cardOf(page).getByText("Average price").waitFor();
  await cardOf(page)
    .getByText(/^\+\d+\.\d\d%$/)
    .waitFor();
  expect(await bookOf(page).locator("[data-side=ask] li.bg-text\\/5").count()).toBe(4);
  await page.mouse.move(5, 5);
  await cardOf(page).waitFor({ state: "detached" });
});

test("the keyboard reaches every level and cell, and describes what it points at", async () => {
  const { page } = person;
  await bids(page).locator("[data-cell=price]").first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  const focused = page.locator(":focus");
  expect(await focused.getAttribute("data-cell")).toBe("quantity");
  expect(await focused.locator("xpath=..").getAttribute("data-level")).toBe("1");
  const card = await focused.getAttribute("aria-describedby");
  await cardOf(page).getByText("From the mid price").waitFor();
  expect(card).toBe(await cardOf(page).getAttribute("id"));
  // The best bid is below the best ask.
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  expect(await page.locator("[data-side=ask] :focus").count()).toBe(1);
  expect(await seriousOn(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await cardOf(page).waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
});

test("one side alone, totals in money and the grouping are remembered", async () => {
  const { page } = person;
  await bookOf(page).getByRole("button", { name: "Bids only" }).click();
  await bookOf(page)
    .getByRole("button", { name: /^Total \(BTC\)/ })
    .click();
  await bookOf(page).getByLabel("Group prices by").selectOption("10");
  await asks(page).waitFor({ state: "detached" });
  await expect
    .poll(() => bids(page).locator("[data-cell=price]").first().innerText())
    .toMatch(/0$/);
  await trade.open();
  await bids(page).locator("[data-cell=price]").first().waitFor();
  // The server renders a book for everyone; what this browser remembers comes with the page's script.
  await asks(page).waitFor({ state: "detached" });
  await expect.poll(() => bookOf(page).getByLabel("Group prices by").inputValue()).toBe("10");
  await bookOf(page)
    .getByRole("button", { name: /^Total \(USD\)/ })
    .waitFor();
  await bookOf(page).getByRole("button", { name: "Bids and asks" }).click();
  await asks(page).waitFor();
  expect(await seriousOn(page)).toEqual([]);
  expect(await cutOffTexts(page)).toEqual([]);
});

test("a remembered view is there before the page's script", async () => {
  // A browser of its own, with what it remembers.
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const choices = { sides: "bids", totals: "quote", groupings: { "ETH-USD": "10" } };
    localStorage.setItem("openbell.trade.book", JSON.stringify(choices));
  });
  await page.route("**/*.js", (route) => route.abort());
  const level = page.locator("[data-side=bid] [data-cell=price]").first();
  await page.goto(`${server.url}/trade?market=BTC-USD`);
  await level.waitFor();
  expect(await page.locator("[data-side=ask]").isVisible()).toBe(false);
  // What is not the viewer's own is not shown in its place.
  expect(await page.locator("[data-side=bid] [data-cell=total]").first().isVisible()).toBe(false);
  await page.goto(`${server.url}/trade?market=ETH-USD`);
  await level.waitFor({ state: "attached" });
  expect(await level.isVisible()).toBe(false);

  await page.unroute("**/*.js");
  await page.reload();
  await level.waitFor();
  await bookOf(page)
    .getByRole("button", { name: /^Total \(USD\)/ })
    .waitFor();
  expect(await bookOf(page).getByLabel("Group prices by").inputValue()).toBe("10");
  await context.close();
});

test("an order is marked in the level that holds it, and the spread stays true, at any grouping", async () => {
  const { page } = person;
  await bookOf(page).getByLabel("Group prices by").selectOption("0.01");
  await bookOf(page).getByRole("button", { name: "Bids only" }).click();
  await expect
    .poll(() => bids(page).locator("[data-cell=price]").first().innerText())
    .toMatch(/\.\d\d$/);
  // A bid that will not trade, within the levels in view: below the best, off every round price.
  const best = Number(
    plainNumber(await bids(page).locator("[data-cell=price]").first().innerText()),
  );
  const price = (Math.floor(best / 10) * 10 - 23.37).toFixed(2);
  await trade.limit("Buy", price, "0.001");
  await bookOf(page).getByLabel("Group prices by").selectOption("10");
  const level = (Math.floor(Number(price) / 10) * 10).toLocaleString("en-US");
  await bids(page)
    .getByRole("button", { name: `Your order at ${level}` })
    .waitFor();
  // Between levels of a book grouped by tens lie whole tens only.
  const spread = bookOf(page)
    .getByText(/^Spread/)
    .locator("xpath=..");
  await expect.poll(() => spread.innerText()).toMatch(/\d\.(?!00)\d\d/);
});

test("the tape counts what arrives while older trades are read, which stay where they are, and returns to the newest", async () => {
  const { page } = person;
  const other = await newPerson(browser, server.url);
  await fund(other.context, server.url);
  const call = await callerOf(other.context, server.url);
  const buy = { market: "BTC-USD", side: "buy", type: "market", quantity: "0.0002" };
  const tape = page.getByRole("region", { name: "Last trades" });
  // The simulated participants alone may take minutes to fill the tape.
  const isFull = () =>
    tape.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > 2 * clientHeight);
  while (!(await isFull())) await call("orders:place", buy);
  await tape.hover();
  const wayBack = page.getByRole("button", { name: /newe(r|st) trades?$/ });
  // A busy browser may drop a turn of the wheel.
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 400);
      return await wayBack.count();
    })
    .toBe(1);
  const [read, place] = [await tape.innerText(), await tape.evaluate((list) => list.scrollTop)];
  const cue = page.getByRole("button", { name: /^\d+ newer trades?$/ });
  await call("orders:place", buy);
  await cue.waitFor();
  expect(await tape.innerText()).toBe(read);
  expect(await tape.evaluate((list) => list.scrollTop)).toBe(place);
  expect(await seriousOn(page)).toEqual([]);
  await cue.click();
  await cue.waitFor({ state: "detached" });
  expect(await tape.evaluate((list) => list.scrollTop)).toBe(0);
});

test("own trades are marked in the tape, whose sizes may be in money", async () => {
  const { page } = person;
  await trade.buyAtMarket("0.0011");
  const tape = page.getByRole("region", { name: "Last trades" });
  await tape.getByText("Your trade at").first().waitFor({ state: "attached" });
  await tape.getByRole("button", { name: "Size (BTC)" }).click();
  await tape.getByRole("button", { name: "Value (USD)" }).waitFor();
  expect(await cutOffTexts(page)).toEqual([]);
});

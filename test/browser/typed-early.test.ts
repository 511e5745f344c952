/**
 * What is typed, chosen, ticked, pressed and sent in a page that the server rendered, before the page's script is
 * there, is kept.
 */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { beforeScript, fund, register } from "./people.ts";

let server: SharedServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  server = await sharedServer("quiet");
  browser = await sharedChromium();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  page = await context.newPage();
});
afterAll(() => browser.close());

function early(path: string, act: () => Promise<void>): Promise<void> {
  return beforeScript(page, server.url + path, act);
}

test("a search that was typed early is made", async () => {
  const search = page.getByLabel("Search coins");
  await early("/", () => search.fill("bitcoin"));
  await page.getByText(/^1 of \d+ coins$/).waitFor();
  expect(await search.inputValue()).toBe("bitcoin");
});

test("a code that was typed early is sent", async () => {
  await early("/two-factor", () => page.getByLabel("Code", { exact: true }).fill("123456"));
  // There was no first step, so the answer is that it has expired.
  await page.getByRole("heading", { name: "Sign in again" }).waitFor();
});

test("a name that was typed early can be saved", async () => {
  await register(context, server.url);
  const name = page.getByLabel("First name");
  await early("/settings", () => name.fill("Augusta"));
  expect(await name.inputValue()).toBe("Augusta");
  const save = page.getByRole("button", { name: "Save", exact: true }).first();
  await expect.poll(() => save.isEnabled()).toBe(true);
  await save.click();
  await page.getByText("Profile saved.").waitFor();
  await page.reload();
  await expect.poll(() => name.inputValue()).toBe("Augusta");
});

test("a form that was sent early by Enter is sent with what was typed", async () => {
  const name = page.getByLabel("First name");
  await early("/settings", async () => {
    await name.fill("Ada Augusta");
    await name.press("Enter");
  });
  await page.getByText("Profile saved.").waitFor();
  await page.reload();
  await expect.poll(() => name.inputValue()).toBe("Ada Augusta");
});

test("what was chosen and ticked early in the ticket is in the order", async () => {
  await fund(context, server.url);
  const ticket = page.getByRole("region", { name: "Order ticket" });
  const timeInForce = ticket.getByLabel("Time in force");
  await early("/trade?market=BTC-USD", async () => {
    await timeInForce.selectOption("gtd");
    await ticket.getByLabel("Post-only").check();
    await ticket.getByLabel("TP/SL").check();
  });
  await ticket.getByLabel("End", { exact: true }).waitFor();
  await ticket.getByLabel("Take-profit", { exact: true }).waitFor();
  expect(await timeInForce.inputValue()).toBe("gtd");
  // Rendered again from the order's terms.
  await ticket.getByLabel("Quantity", { exact: true }).fill("0.01");
  expect(await timeInForce.inputValue()).toBe("gtd");
  expect(await ticket.getByLabel("Post-only").isChecked()).toBe(true);
});

test("a kind of order that was chosen early is that of the ticket", async () => {
  const ticket = page.getByRole("region", { name: "Order ticket" });
  await early("/trade?market=BTC-USD", async () => {
    await ticket.getByLabel("More order types").selectOption("stop");
  });
  await ticket.getByLabel("Trigger price", { exact: true }).waitFor();
});

test("buttons and tabs that were pressed early act", async () => {
  const sell = page.getByRole("group", { name: "Side" }).getByRole("button", { name: "Sell" });
  const history = page.getByRole("tab", { name: "Order history" });
  await early("/trade?market=BTC-USD", async () => {
    await sell.click();
    await history.click();
    await page.getByRole("button", { name: /^Filter/ }).click();
  });
  await page.getByRole("tabpanel", { name: "Order history" }).waitFor();
  expect(await sell.getAttribute("aria-pressed")).toBe("true");
  expect(await history.getAttribute("aria-selected")).toBe("true");
  await page.getByRole("dialog").getByLabel("Side", { exact: true }).waitFor();
});

test("a tab of the library that was pressed early is chosen", async () => {
  const losers = page.getByRole("tab", { name: "Losers" });
  await early("/dashboard", () => losers.click());
  await expect.poll(() => losers.getAttribute("aria-selected")).toBe("true");
});

test("filters that were chosen early are applied", async () => {
  const kind = page.getByLabel("Kind", { exact: true });
  await early("/activity", async () => void (await kind.selectOption({ index: 1 })));
  await expect.poll(() => new URL(page.url()).search).toContain("kind=");
});

test("the price that is offered does not join one that is about to be typed", async () => {
  const { url } = await sharedServer("simulated");
  const price = page.getByRole("textbox", { name: "Price" });
  await beforeScript(page, `${url}/trade?market=BTC-USD`, () => price.focus());
  const book = page.getByRole("region", { name: "Order book" });
  await book.getByRole("button").nth(5).waitFor();
  await page.getByRole("button", { name: "Use the bid price" }).waitFor();
  await expect
    .poll(() => page.getByRole("button", { name: "Use the bid price" }).isEnabled())
    .toBe(true);
  await page.keyboard.type("30000.5");
  await expect.poll(() => price.inputValue()).toBe("30,000.5");
});

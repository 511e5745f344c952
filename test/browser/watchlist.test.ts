/** The markets that a person watches follow them from browser to browser. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { seriousOn } from "./axe.ts";
import { createAccount, newPerson, openPage, TradePage } from "./people.ts";

let server: SharedServer;
let browser: Browser;

beforeAll(async () => {
  server = await sharedServer("simulated");
  browser = await sharedChromium();
});
afterAll(() => browser.close());

async function star(page: Page, market: string): Promise<void> {
  await page.getByRole("button", { name: /choose another market/ }).click();
  const button = page.getByRole("button", { name: `${market} is a favourite` });
  await button.click();
  await page.locator(`[aria-label="${market} is a favourite"][aria-pressed=true]`).waitFor();
  await page.keyboard.press("Escape");
}

function watched(page: Page) {
  return page.getByRole("list", { name: "Watched markets" }).getByRole("listitem");
}

/** Symbols in the order of the page. */
async function symbolsOn(page: Page): Promise<string[]> {
  const texts = await watched(page).allInnerTexts();
  return texts.map((text) => /[A-Z]+-USD/.exec(text)?.[0] ?? "");
}

test("a market starred in one browser appears, moves and disappears in another", async () => {
  const { context, page, complaints } = await newPerson(browser, server.url);
  await page.goto(`${server.url}/dashboard`);
  await page.getByText("You watch no markets yet").waitFor();
  expect(await seriousOn(page)).toEqual([]);
  const other = await browser.newContext({ storageState: await context.storageState() });
  const second = await openPage(other);
  await new TradePage(second.page, server.url).open();
  await star(second.page, "ETH-USD");
  await star(second.page, "SOL-USD");

  await expect.poll(() => symbolsOn(page)).toEqual(["ETH-USD", "SOL-USD"]);
  await page.getByRole("button", { name: "Reorder" }).click();
  await page.getByRole("button", { name: "Move SOL-USD up" }).click();
  await expect.poll(() => symbolsOn(page)).toEqual(["SOL-USD", "ETH-USD"]);
  expect(await seriousOn(page)).toEqual([]);
  await second.page.goto(`${server.url}/dashboard`);
  await expect.poll(() => symbolsOn(second.page)).toEqual(["SOL-USD", "ETH-USD"]);
  await second.page.getByRole("button", { name: "Stop watching SOL-USD" }).click();
  await expect.poll(() => symbolsOn(page)).toEqual(["ETH-USD"]);
  expect([...complaints, ...second.complaints]).toEqual([]);
  await context.close();
  await other.close();
});

test("what a visitor starred joins the account at the sign-up", async () => {
  const context = await browser.newContext();
  const { page } = await openPage(context);
  await new TradePage(page, server.url).open();
  await star(page, "ETH-USD");
  await page.reload();
  await page.getByRole("button", { name: /choose another market/ }).click();
  await page.locator(`[aria-label="ETH-USD is a favourite"][aria-pressed=true]`).waitFor();
  await page.goto(`${server.url}/signup`);
  await createAccount(page);
  await page.waitForURL("**/dashboard");
  await expect.poll(() => symbolsOn(page)).toEqual(["ETH-USD"]);

  const other = await browser.newContext({ storageState: await context.storageState() });
  const second = await openPage(other);
  await second.page.goto(`${server.url}/dashboard`);
  await expect.poll(() => symbolsOn(second.page)).toEqual(["ETH-USD"]);
  await context.close();
  await other.close();
});

/** What is typed into a page that the server rendered, before the page's script is there, is kept. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/running-server.ts";
import { register } from "./people.ts";

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

/** Opens the page, does that while its script is held up, and lets the script in. */
async function early(path: string, type: () => Promise<void>): Promise<void> {
  const held = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`${server.url}${path}`, { waitUntil: "commit" });
  await type();
  held.resolve();
  await page.waitForLoadState("networkidle");
  await page.unrouteAll({ behavior: "wait" });
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

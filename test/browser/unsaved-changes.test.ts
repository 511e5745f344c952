/** What asks before a page is left: entries that were not saved, in every form that has some. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { signUp } from "./people.ts";

const QUESTION = "Are you sure you want to leave? Your changes may not be saved.";

let server: SharedServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  server = await sharedServer("quiet");
  browser = await sharedChromium();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  page = await context.newPage();
});
afterAll(() => browser.close());

test("a sign-up form that was begun is not left unasked, and its own success asks nothing", async () => {
  await page.goto(`${server.url}/signup`);
  const email = page.getByLabel("Email");
  await email.fill("ada@example.com");
  // The question is loaded as soon as there is something to lose.
  await page.waitForLoadState("networkidle");
  await page.getByRole("banner").getByRole("link").first().click();
  await page.getByText(QUESTION).waitFor();
  await page.getByRole("button", { name: "Stay" }).click();
  expect(await email.inputValue()).toBe("ada@example.com");
  await page.getByRole("banner").getByRole("link").first().click();
  await page.getByRole("button", { name: "Leave" }).click();
  await page.waitForURL(`${server.url}/`);
  await signUp(page, server.url);
  expect(await page.getByText(QUESTION).count()).toBe(0);
});

test.each([
  ["the profile", "First name"],
  ["a new email", "New email"],
  ["a password", "Current password"],
])("%s that was typed and not saved is asked about, also when the tab closes", async (_, label) => {
  await page.goto(`${server.url}/settings`);
  // What is typed before the page's script has filled in the form is not the form's.
  await expect.poll(() => page.getByLabel("First name").inputValue()).toBe("Ada");
  await page.getByLabel(label).first().fill("changed");
  await page.waitForLoadState("networkidle");
  await page.getByRole("banner").getByRole("link", { name: "Portfolio" }).click();
  await page.getByText(QUESTION).waitFor();
  await page.getByRole("button", { name: "Stay" }).click();
  expect(new URL(page.url()).pathname).toBe("/settings");
  const asked = page.waitForEvent("dialog");
  const reloading = page.reload().catch(() => undefined);
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.accept();
  await reloading;
});

test("a page without changes is left unasked", async () => {
  await page.goto(`${server.url}/settings`);
  await page.getByLabel("First name").waitFor();
  await page.getByRole("banner").getByRole("link", { name: "Portfolio" }).click();
  await page.getByRole("heading", { name: "Portfolio", level: 1 }).waitFor();
  expect(await page.getByText(QUESTION).count()).toBe(0);
});

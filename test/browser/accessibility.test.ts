/** axe finds nothing serious on any page, at any width, and the browser has nothing to complain of. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { brokenLinks, expectFit, widthsOfPage } from "./axe.ts";
import { TradePage, fund, openPage, register } from "./people.ts";

const PUBLIC = [
  "/",
  "/login",
  "/login?error=access_denied",
  "/signup",
  "/forgot-password",
  "/nowhere",
  "/api/auth/error?error=please_restart_the_process",
  "/outbox",
] as const;
const APP = [
  "/dashboard",
  "/trade",
  "/portfolio",
  "/activity",
  "/statements",
  "/settings",
] as const;

/** One page for all addresses: a new one takes half as long again as another address in it. */
interface Viewer {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
}

let server: SharedServer;
let browser: Browser;
let visitor: Viewer;
let member: Viewer;
/** The page that explains the member's trade. */
let explanation: string;

beforeAll(async () => {
  server = await sharedServer("simulated");
  browser = await sharedChromium();
  visitor = await newViewer();
  member = await newViewer();
  await register(member.context, server.url);
  await fund(member.context, server.url);
  const { page } = member;
  const trade = new TradePage(page, server.url);
  await trade.open();
  await trade.limit("Buy", "30000.01", "0.0123");
  await trade.buyAtMarket("0.0321");
  const fill = page.getByRole("button").filter({ hasText: "Bought" }).first();
  // The history of an exchange that has just started may be behind. And the row hears no click before the
  // page's script is there.
  do await page.goto(`${server.url}/activity?kind=fill`, { waitUntil: "networkidle" });
  while ((await fill.count()) === 0);
  await fill.click();
  await page.getByRole("link", { name: /^Explain this trade/ }).click();
  await page.waitForURL("**/fills/**");
  explanation = new URL(page.url()).pathname;
  // A page goes on being drawn where it is.
  await page.goto("about:blank");
  member.complaints.length = 0;
});
afterAll(() => browser.close());

async function newViewer(): Promise<Viewer> {
  // axe is put into the page, which its policy would refuse.
  const context = await browser.newContext({ bypassCSP: true });
  return { context, ...(await openPage(context)) };
}

test.each(PUBLIC)("%s has no barrier", async (path) => {
  await expectFlawless(visitor, path);
});

test.each(APP)("%s has no barrier for those who are signed in", async (path) => {
  await expectFlawless(member, path);
});

test("the explanation of a trade has no barrier", async () => {
  await expectFlawless(member, explanation);
});

test.each([
  { width: 768, path: "/settings" },
  { width: 390, path: "/settings" },
  { width: 390, path: "/" },
])("the focus is never under a bar on $path at $width px", async ({ width, path }) => {
  const { page } = path === "/" ? visitor : member;
  await page.setViewportSize({ width, height: 700 });
  await page.goto(`${server.url}${path}`, { waitUntil: "load" });
  await page.waitForTimeout(1_200);
  const covered: string[] = [];
  // Down to the end, and back: each direction meets another bar.
  for (const key of ["Tab", "Shift+Tab"]) {
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press(key);
      const name = await page.evaluate(nameOfCoveredFocus);
      if (name !== null) covered.push(`${key}: ${name}`);
    }
  }
  expect(covered).toEqual([]);
});

/** The element that has the focus while something fixed lies over its middle, else null. */
function nameOfCoveredFocus(): string | null {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return null;
  const { left, top, width, height } = focused.getBoundingClientRect();
  // What is larger than the screen (a list of rows, the page itself) is never wholly visible.
  if (height > innerHeight / 2 || width === 0) return null;
  const over = document.elementFromPoint(left + width / 2, top + height / 2);
  const bar = over?.closest("header, nav, [data-market-strip]");
  return bar === null || bar === undefined || bar.contains(focused) ? null : focused.outerHTML;
}

/** At every width, or in a share of the tests at one, in turn with the other pages. */
async function expectFlawless({ page, complaints }: Viewer, path: string): Promise<void> {
  complaints.length = 0;
  const widths = widthsOfPage();
  await page.setViewportSize({ width: widths.at(-1) ?? 0, height: 900 });
  await page.goto(`${server.url}${path}`, { waitUntil: "load" });
  await page.waitForTimeout(1_200);
  await expectFit(page, path, { texts: true, widths });
  // The narrowest window that has them.
  await page.setViewportSize({ width: 768, height: 900 });
  expect(await brokenLinks(page)).toEqual([]);
  expect(complaints.filter((text) => !(path === "/nowhere" && text.includes("404")))).toEqual([]);
}

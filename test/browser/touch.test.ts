/** What a finger reaches on a phone: every control of every page is at least as large as WCAG 2.2 AA asks for. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { callerOf, fund, openPage, register } from "./people.ts";

/** Both ways, in pixels. */
const REACH_MIN = 24;

let server: SharedServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** The page of an order that traded, and of its trade. */
let orderPath: string;
let fillPath: string;

beforeAll(async () => {
  server = await sharedServer("simulated");
  browser = await sharedChromium();
  context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await register(context, server.url);
  await fund(context, server.url);
  const call = await callerOf(context, server.url);
  const order = { market: "BTC-USD", side: "buy" };
  const bought = (await call("orders:place", {
    ...order,
    type: "market",
    quantity: "0.001",
  })) as Placed;
  await call("orders:place", { ...order, type: "limit", price: "30000.00", quantity: "0.001" });
  await call("watchlist:add", { markets: ["BTC-USD", "XLM-USD"] });
  ({ page } = await openPage(context));
  orderPath = `/orders/${bought.order.orderId}`;
  await page.goto(server.url + orderPath);
  const explained = page.getByRole("link", { name: "Explain this trade" }).first();
  fillPath = (await explained.getAttribute("href")) ?? "";
});
afterAll(() => browser.close());

interface Placed {
  readonly order: { readonly orderId: string };
}

/** Controls of the page that are reached in less than so many pixels, by name and size. */
async function hardToReach(): Promise<string[]> {
  return await page.evaluate((reachMin) => {
    const controls = document.querySelectorAll<HTMLElement>(
      "a[href], button, summary, select, input, textarea",
    );
    return [...controls].flatMap((control) => {
      control.scrollIntoView({ block: "center" });
      // Of a link in two lines the first one.
      const [box] = control.getClientRects();
      if (box === undefined || box.width <= 1 || box.right < 0 || box.bottom < 0) return [];
      const label = (control as HTMLInputElement).labels?.[0];
      const isReached = (x: number, y: number): boolean => {
        const hit = document.elementFromPoint(x, y);
        return hit !== null && (control.contains(hit) || label?.contains(hit) === true);
      };
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const reachOf = (stepX: number, stepY: number): number => {
        let steps = 0;
        while (steps < reachMin && isReached(x + stepX * (steps + 1), y + stepY * (steps + 1))) {
          steps += 1;
        }
        return steps;
      };
      const isInSentence = [...(control.parentElement?.childNodes ?? [])].some(
        ({ nodeType, textContent }) =>
          nodeType === Node.TEXT_NODE && (textContent ?? "").trim().length > 1,
      );
      if (control.tagName === "A" && isInSentence) return [];
      const width = reachOf(-1, 0) + 1 + reachOf(1, 0);
      const height = reachOf(0, -1) + 1 + reachOf(0, 1);
      if (isReached(x, y) && width >= reachMin && height >= reachMin) return [];
      const name = control.getAttribute("aria-label") ?? label?.textContent ?? control.textContent;
      return [`${control.tagName} "${name.trim()}": ${width} × ${height}`];
    });
  }, REACH_MIN);
}

test.each([
  ["the dashboard", () => "/dashboard"],
  ["the portfolio", () => "/portfolio"],
  ["the activity", () => "/activity"],
  ["the statements", () => "/statements"],
  ["the settings", () => "/settings"],
  ["an order", () => orderPath],
  ["a trade", () => fillPath],
  ["the landing page", () => "/"],
  ["the documents", () => "/documents?entry=getDepth"],
  ["the solvency", () => "/solvency"],
  ["a page that does not exist", () => "/nothing-here"],
  ["the outbox", () => "/outbox"],
])("a finger reaches every control of %s", async (_, pathOf) => {
  await page.goto(server.url + pathOf(), { waitUntil: "networkidle" });
  expect(await hardToReach()).toEqual([]);
});

test("the dashboard's link to all open orders shows them, not the chart", async () => {
  const call = await callerOf(context, server.url);
  const order = { market: "BTC-USD", side: "buy", type: "limit", quantity: "0.001" };
  for (let count = 1; count <= 8; count += 1) {
    await call("orders:place", { ...order, price: `${30_000 + count}.00` });
  }
  const orders = page.getByRole("table", { name: "Open orders" });
  await page.goto(`${server.url}/dashboard`);
  await page.getByRole("link", { name: "All 9" }).tap();
  await page.waitForURL("**/trade**");
  await orders.waitFor();
  await expect.poll(() => orders.getByRole("row").count()).toBe(10);
  await page.reload();
  await orders.waitFor();
});

test("a finger reaches every control of the pages for visitors", async () => {
  await context.clearCookies();
  for (const path of ["/login", "/signup", "/forgot-password", "/reset-password?token=none"]) {
    await page.goto(server.url + path, { waitUntil: "networkidle" });
    expect([path, await hardToReach()]).toEqual([path, []]);
  }
});

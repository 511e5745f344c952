/** Links load their page's queries while they are pointed at; what is not opened is let go. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { register } from "./people.ts";

let server: SharedServer;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  server = await sharedServer("quiet");
  browser = await sharedChromium();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await register(context, server.url);
});
afterAll(() => browser.close());

interface Message {
  readonly modifications?: readonly {
    readonly type: "Add" | "Remove";
    readonly queryId: number;
    readonly udfPath?: string;
  }[];
}

/** The queries that the page is subscribed to, by what it sends. */
function subscriptionsOf(page: Page): () => string[] {
  let open = new Map<number, string>();
  page.on("websocket", (socket) => {
    open = new Map();
    socket.on("framesent", ({ payload }) => {
      const { modifications = [] } = JSON.parse(String(payload)) as Message;
      for (const { type, queryId, udfPath = "" } of modifications) {
        if (type === "Add") open.set(queryId, udfPath);
        else open.delete(queryId);
      }
    });
  });
  return () => [...open.values()];
}

test("a link that is pointed at loads its page's queries, which are let go unless it is pressed", async () => {
  const page = await context.newPage();
  const subscriptions = subscriptionsOf(page);
  await page.goto(`${server.url}/activity`);
  await page.getByRole("heading", { name: "Activity", level: 1 }).waitFor();
  await expect.poll(subscriptions).toContain("markets:list");
  const before = subscriptions();
  expect(before).not.toContain("portfolio:summary");
  const link = page.getByRole("link", { name: "Portfolio", exact: true }).first();
  await link.hover();
  await expect.poll(subscriptions).toContain("portfolio:summary");
  expect(page.url()).toContain("/activity");
  await page.mouse.move(700, 700);
  await expect.poll(subscriptions).not.toContain("portfolio:summary");
  await link.focus();
  await expect.poll(subscriptions).toContain("portfolio:summary");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Portfolio", level: 1 }).waitFor();
  // Longer than what is not opened is kept.
  await page.waitForTimeout(6_000);
  expect(subscriptions()).toContain("portfolio:summary");
  await page.close();
});

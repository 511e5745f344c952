/** The API documents: everything is listed, shown and tried against the real exchange. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { expectFit, widthsOfPage } from "./axe.ts";
import { newPerson, openPage } from "./people.ts";

let server: SharedServer;
let browser: Browser;

beforeAll(async () => {
  server = await sharedServer("quiet");
  browser = await sharedChromium();
});
afterAll(() => browser.close());

interface Key {
  readonly apiKey: string;
  readonly secret: string;
}

async function visitor(width = 1440) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, bypassCSP: true });
  return { context, ...(await openPage(context)) };
}

async function open(page: Page, entry?: string): Promise<void> {
  const search = entry === undefined ? "" : `?entry=${entry}`;
  await page.goto(`${server.url}/documents${search}`, { waitUntil: "networkidle" });
  // Of the list or of an entry: a phone shows one of them.
  await page.getByRole("main").getByRole("heading", { level: 2 }).first().waitFor();
}

const listOf = (page: Page) => page.getByRole("navigation", { name: "Calls and streams" });
const tryIt = (page: Page) => page.getByRole("region", { name: "Try it" });
const answerOf = (page: Page, path: string) =>
  page.getByRole("region", { name: `Answer of ${path}` });

test("every call and stream of the documents is listed and found", async () => {
  const { context, page, complaints } = await visitor();
  await open(page);
  const openApi = await fetch(`${server.url}/api/v3/openbell/openapi.json`);
  const { paths } = (await openApi.json()) as { paths: Record<string, object> };
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()}${path}`),
  );
  const listed = await listOf(page).getByRole("link").allInnerTexts();
  const texts = listed.map((text) => text.replaceAll(/\s/g, ""));
  expect(calls.length).toBeGreaterThan(40);
  expect(texts).toEqual(expect.arrayContaining(calls));
  expect(texts).toEqual(
    expect.arrayContaining(["/ws/{symbol}@kline_{interval}", "order.place", "executionReport"]),
  );
  await page.getByLabel("Search calls and streams").fill("nothing like it");
  await expect.poll(() => listOf(page).getByRole("link").count()).toBe(0);
  await page.getByLabel("Search calls and streams").fill("keepPriority");
  await listOf(page).getByRole("link", { name: "/api/v3/order/amend/keepPriority" }).click();
  await page.getByRole("heading", { name: "PUT /api/v3/order/amend/keepPriority" }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("a call is shown with its parameters, a recorded example, its fields and its errors", async () => {
  const { context, page } = await visitor();
  await open(page, "getDepth");
  await page.getByText("Weight: 5 up to 100 levels").waitFor();
  await page
    .getByRole("listitem")
    .filter({ hasText: /^symbol.*required/ })
    .waitFor();
  const example = page.getByRole("region", { name: "Example 1 of GET /api/v3/depth" });
  expect(JSON.parse(await example.innerText())).toMatchObject({ bids: expect.any(Array) });
  await page.getByRole("row", { name: "lastUpdateId integer" }).waitFor();
  await page.getByRole("row", { name: "-1121 400 There is no such market." }).waitFor();
  await open(page, "executionReport");
  await page.getByRole("region", { name: "Example 1 of executionReport" }).waitFor();
  await context.close();
});

test("a call that is open to everyone is sent and answered", async () => {
  const { context, page } = await visitor();
  await open(page, "getDepth");
  await tryIt(page).getByRole("button", { name: "Send" }).click();
  await page.getByText("Status 400").waitFor();
  expect(await answerOf(page, "/api/v3/depth").innerText()).toContain('"code": -1102');
  await tryIt(page).getByRole("textbox", { name: "symbol", exact: true }).fill("BTCUSD");
  await tryIt(page).getByRole("button", { name: "Send" }).click();
  await page.getByText("Status 200").waitFor();
  expect(await answerOf(page, "/api/v3/depth").innerText()).toContain("lastUpdateId");
  await context.close();
});

test("a call is signed with an own key, whose secret is kept nowhere", async () => {
  const { context, page, complaints } = await newPerson(browser, server.url);
  const { apiKey, secret } = await createKey(page);
  await open(page, "getSapiV1AccountApiRestrictions");
  await tryIt(page).getByLabel("Your keys").selectOption({ label: "Try it" });
  expect(await tryIt(page).getByLabel("API key").inputValue()).toBe(apiKey);
  await tryIt(page).getByLabel("Secret").fill(secret);
  await tryIt(page).getByRole("button", { name: "Send" }).click();
  await page.getByText("Status 200").waitFor();
  const path = "/sapi/v1/account/apiRestrictions";
  expect(await answerOf(page, path).innerText()).toContain('"enableReading": true');
  await tryIt(page).getByLabel("Secret").fill(`${secret}0`);
  await tryIt(page).getByRole("button", { name: "Send" }).click();
  await page.getByText("Status 400").waitFor();
  expect(await answerOf(page, path).innerText()).toContain('"code": -1022');
  const kept = await page.evaluate(() =>
    JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      document.cookie,
      location.href,
    ]),
  );
  expect(kept).not.toContain(secret);
  await open(page, "getSapiV1AccountApiRestrictions");
  expect(await tryIt(page).getByLabel("Secret").inputValue()).toBe("");
  // The browser names the refused request.
  expect(complaints.filter((text) => !text.includes("status of 400"))).toEqual([]);
  await context.close();
});

/** An HMAC key of the person at the page, made as the settings make it. */
async function createKey(page: Page): Promise<Key> {
  await page.goto(`${server.url}/settings`, { waitUntil: "networkidle" });
  return page.evaluate(async (): Promise<Key> => {
    const token = await fetch("/api/auth/token");
    const { token: bearer } = (await token.json()) as { token: string };
    const answer = await fetch("/api/action", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
      body: JSON.stringify({
        path: "apiKeys:create",
        args: { name: "Try it", kind: "hmac", permissions: ["read"] },
        format: "json",
      }),
    });
    const { value } = (await answer.json()) as {
      value: { key: { apiKey: string }; secret: string };
    };
    return { apiKey: value.key.apiKey, secret: value.secret };
  });
}

test("documents that cannot be read are read again when asked", async () => {
  const { context, page } = await visitor();
  let isBroken = true;
  await page.route("**/openapi.json", (route) => (isBroken ? route.abort() : route.continue()));
  await page.goto(`${server.url}/documents`, { waitUntil: "networkidle" });
  await page.getByText("The documents could not be read").waitFor();
  isBroken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await listOf(page).waitFor();
  await context.close();
});

test.each([undefined, "postOrder", "getExchangeInfo", "order.place"])(
  "finds no barrier at %s",
  async (entry) => {
    const widths = widthsOfPage();
    const { context, page, complaints } = await visitor(widths.at(-1));
    await open(page, entry);
    await expectFit(page, entry, { texts: true, widths });
    expect(complaints).toEqual([]);
    await context.close();
  },
);

test("no other page loads its code", async () => {
  const { context, page } = await visitor();
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(new URL(request.url()).pathname));
  await page.goto(`${server.url}/`, { waitUntil: "networkidle" });
  const before = new Set(scripts.splice(0));
  await open(page);
  expect(scripts).toContain("/api/v3/openbell/openapi.json");
  const own = scripts.filter((path) => path.endsWith(".js") && !before.has(path));
  expect(own.some((path) => path.includes("documents"))).toBe(true);
  await context.close();
});

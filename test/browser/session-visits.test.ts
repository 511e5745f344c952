/** Sessions as pages keep them: extended by visits, kept through outages, taken from one-time tokens. */
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { register } from "./people.ts";

const MINUTE_MS = 60_000;

let server: RunningServer;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  // Every visit is due to extend the session.
  server = await startServerProcess({ SESSION_UPDATE_AGE_HOURS: "0", SIMULATION: "off" });
  browser = await sharedChromium();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await register(context, server.url);
});
afterAll(async () => {
  await browser.close();
  await server.remove();
});

async function cookieHeader(): Promise<string> {
  return (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
}

test.each(["/dashboard", "/trade", "/portfolio", "/activity"])(
  "a visit to %s extends the session",
  async (path) => {
    const headers = { cookie: await cookieHeader() };
    const answer = await fetch(server.url + path, { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie().join()).toMatch(/session_token=[^;]+; Max-Age=604800;/);
  },
);

test("a step to another page extends the session as well, at most once a minute", async () => {
  const page = await context.newPage();
  await page.clock.install();
  const extended: string[] = [];
  page.on("response", async (response) => {
    const headers = await response.headersArray().catch(() => []);
    const isExtended = headers.some(
      ({ name, value }) => name === "set-cookie" && value.includes("session_token="),
    );
    if (isExtended && response.request().resourceType() === "fetch") extended.push(response.url());
  });
  await page.goto(`${server.url}/dashboard`);
  await page.getByRole("banner").getByText("Live", { exact: true }).waitFor();
  const navigate = async (name: string) => {
    await page.getByRole("banner").getByRole("link", { name }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
  };
  await navigate("Portfolio");
  expect(extended).toEqual([]);
  await page.clock.fastForward(MINUTE_MS + 1);
  await navigate("Activity");
  await expect.poll(() => extended.length).toBe(1);
  // Calls of server functions are marked in their address.
  expect(new URL(extended[0]).searchParams.has("createServerFn")).toBe(true);
  await page.close();
});

test("a machine that wakes far from its network keeps its page, and the network brings it back", async () => {
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${server.url}/dashboard`);
  await page.getByRole("banner").getByText("Live", { exact: true }).waitFor();
  // Code that the page has not loaded by now is out of its reach.
  await page.route(/\.js(\?|$)/, (route) => route.abort("internetdisconnected"));
  let status: number | "unreachable" = 502;
  await page.route("**/api/auth/token", (route) =>
    status === "unreachable" ? route.abort("internetdisconnected") : route.fulfill({ status }),
  );
  // Longer than the token of the page is good for.
  await page.clock.fastForward(10 * MINUTE_MS);
  for (let second = 0; second < 20; second += 1) await page.clock.runFor(1_000);
  await page.getByText("Your session could not be renewed. Trying again.").waitFor();
  status = "unreachable";
  await page.clock.runFor(30_000);
  await page.getByRole("heading", { name: "Dashboard", level: 1 }).waitFor();
  await page.unroute("**/api/auth/token");
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect
    .poll(
      async () => {
        await page.clock.runFor(1_000);
        return await page.getByText("Your session could not be renewed.").count();
      },
      { timeout: 30_000 },
    )
    .toBe(0);
  await page.getByRole("heading", { name: "Dashboard", level: 1 }).waitFor();
  await page.close();
});

test("a page whose code is not here yet waits for the server instead of losing everything", async () => {
  const page = await context.newPage();
  await page.goto(`${server.url}/dashboard`);
  await page.getByRole("banner").getByText("Live", { exact: true }).waitFor();
  await page.mouse.move(9, 9);
  await page.getByRole("region", { name: /^Notifications/ }).waitFor({ state: "attached" });
  await server.kill();
  await page.getByRole("banner").getByText("Reconnecting", { exact: true }).waitFor();
  await page.getByRole("banner").getByRole("link", { name: "Activity" }).click();
  await page.getByText("The page opens as soon as the exchange can be reached.").waitFor();
  expect(page.url()).toContain(server.url);
  await server.restart();
  await page.getByRole("heading", { name: "Activity", level: 1 }).waitFor({ timeout: 60_000 });
  await page.close();
});

async function oneTimeToken(): Promise<string> {
  const headers = { cookie: await cookieHeader() };
  const answer = await fetch(`${server.url}/api/auth/one-time-token/generate`, { headers });
  return ((await answer.json()) as { token: string }).token;
}

test("a one-time token in the address of a guarded page signs in there, and leaves the address", async () => {
  const token = await oneTimeToken();
  const visitor = await browser.newContext();
  const page = await visitor.newPage();
  await page.goto(`${server.url}/portfolio?ott=${token}`);
  await page.getByRole("heading", { name: "Portfolio", level: 1 }).waitFor();
  expect(page.url()).toBe(`${server.url}/portfolio`);
  await page.goto(`${server.url}/portfolio?ott=${token}`);
  await page.getByRole("button", { name: "Stay signed in" }).waitFor();
  expect(page.url()).toBe(`${server.url}/portfolio`);
  await visitor.close();
});

test("a one-time token that is used up leads to the sign-in page, without it", async () => {
  const visitor = await browser.newContext();
  const page = await visitor.newPage();
  await page.goto(`${server.url}/activity?kind=fill&ott=used-up`);
  await page.getByText("This sign-in link is no longer valid").waitFor();
  expect(page.url()).not.toContain("ott=");
  expect(new URL(page.url()).searchParams.get("redirect")).toBe("/activity?kind=fill");
  await visitor.close();
});

test("a one-time token does not replace a session unasked", async () => {
  const token = await oneTimeToken();
  const other = await browser.newContext();
  const page = await other.newPage();
  const email = await register(other, server.url);
  const emailOfSession = async () =>
    await page.evaluate(async () => {
      const answer = await fetch("/api/auth/get-session");
      return ((await answer.json()) as { user: { email: string } }).user.email;
    });
  await page.goto(`${server.url}/portfolio?ott=${token}`);
  await page.getByText("Sign in with this link?").waitFor();
  expect(await emailOfSession()).toBe(email);
  // No request before the page is reloaded: each request here extends the session that it finds, and an
  // answer that is still under way would set the old cookie again.
  const loaded = page.waitForEvent("load");
  await page.getByRole("button", { name: "Use the link" }).click();
  await loaded;
  await expect.poll(emailOfSession, { timeout: 20_000 }).not.toBe(email);
  await other.close();
});

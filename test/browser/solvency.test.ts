/** The public report of what the exchange owes, and the check of the own balances in the browser. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SolvencyReport } from "#contract/solvency.ts";
import { sharedChromium } from "../support/chromium.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { WIDTHS, cutOffTexts, overflowOf, seriousOn } from "./axe.ts";
import { newPerson, openPage, readTable, takePracticeFunds } from "./people.ts";

let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  server = await startServerProcess({ AUTH_RATE_LIMIT: "off", SIMULATION: "off" });
  browser = await sharedChromium();
});
afterAll(async () => {
  await browser.close();
  await server.remove();
});

async function open(page: Page): Promise<void> {
  await page.goto(`${server.url}/solvency`, { waitUntil: "networkidle" });
  await page.getByRole("heading", { name: "Sums of each coin" }).waitFor();
}

test("a user's browser finds the own balances in the published sums", async () => {
  // Before anyone reads the report: the first one is taken when it is asked for.
  const { context, page, complaints } = await newPerson(browser, server.url);
  await takePracticeFunds(page, server.url);
  await open(page);
  await page.getByRole("button", { name: "Check my balances" }).click();
  await page.getByText("Included in the sums that were published:").waitFor();
  await page.getByRole("definition").filter({ hasText: "100,000" }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test("a visitor reads what each coin's accounts sum to, as programs do", async () => {
  const context = await browser.newContext();
  const { page, complaints } = await openPage(context);
  await open(page);
  const rows = await readTable(page, /^Sums of each coin/);
  const report = (await (await fetch(`${server.url}/api/solvency`)).json()) as SolvencyReport;
  expect(rows.map((row) => row["Coin"])).toEqual(report.coins.map(({ coin }) => coin));
  for (const row of rows) expect(Number(row["Sum"])).toBe(0);
  await page.getByText(report.liabilities.root).waitFor();
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test.each(WIDTHS)("the report has no barrier at %i px", async (width) => {
  const context = await browser.newContext({ viewport: { width, height: 900 }, bypassCSP: true });
  const { page } = await openPage(context);
  await open(page);
  expect(await seriousOn(page)).toEqual([]);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  expect(await cutOffTexts(page)).toEqual([]);
  await context.close();
});

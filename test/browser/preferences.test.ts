/** What a user prefers is how pages look, from their first byte on, and where the keyboard is shows. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { isFull, share } from "../support/run-counts.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { newPerson, type Person, fund } from "./people.ts";

let server: SharedServer;
let browser: Browser;
let member: Person;

beforeAll(async () => {
  server = await sharedServer("simulated");
  browser = await sharedChromium();
  member = await newPerson(browser, server.url);
  await fund(member.context, server.url);
});
afterAll(() => browser.close());

/** Chooses in the settings; what is chosen before the page's script is there is chosen again. */
async function prefer(page: Page, label: string, option: string): Promise<void> {
  if (new URL(page.url()).pathname !== "/settings") {
    await page.goto(`${server.url}/settings`, { waitUntil: "networkidle" });
  }
  await page
    .getByRole("region", { name: "Preferences" })
    .getByLabel(label, { exact: true })
    .selectOption(option);
}

test("numbers and dates are printed as chosen, by the server too", async () => {
  const { page, context, complaints } = member;
  await prefer(page, "Numbers", "1.234,56");
  await prefer(page, "Dates", "2026-11-21");
  const example = page.getByRole("region", { name: "Preferences" }).getByText("An example:");
  expect(await example.innerText()).toMatch(/2026-07-01 \d\d:30:00/);
  const html = await (await context.request.get(`${server.url}/portfolio`)).text();
  expect(html).toContain("100.000,00");
  expect(html).not.toContain("100,000.00");
  await page.goto(`${server.url}/portfolio`);
  await page.getByText("100.000,00").first().waitFor();
  await page.goto(`${server.url}/activity`);
  await page.getByText("Took 100.000 USD of practice funds").waitFor();
  // What is typed is grouped as everything else is printed.
  await page.goto(`${server.url}/trade?market=BTC-USD`, { waitUntil: "networkidle" });
  const price = page.getByRole("textbox", { name: "Price" });
  // A person replaces the price that is offered; before it is there, nothing would be cleared.
  await expect.poll(() => price.inputValue()).not.toBe("");
  await price.fill("");
  await price.pressSequentially("12345,5");
  expect(await price.inputValue()).toBe("12.345,5");
  await page.getByRole("textbox", { name: "Quantity" }).fill("0,2");
  await page.getByText("2.469,10 USD").first().waitFor();
  // So are the names of orders, in questions, messages and tables, and what the exchange refuses.
  await page.getByRole("button", { name: "Buy BTC", exact: true }).click();
  const placed = "Limit 12.345,50";
  await page.getByRole("table", { name: "Open orders" }).getByText(placed).waitFor();
  await page.locator("[data-sonner-toast]").getByText(`Buy 0,2 BTC · ${placed}`).waitFor();
  await page.getByRole("button", { name: /^Change buy order in BTC-USD at 12345,50$/ }).click();
  const change = page.getByRole("dialog", { name: "Change order" });
  await change.getByText(`Buy 0,2 BTC · ${placed}`).waitFor();
  await change.getByLabel("Quantity", { exact: true }).fill("5000,5");
  await change.getByRole("button", { name: "Change order" }).click();
  await change.getByRole("alert").waitFor();
  expect(await change.getByRole("alert").innerText()).not.toMatch(/\d\.\d\d\b/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Notices/ }).click();
  const centre = page.getByRole("dialog", { name: "Notification centre" });
  await centre.getByRole("tab", { name: "Price alerts" }).click();
  await centre.getByLabel("Price", { exact: true }).pressSequentially("99999,5");
  await centre.getByRole("button", { name: "Create alert" }).click();
  await centre.getByText("Crosses 99.999,50").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Cancel all", exact: true }).click();
  await page.getByRole("button", { name: "Cancel 1 order" }).click();
  // The server and the browser print the same: React finds nothing to complain of.
  expect(complaints).toEqual([]);
  await prefer(page, "Numbers", "1,234.56");
  await prefer(page, "Dates", "21 Nov 2026");
  await page.goto(`${server.url}/portfolio`);
  await page.getByText("100,000.00").first().waitFor();
});

test("time zone, colours, density and the market to open are kept in the browser", async () => {
  const { page } = member;
  await prefer(page, "Time zone", "Asia/Tokyo");
  await page.getByText("02 Jul 2026, 00:30:00").waitFor();
  await prefer(page, "Colours", "Red up, green down");
  await prefer(page, "Density", "Compact");
  const root = page.locator("html");
  await expect.poll(() => root.getAttribute("data-density")).toBe("compact");
  await prefer(page, "Market to open", "SOL-USD");
  await page.goto(`${server.url}/trade`);
  await page.getByRole("heading", { name: "Trade SOL-USD" }).waitFor({ state: "attached" });
  expect(await root.getAttribute("data-colours")).toBe("redGreen");
  await prefer(page, "Market to open", "The one viewed last");
  await prefer(page, "Density", "Comfortable");
});

test("the history of sign-ins is in the settings", async () => {
  const { page } = member;
  await page.goto(`${server.url}/settings`);
  await page
    .getByRole("region", { name: "Sign-in history" })
    .getByText("Signed up", { exact: true })
    .first()
    .waitFor();
});

test("coins are sorted by the titles of their columns", async () => {
  const { page } = member;
  await page.goto(`${server.url}/`, { waitUntil: "networkidle" });
  const table = page.getByRole("table").filter({ hasText: "Bitcoin" });
  const first = () => table.locator("tbody tr").first().innerText();
  await table.getByRole("button", { name: "Price", exact: true }).click();
  const one = await first();
  await table.getByRole("button", { name: "Price", exact: true }).click();
  await expect.poll(first).not.toBe(one);
});

const PATHS = share(["/portfolio", "/statements", "/activity", "/dashboard", "/settings"]);
test.each(PATHS)(
  "on %s the focus follows the page and is visible, with forced colours too",
  async (path) => {
    const { page } = member;
    for (const forcedColors of ["none", "active"] as const) {
      await page.emulateMedia({ forcedColors });
      await page.goto(`${server.url}${path}`, { waitUntil: "networkidle" });
      const problems: string[] = [];
      for (let step = 0; step < 40; step += 1) {
        await page.keyboard.press("Tab");
        const problem = await page.evaluate(problemOfFocus);
        if (problem !== null) problems.push(problem);
      }
      expect(problems, forcedColors).toEqual([]);
    }
    await page.emulateMedia({ forcedColors: "none" });
  },
);

// A curve has at least two minutes, so this one waits for them.
test.runIf(isFull)("the curve of the equity shows the range that is chosen", async () => {
  const { page } = member;
  await page.goto(`${server.url}/dashboard`);
  const ranges = page.getByRole("group", { name: "Time of the curve" });
  await ranges.waitFor({ timeout: 150_000 });
  await expect
    .poll(async () => {
      await ranges.getByRole("button", { name: "1W, 1 week" }).click();
      return ranges.getByRole("button", { pressed: true }).innerText();
    })
    .toBe("1W");
  await page.getByLabel(/^Equity in USD over time/).waitFor();
});

/** An invisible focus, or one before the previous; null if all is well. */
function problemOfFocus(): string | null {
  const state = globalThis as { focusBefore?: Element };
  const focused = document.activeElement;
  if (focused === null || focused === document.body) {
    delete state.focusBefore;
    return null;
  }
  const { focusBefore: before } = state;
  state.focusBefore = focused;
  // The parts of a date box, such as its calendar's button, have rings of their own.
  if (before === focused) return null;
  const isBefore =
    before !== undefined &&
    (before.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
  if (isBefore) return `out of order: ${focused.outerHTML.slice(0, 120)}`;
  const isVisible = [focused, focused.parentElement, focused.parentElement?.parentElement]
    .filter((element) => element !== null && element !== undefined)
    .some((element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== "none" && outlineWidth !== "0px";
    });
  return isVisible ? null : `not visible: ${focused.outerHTML.slice(0, 120)}`;
}

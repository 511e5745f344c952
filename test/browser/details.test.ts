/** Details of tables, messages and names that once were wrong, each held on the page that had it. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { fund, newPerson, type Person, plainNumber, readTable, TradePage } from "./people.ts";

const HOLDINGS = /^Holdings, values in/;

let server: RunningServer;
let browser: Browser;
let person: Person;
let trade: TradePage;

beforeAll(async () => {
  server = await startServerProcess({
    PRACTICE_FUNDS: "USD:1000,BTC:0.001,ETH:20,SOL:3,XLM:50000,DOGE:70,ADA:9000,LINK:2",
  });
  browser = await sharedChromium();
  person = await newPerson(browser, server.url);
  await fund(person.context, server.url);
  trade = new TradePage(person.page, server.url);
});
afterAll(async () => {
  await browser.close();
  await server.remove();
});

const live = (page: Page) => page.getByText("Live", { exact: true }).waitFor({ state: "attached" });

async function call(path: string, args: object): Promise<void> {
  const { context } = person;
  const { token } = (await (await context.request.get(`${server.url}/api/auth/token`)).json()) as {
    token: string;
  };
  const answer = await context.request.post(`${server.url}/api/mutation`, {
    headers: { authorization: `Bearer ${token}` },
    data: { path, args },
  });
  expect(await answer.json(), path).toMatchObject({ status: "success" });
}

test("holdings stand by value, and each has a colour of its own", async () => {
  const { page } = person;
  await page.goto(`${server.url}/portfolio`);
  await live(page);
  const table = page.getByRole("table", { name: HOLDINGS });
  await expect.poll(() => table.getByRole("row").count()).toBeGreaterThan(7);
  const rows = await readTable(page, HOLDINGS);
  const title = Object.keys(rows[0] ?? {}).find((name) => name.startsWith("Value")) ?? "";
  const values = rows.map((row) => Number(plainNumber(row[title] ?? "")));
  expect(values.every(Number.isFinite), values.join()).toBe(true);
  expect(values).toEqual(values.toSorted((left, right) => right - left));
  const colours = await page
    .getByRole("heading", { name: "Allocation" })
    .locator("xpath=ancestor::section[1]")
    .locator("li > span:first-child")
    .evaluateAll((dots) => dots.map((dot) => getComputedStyle(dot).backgroundColor));
  expect(colours.length).toBeGreaterThan(5);
  expect(new Set(colours).size).toBe(colours.length);
});

test("legs without a size are named by what they do, and one balance has one text everywhere", async () => {
  const { page } = person;
  await call("orders:placeList", {
    market: "ETH-USD",
    kind: "oto",
    orders: [
      { side: "buy", type: "limit", price: "1000.00", quantity: "0.0123" },
      { side: "sell", type: "limit", price: "9000.00" },
    ],
  });
  await page.goto(`${server.url}/dashboard`);
  await page.getByText("Sell ETH · Limit 9,000.00").first().waitFor();
  expect(await page.getByRole("main").innerText()).not.toMatch(/for 0 /);
  // 12.3 USD are held: what is available has more digits than pages show.
  await call("orders:place", {
    market: "ETH-USD",
    side: "buy",
    type: "market",
    quoteAmount: "7.77",
  });
  const texts: string[] = [];
  await page.goto(`${server.url}/portfolio`);
  await live(page);
  const rows = await readTable(page, HOLDINGS);
  const usd = rows.find((row) => Object.values(row).some((cell) => cell.startsWith("USD")));
  texts.push(usd?.["Quantity"] ?? "");
  await page.goto(`${server.url}/dashboard`);
  await live(page);
  const largest = await readTable(page, "Largest holdings");
  texts.push(largest.find((row) => row["Coin"]?.includes("USD"))?.["Quantity"] ?? "");
  await trade.open("ETH-USD");
  await trade.showTab("Balances");
  const balances = await readTable(page, /Balances/);
  texts.push(balances.find((row) => row["Coin"]?.includes("USD"))?.["Total"] ?? "");
  expect(new Set(texts).size, texts.join(" | ")).toBe(1);
  expect(texts[0]).toMatch(/^\d{3}\.\d\d$/);
});

test("what closes a tab or a panel can be pressed, on a laptop and on a tablet", async () => {
  const page = await person.context.newPage();
  for (const market of ["BTC-USD", "ETH-USD", "SOL-USD", "XLM-USD"]) {
    await page.goto(`${server.url}/trade?market=${market}`);
    // The page keeps it as a tab once its script is there.
    const kept = () => page.evaluate(() => localStorage.getItem("openbell.trade.tabs") ?? "");
    await expect.poll(kept).toContain(market);
  }
  const closing = page.getByRole("button", { name: /^Close / });
  await expect.poll(() => closing.count()).toBeGreaterThan(2);
  const covered = () =>
    closing.evaluateAll((buttons) =>
      buttons
        .filter((button) => {
          const { left, right, top, bottom, width: wide } = button.getBoundingClientRect();
          const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          return wide < 12 || left < 0 || right > innerWidth || !button.contains(at);
        })
        .map((button) => button.getAttribute("aria-label")),
    );
  // Nor is a column of a long order under the one that changes and cancels.
  const trigger = { type: "takeProfit", price: "99000.00" };
  const bitcoin = { market: "BTC-USD", side: "sell", type: "market", quantity: "0.0010" };
  await call("orders:place", { ...bitcoin, trigger });
  const name = "Take profit 99,000.00 → market";
  await page.getByRole("table", { name: "Open orders" }).getByText(name).waitFor();
  const hidden = (table: string) =>
    page
      .getByRole("table", { name: table })
      .evaluate(
        ({ parentElement: strip }) => (strip?.scrollWidth ?? 0) - (strip?.clientWidth ?? 0),
      );
  /** Lines of the times in a table's first column. */
  const lines = (table: string) =>
    page
      .getByRole("table", { name: table })
      .locator("tbody tr td:first-child")
      .evaluateAll((cells) =>
        cells.map((cell) => {
          const text = document.createRange();
          text.selectNodeContents(cell);
          return text.getClientRects().length;
        }),
      );
  await expect.poll(() => lines("Open orders")).toContain(1);
  expect(new Set(await lines("Open orders"))).toEqual(new Set([1]));
  for (const width of [1440, 1024, 768]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(covered, { message: `at ${width} px` }).toEqual([]);
    await expect.poll(() => hidden("Open orders"), { message: `at ${width} px` }).toBe(0);
  }
  await page.getByRole("tab", { name: "Order history" }).click();
  await page.getByRole("table", { name: "Order history" }).getByText(name).waitFor();
  expect(new Set(await lines("Order history"))).toEqual(new Set([2]));
  for (const width of [768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => hidden("Order history"), { message: `at ${width} px` }).toBe(0);
  }
  expect(new Set(await lines("Order history"))).toEqual(new Set([1]));
  await call("orders:cancelAll", { market: "BTC-USD" });
  await page.close();
});

test("success and failure look different, and a refusal stands in one place", async () => {
  const { page } = person;
  await page.setViewportSize({ width: 1440, height: 900 });
  await trade.open("ETH-USD");
  const look = async (type: string) => {
    const toast = page.locator(`[data-sonner-toast][data-type=${type}]`).first();
    await toast.waitFor();
    return toast.evaluate((element) => ({
      border: getComputedStyle(element).borderColor,
      icon: element.querySelector("[data-icon] svg")?.innerHTML,
    }));
  };
  await trade.limit("Buy", "1000.00", "0.02");
  const success = await look("success");
  await page.getByRole("table", { name: "Open orders" }).waitFor();
  // Cancelled elsewhere just before: the refusal of the page's own cancellation is a toast.
  const row = page.getByRole("row").filter({ hasText: "0.0200" });
  await row.waitFor();
  await page.context().setOffline(true);
  await row.getByRole("button", { name: /^Cancel buy order/ }).click();
  await call("orders:cancelAll", { market: "ETH-USD" });
  await page.context().setOffline(false);
  const failure = await look("error");
  expect(failure.border).not.toBe(success.border);
  expect(failure.icon).not.toBe(success.icon);
  await live(page);

  const ticket = trade.ticket();
  await page.reload();
  await live(page);
  await trade.enterLimit("Buy", "1000.00", "0.5");
  // The book's band is the server's to judge: far below it an order is refused by it alone.
  await call("orders:place", {
    market: "ETH-USD",
    side: "buy",
    type: "limit",
    price: "1000.00",
    quantity: "0.9",
  });
  await trade.click("Buy");
  await ticket
    .getByText(/available/)
    .first()
    .waitFor();
  expect(await page.locator("[data-sonner-toast][data-type=error]").count()).toBe(0);
});

test("orders and trades are filtered at the exchange, and so are their downloads", async () => {
  const { page } = person;
  await call("orders:cancelAll", {});
  const sol = { market: "SOL-USD", side: "sell", quantity: "1" };
  await call("orders:place", { ...sol, type: "market" });
  await call("orders:place", { ...sol, type: "market", trigger: { type: "stop", price: "50.00" } });
  await call("orders:cancelAll", {});
  await trade.open("SOL-USD");
  await trade.showTab("Order history");
  const table = page.getByRole("table", { name: "Order history" });
  await table.getByText("Stop 50.00 → market").waitFor();
  await page.getByRole("button", { name: /^Filter/ }).click();
  const filter = page.getByRole("dialog", { name: "Filter" });
  await filter.getByLabel("Kind").selectOption("stop");
  await page.keyboard.press("Escape");
  await expect.poll(() => table.getByRole("row").count()).toBe(2);
  expect(await table.getByText("Stop 50.00 → market").count()).toBe(1);
  const link = page.getByRole("link", { name: "CSV", exact: true });
  const address = new URL((await link.getAttribute("href")) ?? "", server.url);
  expect(address.search).toBe("?kind=stop");
  const file = await (await page.context().request.get(address.href)).text();
  expect(file.trimEnd().split("\r\n")).toHaveLength(2);
  await page.getByRole("button", { name: "Filter: 1 set" }).click();
  await filter.getByLabel("Kind").selectOption("iceberg");
  await page.keyboard.press("Escape");
  await page.getByText("Nothing matches").waitFor();
  // Fills have no kind; their side is filtered.
  await trade.showTab("Trades");
  const trades = page.getByRole("table", { name: "Trades" });
  await trades.getByText("SOL").first().waitFor();
  await page.getByRole("button", { name: /^Filter/ }).click();
  await filter.getByLabel("Side").selectOption("sell");
  await page.keyboard.press("Escape");
  await expect
    .poll(async () => {
      const [, ...rows] = await trades.getByRole("row").allInnerTexts();
      return rows.length > 0 && rows.every((text) => /Sell/.test(text));
    })
    .toBe(true);
});

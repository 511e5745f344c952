/** What happens to a person's orders and alerts is told on whatever page they are, and kept. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { overflowOf, seriousOn } from "./axe.ts";
import { newPerson, openPage, type Person, fund, TradePage } from "./people.ts";

let server: RunningServer;
let browser: Browser;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  server = await startServerProcess({
    SIMULATION: "off",
    PRACTICE_FUNDS: "USD:100000,BTC:1",
  });
  browser = await sharedChromium();
  ada = await newPerson(browser, server.url);
  bob = await newPerson(browser, server.url);
  for (const { context } of [ada, bob]) await fund(context, server.url);
  await new TradePage(bob.page, server.url).open();
});
afterAll(async () => {
  await browser.close();
  await server.remove();
});

/** The taker sells at this price to the maker's waiting order. */
async function tradeBetween(maker: Person, taker: Person, price: string): Promise<void> {
  await new TradePage(maker.page, server.url).limit("Buy", price, "0.01");
  await new TradePage(taker.page, server.url).limit("Sell", price, "0.01");
}

const bell = (page: Page) => page.getByRole("button", { name: /^Notices/ });
const centre = (page: Page) => page.getByRole("dialog", { name: "Notification centre" });

async function openCentre(page: Page, tab: "Notices" | "Price alerts" = "Notices") {
  await bell(page).click();
  const panel = centre(page);
  await panel.getByRole("tab", { name: tab }).click();
  return panel;
}

const items = (page: Page) =>
  centre(page).getByRole("list", { name: "Notices" }).getByRole("listitem");

test("a fill is told on another page, once, and its notice leads to it", async () => {
  const trade = new TradePage(ada.page, server.url);
  await trade.open();
  await trade.limit("Buy", "60000", "0.01");
  await ada.page.getByText("Buy order placed").waitFor();
  await ada.page.goto(`${server.url}/portfolio`);
  await bell(ada.page).waitFor();
  await ada.page.getByText("Live", { exact: true }).waitFor();
  const told = ada.page.getByText("Bought 0.01 BTC");
  const toasts = bob.page.locator("[data-sonner-toast]");
  const toldByTicket = toasts.getByText(/^Sold 0\.010* BTC/);
  const [times, timesByTicket] = await Promise.all([
    told.waitFor().then(() => told.count()),
    toldByTicket
      .first()
      .waitFor()
      .then(() => toldByTicket.count()),
    new TradePage(bob.page, server.url).limit("Sell", "60000", "0.01"),
  ]);
  // Bob was told by his ticket, and only by it.
  expect([times, timesByTicket]).toEqual([1, 1]);
  await ada.page.getByRole("button", { name: "Notices, 1 unread" }).waitFor();
  expect(await bob.page.getByRole("button", { name: "Notices", exact: true }).count()).toBe(1);

  const panel = await openCentre(ada.page);
  await panel.getByRole("link", { name: /Bought 0\.01 BTC/ }).click();
  await ada.page.waitForURL("**/fills/**");
  await ada.page.getByRole("button", { name: "Notices", exact: true }).waitFor();
  await ada.page.reload();
  await ada.page.getByRole("button", { name: "Notices", exact: true }).waitFor();
});

test("an alert fires while its owner is away, once, whatever happens to the server", async () => {
  await ada.page.goto(`${server.url}/trade?market=BTC-USD`);
  const panel = await openCentre(ada.page, "Price alerts");
  await panel.getByText("No price alerts").waitFor();
  await panel.getByLabel("Price", { exact: true }).fill("60000");
  await panel.getByRole("button", { name: "Create alert" }).click();
  await panel.getByText("This is the price now; choose another.").waitFor();
  await panel.getByLabel("Price", { exact: true }).fill("61000");
  await panel.getByRole("button", { name: "Create alert" }).click();
  const alerts = panel.getByRole("list", { name: "Price alerts" });
  await alerts.getByText("Crosses 61,000.00").waitFor();
  expect(await seriousOn(ada.page)).toEqual([]);
  await ada.page.close();

  const carol = await newPerson(browser, server.url);
  await fund(carol.context, server.url);
  await new TradePage(carol.page, server.url).open();
  await tradeBetween(carol, bob, "61500");
  await carol.context.close();
  await server.kill();
  await server.restart();

  const { page } = await openPage(ada.context);
  await page.goto(`${server.url}/dashboard`);
  await page.getByRole("button", { name: "Notices, 1 unread" }).waitFor();
  await openCentre(page);
  const told = items(page).filter({ hasText: "BTC-USD rose to 61,500.00" });
  await told.first().waitFor();
  expect(await told.count()).toBe(1);
  await centre(page).getByRole("button", { name: "Mark all read" }).click();
  await page.getByRole("button", { name: "Notices", exact: true }).waitFor();

  await server.kill();
  await server.restart();
  await page.goto(`${server.url}/dashboard`);
  await openCentre(page);
  await told.first().waitFor();
  expect(await told.count()).toBe(1);
  await centre(page).getByRole("tab", { name: "Price alerts" }).click();
  const alert = centre(page).getByRole("list", { name: "Price alerts" });
  await alert.getByText("Fired", { exact: true }).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  await alert.getByRole("button", { name: /^Set again/ }).click();
  await alert.getByText("Once", { exact: true }).waitFor();
  await alert.getByRole("button", { name: /^Delete/ }).click();
  await centre(page).getByText("No price alerts").waitFor();
  await page.close();
});

test("an alert is asked for from the chart and from the watchlist", async () => {
  const { page, complaints } = await openPage(bob.context);
  await page.goto(`${server.url}/trade?market=BTC-USD`);
  await page.getByText("Live", { exact: true }).waitFor();
  const panel = centre(page);
  await page.getByRole("button", { name: "Price alert for BTC-USD" }).click();
  await panel.getByRole("tab", { name: "Price alerts", selected: true }).waitFor();
  expect(await panel.getByLabel("Market", { exact: true }).inputValue()).toBe("BTC-USD");
  const price = panel.getByLabel("Price", { exact: true });
  expect(await price.evaluate((box) => box === document.activeElement)).toBe(true);
  await page.keyboard.type("12345.6");
  expect(await price.inputValue()).toBe("12,345.6");
  expect(await seriousOn(page)).toEqual([]);
  await page.keyboard.press("Escape");

  await page.locator("body").press("m");
  const markets = page.getByRole("dialog", { name: "Markets" });
  await markets.getByRole("button", { name: "ETH-USD is a favourite" }).click();
  await page.goto(`${server.url}/dashboard`);
  await page.getByText("Live", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Price alert for ETH-USD" }).click();
  await panel.getByRole("tab", { name: "Price alerts", selected: true }).waitFor();
  expect(await panel.getByLabel("Market", { exact: true }).inputValue()).toBe("ETH-USD");
  await page.keyboard.press("Escape");
  // OpenedResources by the bell itself it begins with the notices again.
  await bell(page).click();
  await panel.getByRole("tab", { name: "Notices", selected: true }).waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

test("a kind that is switched off is listed and not counted", async () => {
  const { page, complaints } = await openPage(ada.context);
  await page.goto(`${server.url}/settings#notifications`);
  const section = page.getByRole("region", { name: "Notifications" });
  const fills = section.getByLabel("Fills: On the page");
  await fills.waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await fills.uncheck();
  await section.locator("table[aria-busy=false]").waitFor();
  await page.reload();
  await fills.waitFor();
  expect(await fills.isChecked()).toBe(false);

  const trade = new TradePage(page, server.url);
  await trade.open();
  await trade.limit("Buy", "60000", "0.01");
  await new TradePage(bob.page, server.url).open();
  await new TradePage(bob.page, server.url).limit("Sell", "60000", "0.01");
  await openCentre(page);
  await items(page).filter({ hasText: "Bought 0.01 BTC" }).first().waitFor();
  expect(await page.getByRole("button", { name: "Notices", exact: true }).count()).toBe(1);
  expect(complaints).toEqual([]);
  await page.close();
});

test("a hidden page tells a fill by the browser's notification, once that is switched on", async () => {
  const { page } = await openPage(ada.context);
  // A test's browser shows none: what it is asked to show is kept instead.
  await page.addInitScript(() => {
    const told: string[] = [];
    class KeptNotification {
      static permission = "granted";
      constructor(title: string, options: NotificationOptions) {
        told.push(`${title} | ${options.body ?? ""}`);
      }
      addEventListener() {}
    }
    Object.assign(window, { Notification: KeptNotification, told });
  });
  await page.goto(`${server.url}/settings#notifications`);
  await page.getByText("Live", { exact: true }).waitFor();
  await page.getByLabel("Fills: Browser").check();
  await page.locator("table[aria-busy=false]").waitFor();
  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor();
  expect(await page.getByLabel("Fills: Browser").isChecked()).toBe(true);
  const trade = new TradePage(page, server.url);
  await trade.open();
  // A price of its own: an order that an earlier test left would trade first.
  await trade.limit("Buy", "60500", "0.02");
  await page.evaluate(() => Object.defineProperty(document, "hidden", { get: () => true }));
  await new TradePage(bob.page, server.url).limit("Sell", "60500", "0.02");
  const told = () => page.evaluate(() => (window as unknown as { told: string[] }).told);
  await expect
    .poll(told)
    .toEqual(["Bought 0.02 BTC | Limit 60,500.00, filled at an average of 60,500.00 USD."]);
  await page.close();
});

test.each([1440, 390])("the notification centre has no barrier at %i px", async (width) => {
  const { page } = await openPage(bob.context);
  await page.setViewportSize({ width, height: 800 });
  await page.goto(`${server.url}/dashboard`);
  await page.getByText("Live", { exact: true }).waitFor();
  await openCentre(page);
  await items(page).first().waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await centre(page).getByRole("tab", { name: "Price alerts" }).click();
  await centre(page).getByText("No price alerts").waitFor();
  expect(await seriousOn(page)).toEqual([]);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await page.keyboard.press("Escape");
  expect(await centre(page).isVisible()).toBe(false);
  expect(await bell(page).evaluate((element) => element === document.activeElement)).toBe(true);
  await page.close();
});

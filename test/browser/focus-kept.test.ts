/** The focus stays where its owner is when what was pressed goes away or can no longer be pressed. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { type Call, newTrader, openLive, openPage } from "./people.ts";

let server: SharedServer;
let browser: Browser;
let page: Page;
let call: Call;

beforeAll(async () => {
  server = await sharedServer("simulated");
  browser = await sharedChromium();
  ({ page, call } = await newTrader(browser, server.url));
});
afterAll(() => browser.close());

function open(path: string): Promise<void> {
  return openLive(page, server.url + path);
}

/** Presses it by key, as those do who depend on the focus. */
async function press(control: Locator): Promise<void> {
  await control.focus();
  await page.keyboard.press("Enter");
}

/** The focused element's accessible name, or else its text; "" if the page has lost the focus. */
async function focused(): Promise<string> {
  return await page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return "";
    return (element.getAttribute("aria-label") ?? element.textContent).trim();
  });
}

const button = (name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" }).first();

test("saving and discarding a profile leave it on Save, which says that there is nothing to save", async () => {
  await open("/settings");
  const name = page.getByLabel("First name");
  await name.fill("Augusta");
  await press(button("Save"));
  await page.getByText("Profile saved.").waitFor();
  await expect.poll(() => button("Save").isDisabled()).toBe(true);
  expect(await focused()).toBe("Save");
  let sent = 0;
  page.on("request", (request) => (sent += request.url().includes("/update-user") ? 1 : 0));
  await page.keyboard.press("Enter");
  await name.fill("Ada");
  await press(button("Discard"));
  await expect.poll(() => button("Discard").count()).toBe(0);
  expect(await focused()).toBe("Save");
  expect(await name.inputValue()).toBe("Augusta");
  expect(sent).toBe(0);
});

test("a market that is no longer watched leaves it to the next one, and the last to the panel", async () => {
  await call("watchlist:add", { markets: ["BTC-USD", "XLM-USD"] });
  await open("/dashboard");
  await press(button("Stop watching BTC-USD"));
  await expect.poll(() => button("Stop watching BTC-USD").count()).toBe(0);
  expect(await focused()).toContain("XLM-USD");
  await press(button("Stop watching XLM-USD"));
  await page.getByText("You watch no markets yet").waitFor();
  expect(await focused()).toContain("You watch no markets yet");
});

test("a market that was moved to the end of the watchlist keeps it", async () => {
  await call("watchlist:add", { markets: ["BTC-USD", "XLM-USD"] });
  await open("/dashboard");
  await button("Reorder").click();
  await press(button("Move BTC-USD down"));
  await expect.poll(() => button("Move BTC-USD down").isDisabled()).toBe(true);
  expect(await focused()).toBe("Move BTC-USD down");
});

test("an order that is cancelled on the dashboard leaves it to the next one, and the last to the panel", async () => {
  const order = { market: "BTC-USD", side: "buy", type: "limit", quantity: "0.001" };
  for (const price of ["30000.00", "30001.00"]) await call("orders:place", { ...order, price });
  await open("/dashboard");
  const cancel = page.getByRole("button", { name: /^Cancel order/ });
  await expect.poll(() => cancel.count()).toBe(2);
  await press(cancel.first());
  await expect.poll(() => cancel.count()).toBe(1);
  expect(await focused()).toContain("30,000.00");
  await press(cancel.first());
  await page.getByText("No open orders").waitFor();
  expect(await focused()).toContain("No open orders");
});

test("the activity keeps it when its filters are cleared", async () => {
  await open("/activity?kind=transfer");
  await press(button("Clear"));
  await page.waitForURL(/\/activity$/);
  await expect.poll(() => button("Clear").isDisabled()).toBe(true);
  expect(await focused()).toBe("Clear");
});

test("the end of a list has it once everything is shown", async () => {
  const order = { market: "BTC-USD", side: "buy", type: "limit", quantity: "0.001" };
  for (let count = 0; count < 42; count += 1) {
    await call("orders:place", { ...order, price: `${30_000 + count}.00` });
  }
  await call("orders:cancelAll", {});
  await open("/activity");
  for (;;) {
    await button("Show older").or(page.getByText("That is everything.")).first().waitFor();
    if ((await button("Show older").count()) === 0) break;
    await press(button("Show older"));
    await expect.poll(() => button("Show older").and(page.locator("[aria-busy]")).count()).toBe(0);
  }
  expect(await focused()).toBe("That is everything.");
});

test("a new price alert leaves it on the button that made it", async () => {
  await open("/dashboard");
  await button(/^Notices/).click();
  await page.getByRole("tab", { name: "Price alerts" }).click();
  await page.getByLabel("Alert me when it").selectOption("change");
  await page.getByLabel("Percent").fill("5");
  await press(button("Create alert"));
  await button(/^Delete: BTC-USD/).waitFor();
  await expect.poll(() => button("Create alert").isDisabled()).toBe(true);
  expect(await focused()).toBe("Create alert");
  await press(button(/^Delete: BTC-USD/));
  await page.getByText("No price alerts").waitFor();
  expect(await focused()).toContain("Create alert");
});

test("the page of an order has it once the order was cancelled there", async () => {
  const order = { market: "BTC-USD", side: "buy", type: "limit", price: "30000.00" };
  const { order: placed } = (await call("orders:place", { ...order, quantity: "0.001" })) as {
    order: { orderId: string };
  };
  await open(`/orders/${placed.orderId}`);
  const cancel = page.getByRole("button", { name: /^Cancel buy order/ });
  await press(cancel);
  await expect.poll(() => cancel.count()).toBe(0);
  await expect.poll(focused).toContain("Why it did not fill");
});

test("the section of the API keys has it once a key's faults were ended", async () => {
  const key = { name: "Desk", kind: "hmac", permissions: ["read"], addressRanges: [] };
  const made = (await call("apiKeys:create", key, "action")) as { key: { keyId: string } };
  await call("apiKeys:setFaults", {
    keyId: made.key.keyId,
    faults: { latencyMs: 1 },
    seconds: 600,
  });
  await open("/settings");
  await press(button("End faults of Desk"));
  await page.getByText("The faults have ended.").waitFor();
  await expect.poll(() => button("End faults of Desk").count()).toBe(0);
  expect(await focused()).toContain("Create a key");
  await press(button("Revoke Desk"));
  await press(page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }));
  await page.getByText("No API keys yet").waitFor();
  await expect.poll(focused).toContain("Create a key");
});

test("what takes the place of a sign-in form has it", async () => {
  const visitor = await browser.newContext();
  const { page: form } = await openPage(visitor);
  const titleOf = () => form.evaluate(() => document.activeElement?.textContent);
  await form.goto(`${server.url}/forgot-password`, { waitUntil: "networkidle" });
  await form.getByLabel("Email").fill("no-one@example.com");
  await form.keyboard.press("Enter");
  await expect.poll(titleOf).toBe("Check your email");
  await form.goto(`${server.url}/reset-password?token=none`, { waitUntil: "networkidle" });
  await form.getByLabel("New password").fill("several words at random");
  await form.keyboard.press("Enter");
  await expect.poll(titleOf).toBe("This link does not work");
  await visitor.close();
});

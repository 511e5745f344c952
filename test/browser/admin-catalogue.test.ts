/** Coins, plans, markets and their schedules, as administrators change them in a browser. */
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { expectFit, seriousOn } from "./axe.ts";
import { newPerson, type Person, readTable, sendUntilClosed } from "./people.ts";

const ADMIN_EMAIL = "root@example.com";

let server: RunningServer;
let browser: Browser;
let admin: Person;

beforeAll(async () => {
  server = await startServerProcess({ ADMIN_EMAIL, AUTH_RATE_LIMIT: "off", SIMULATION: "off" });
  browser = await sharedChromium();
  admin = await newPerson(browser, server.url, ADMIN_EMAIL);
});
afterAll(async () => {
  await browser.close();
  await server.remove();
});

async function open(path: string): Promise<void> {
  await admin.page.goto(`${server.url}${path}`);
  await admin.page.getByRole("heading", { name: "Administration" }).waitFor();
}

/** Machines that do much else at once take their time. */
function eventually<T>(look: () => Promise<T>) {
  return expect.poll(look, { timeout: 20_000 });
}

/** From the form over what it would change to the change. */
async function confirm(
  title: string,
  sentence: string,
  reason: string,
  page = admin.page,
): Promise<void> {
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByText(sentence).waitFor();
  const change = dialog.getByRole("button", { name: /^(?:Change|List) it$/ });
  await change.click();
  await dialog.getByText("Say why").waitFor();
  await dialog.getByLabel("Reason").fill(reason);
  await sendUntilClosed(dialog, change);
}

async function fill(dialog: Locator, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(texts)) {
    await dialog.getByLabel(label, { exact: true }).fill(text);
  }
}

test("a market's terms are changed after they were shown, and what cannot change is refused at its field", async () => {
  const { page } = admin;
  await open("/admin/markets");
  await page.getByRole("button", { name: "Terms of XLM-USD" }).click();
  const dialog = page.getByRole("dialog", { name: "Terms of XLM-USD" });
  const step = dialog.getByLabel("Price step");
  const before = await step.inputValue();
  await step.fill("1");
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByText(/Price step cannot change once it is listed/).waitFor();
  expect(await step.getAttribute("aria-invalid")).toBe("true");
  await step.fill(before);
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByText("Nothing would change.").waitFor();
  await dialog.getByLabel("Band for trades").fill("a lot");
  await dialog.getByLabel("Breaker halt").fill("60 s");
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByText("Enter percent such as 0.25").waitFor();
  await dialog.getByText("Enter minutes such as 5 or 0:30").waitFor();
  await dialog.getByLabel("Band for trades").fill("4");
  await dialog.getByLabel("Breaker halt").fill("1:30");
  const sentence = "Band for trades5.00% → 4.00%Breaker halt1 min → 1 min 30 s";
  await confirm("Terms of XLM-USD", sentence, "It moves less");
  await page.getByRole("button", { name: "Terms of XLM-USD" }).click();
  await eventually(() => dialog.getByLabel("Band for trades").inputValue()).toBe("4");
  expect(admin.complaints.splice(0)).toEqual([]);
});

test("what another administrator has changed since is not undone by one who began before", async () => {
  const { page } = admin;
  await open("/admin/markets");
  await page.getByRole("button", { name: "Terms of XLM-USD" }).click();
  const dialog = page.getByRole("dialog", { name: "Terms of XLM-USD" });
  await dialog.getByLabel("Smallest order").fill("3");

  const other = await admin.context.newPage();
  await other.goto(`${server.url}/admin/markets`);
  await other.getByRole("button", { name: "Terms of XLM-USD" }).click();
  const theirs = other.getByRole("dialog", { name: "Terms of XLM-USD" });
  await theirs.getByLabel("Band for trades").fill("4.5");
  await confirm("Terms of XLM-USD", "4.00% → 4.50%", "It moves more", other);
  await other.close();

  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByText("The market XLM-USD was changed in the meantime.").waitFor();
  expect(await seriousOn(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Terms of XLM-USD" }).click();
  await eventually(() => dialog.getByLabel("Band for trades").inputValue()).toBe("4.5");
  await dialog.getByLabel("Smallest order").fill("3");
  await confirm("Terms of XLM-USD", "Smallest order", "Small ones cost more than they bring");
  expect(admin.complaints.splice(0)).toEqual([]);
});

test("a plan gets a new version, which stands in the audit log", async () => {
  const { page } = admin;
  await open("/admin/plans");
  await page.getByRole("button", { name: "Change Pro" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the plan pro" });
  await dialog.getByLabel("Taker fee").fill("0.07");
  await confirm("Change the plan pro", "0.08% → 0.07%", "Cheaper for members");
  await eventually(async () => {
    const rows = await readTable(page, "Plans");
    return rows.find(({ Plan }) => Plan?.startsWith("Pro"))?.Taker;
  }).toContain("0.07");

  await open("/admin/audit");
  await page.getByRole("tab", { name: "Exchange" }).click();
  const changes = page.getByRole("list", { name: "Changes" });
  const row = changes.getByRole("listitem").filter({ hasText: "Cheaper for members" });
  await row.getByText("pro", { exact: true }).waitFor();
  await row.getByText("Taker fee").waitFor();
  await row.getByText("0.08% → 0.07%").waitFor();
  await row.getByText(`by ${ADMIN_EMAIL}`).waitFor();
  await page.getByLabel("Kind").selectOption("Coin");
  await page.getByText("Nothing on record").waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await row.waitFor();
  expect(new URL(page.url()).searchParams.get("of")).toBe("exchange");
  expect(admin.complaints.splice(0)).toEqual([]);
});

test("a coin and its market are listed, scheduled and delisted on a date", async () => {
  const { page } = admin;
  await open("/admin/coins");
  await page.getByRole("button", { name: "List a coin" }).click();
  const coin = page.getByRole("dialog", { name: "List a coin" });
  await fill(coin, { Symbol: "TEA", Name: "Tea", "Risk note": "It may dry out." });
  await confirm("List a coin", "NameTea", "The members voted");
  await eventually(async () =>
    (await readTable(page, "Coins")).some(({ Coin }) => Coin === "TEA Tea"),
  ).toBe(true);

  await open("/admin/markets");
  await page.getByRole("button", { name: "List a market" }).click();
  const market = page.getByRole("dialog", { name: "List a market" });
  await fill(market, { Symbol: "TEA-USD", "Largest quantity": "1000" });
  await confirm("List a market", "First statePre-open", "For the new coin");
  await page.getByRole("button", { name: "Schedule TEA-USD" }).click();
  const schedule = page.getByRole("dialog", { name: "Schedule of TEA-USD" });
  await schedule.getByRole("button", { name: "Add a step" }).click();
  await schedule.getByLabel("Reason").fill("Opens, and leaves");
  await schedule.getByRole("button", { name: "Set the schedule" }).click();
  await schedule.getByText("Enter a day and a time").waitFor();
  const nextYear = new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10);
  await schedule.getByLabel("Step 1, UTC").fill(`${nextYear}T14:00`);
  await sendUntilClosed(schedule, schedule.getByRole("button", { name: "Set the schedule" }));
  await eventually(async () => {
    const rows = await readTable(page, "Market states");
    return rows.find(({ Market }) => Market === "TEA-USD")?.State;
  }).toMatch(/^Pre-open ?closed at /);
  expect(admin.complaints.splice(0)).toEqual([]);
});

test("what is written about a coin stands where its users meet it, with its status in words", async () => {
  const { page } = admin;
  await open("/admin/coins");
  await page.getByRole("button", { name: "Change DOT" }).click();
  await fill(page.getByRole("dialog", { name: "Change DOT" }), {
    Description: "A token of the members.",
    Website: "https://dot.example/about",
    "Risk note": "It may be worth nothing tomorrow.",
  });
  await page
    .getByRole("dialog", { name: "Change DOT" })
    .getByLabel("Status")
    .selectOption("Delisting");
  await confirm("Change DOT", "Risk note", "The members asked");

  await page.goto(`${server.url}/trade?market=DOT-USD`);
  const name = "About DOT-USD";
  await page.getByRole("button", { name }).click();
  const about = page.getByRole("dialog", { name });
  const dot = about.getByRole("region", { name: "Polkadot" });
  await dot.getByText("A token of the members.").waitFor();
  await dot.getByText("It may be worth nothing tomorrow.").waitFor();
  await dot.getByText("Delisting").waitFor();
  await dot.getByText("It is leaving this exchange").waitFor();
  const link = dot.getByRole("link", { name: "https://dot.example/about" });
  expect(await link.getAttribute("href")).toBe("https://dot.example/about");
  expect(await link.getAttribute("rel")).toContain("noopener");
  await about.getByRole("region", { name: "US Dollar" }).getByText("Listed").waitFor();
  await expectFit(page, name);
  await page.keyboard.press("Escape");
  await dot.waitFor({ state: "hidden" });

  await page.goto(`${server.url}/`);
  const row = page.getByRole("row").filter({ hasText: "Polkadot" });
  await row.getByText("Delisting").waitFor();
  expect(admin.complaints.splice(0)).toEqual([]);
});

test("a coin gets an icon from a file, which pages show; what is no icon is refused at its field", async () => {
  const { page } = admin;
  await open("/admin/coins");
  await page.getByRole("button", { name: "Change ADA" }).click();
  const dialog = page.getByRole("dialog", { name: "Change ADA" });
  const choose = (name: string, buffer: Buffer) =>
    dialog.getByLabel("Icon").setInputFiles({ name, mimeType: "image/png", buffer });
  const square = (side: number) =>
    page.screenshot({ clip: { x: 0, y: 0, width: side, height: side } });
  await choose("tiny.png", await square(8));
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByText(/must be a square of 16 to 256 pixels/).waitFor();
  const icon = await square(32);
  await choose("ada.png", icon);
  await dialog.getByText(`${icon.length} bytes`).waitFor();
  await confirm("Change ADA", "image of ", "The members drew it");
  await eventually(async () => {
    const answer = await fetch(`${server.url}/coins/ada.svg`);
    return [answer.headers.get("content-type"), Buffer.from(await answer.arrayBuffer())];
  }).toEqual(["image/png", icon]);
  expect(admin.complaints.splice(0)).toEqual([]);
});

test("terms and schedules are in reach on a phone", async () => {
  const { page } = admin;
  await page.setViewportSize({ width: 390, height: 844 });
  await open("/admin/markets");
  await page.getByRole("button", { name: "Terms of BTC-USD" }).click();
  const terms = page.getByRole("dialog", { name: "Terms of BTC-USD" });
  await terms.getByLabel("Smallest order").waitFor();
  await terms.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Schedule BTC-USD" }).click();
  await page.getByRole("dialog", { name: "Schedule of BTC-USD" }).waitFor();
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(admin.complaints.splice(0)).toEqual([]);
});

test("coins, plans, markets and their windows have no barrier at any width", async () => {
  const { page } = admin;
  const visits: readonly (readonly [path: string, button: string | null])[] = [
    ["/admin/coins", "List a coin"],
    ["/admin/plans", "Change Pro"],
    ["/admin/markets", "List a market"],
    ["/admin/markets", "Schedule TEA-USD"],
    ["/admin/markets", null],
    ["/admin/audit?of=exchange", null],
  ];
  for (const [path, button] of visits) {
    await open(path);
    if (button !== null) {
      await page.getByRole("button", { name: button }).click();
      await page.getByRole("dialog").waitFor();
    }
    await expectFit(page, `${path} ${button}`);
  }
  expect(admin.complaints.splice(0)).toEqual([]);
});

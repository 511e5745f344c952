/** What a person does on the pages, in their words; tests say what should follow. */
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { expect } from "vitest";

const POLL_MS = 50;
export const PASSWORD = "correct-horse-battery-9";
let people = 0;

/** An address that no user has yet. */
function newEmail(): string {
  people += 1;
  return `person-${process.pid}-${people}@example.com`;
}

export async function signUp(page: Page, url: string, email = newEmail()): Promise<string> {
  await page.goto(`${url}/signup`);
  await createAccount(page, email);
  await page.waitForURL("**/dashboard");
  return email;
}

/** Fills in and sends the form that the page shows. */
export async function createAccount(page: Page, email = newEmail()): Promise<void> {
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill("Lovelace");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
}

/** Signs the browser up without its pages, for tests that are of something else. */
export async function register(
  context: BrowserContext,
  url: string,
  email = newEmail(),
): Promise<string> {
  const answer = await context.request.post(`${url}/api/auth/sign-up/email`, {
    headers: { origin: url },
    data: {
      name: "Ada",
      lastname: "Lovelace",
      email,
      password: PASSWORD,
      callbackURL: `/verify-email?email=${encodeURIComponent(email)}`,
    },
  });
  if (!answer.ok()) throw new Error(`${email} was not signed up: ${await answer.text()}`);
  return email;
}

/**
 * As a person does it; most tests take them without a page, by `fund`. The button is there before the page's
 * script, and a request is meant for two seconds, which a busy machine may miss: it is then pressed again.
 */
export async function takePracticeFunds(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/dashboard`);
  const arrived = page.getByText(/^Practice funds again in/);
  const take = page.getByRole("button", { name: /^Take .* practice funds$/ }).first();
  await expect
    .poll(
      async () => {
        if ((await take.count()) > 0 && (await take.isEnabled())) await take.click();
        return await arrived.count();
      },
      { interval: 1_000 },
    )
    .toBeGreaterThan(0);
}

/** Sends a person's request; it must succeed. @returns the answer's value */
export type Call = (path: string, args: object, kind?: "mutation" | "action") => Promise<unknown>;

/** Requests of the person who is signed in there, as programs send them. */
export async function callerOf(context: BrowserContext, url: string): Promise<Call> {
  const { token } = (await (await context.request.get(`${url}/api/auth/token`)).json()) as {
    token: string;
  };
  return async (path, args, kind = "mutation") => {
    const answer = await context.request.post(`${url}/api/${kind}`, {
      headers: { authorization: `Bearer ${token}` },
      data: { path, args, format: "json" },
    });
    const { status, value } = (await answer.json()) as { status: string; value: unknown };
    expect(status, `${path} ${JSON.stringify(args)}`).toBe("success");
    return value;
  };
}

/** Practice funds for the person who is signed in there. */
export async function fund(context: BrowserContext, url: string): Promise<void> {
  await (
    await callerOf(context, url)
  )("accounts:takePracticeFunds", {});
}

/** Whether a request missed the two seconds for which a click is meant, as it may on a busy machine. */
function isMissed(refusals: readonly string[]): boolean {
  return refusals.some((refusal) => /arrived too late|^Not sent/.test(refusal));
}

/**
 * Sends a request until it is taken, again after each time that it missed its two seconds.
 * @param refusal what the page says of a refused request
 */
export async function sendUntilTaken(
  press: () => Promise<void>,
  isTaken: () => Promise<boolean>,
  refusal: Locator,
): Promise<void> {
  await press();
  for (;;) {
    if (await isTaken()) return;
    if (isMissed(await refusal.allInnerTexts())) {
      await press();
      // The refusal goes as soon as the next request is on its way.
      await refusal.page().waitForTimeout(10 * POLL_MS);
    }
    await refusal.page().waitForTimeout(POLL_MS);
  }
}

/** Presses a dialog's button until the dialog closes, once more where a busy machine missed the two seconds. */
export async function sendUntilClosed(dialog: Locator, button: Locator): Promise<void> {
  const isClosed = async () => (await dialog.count()) === 0;
  await sendUntilTaken(() => button.click(), isClosed, dialog.getByRole("alert"));
}

/** Opens a page, acts while its script is held up, and lets the script in. */
export async function beforeScript(
  page: Page,
  address: string,
  act: () => Promise<void>,
): Promise<void> {
  const held = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(address, { waitUntil: "commit" });
  await act();
  held.resolve();
  await page.waitForLoadState("networkidle");
  await page.unrouteAll({ behavior: "wait" });
}

/** Moves the pointer until the page has noticed: a busy browser may drop a move. */
export async function touchUntil(page: Page, hasNoticed: () => Promise<boolean>): Promise<void> {
  for (let x = 300; !(await hasNoticed()); x = x === 300 ? 301 : 300) {
    await page.mouse.move(x, 300);
    await page.waitForTimeout(POLL_MS);
  }
}

export interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
  readonly email: string;
}

/** Signed up, in a browser of their own. */
export async function newPerson(browser: Browser, url: string, email?: string): Promise<Person> {
  // axe is put into the page, which its policy would refuse.
  const context = await browser.newContext({
    bypassCSP: true,
    viewport: { width: 1440, height: 900 },
    acceptDownloads: true,
  });
  const { page, complaints } = await openPage(context);
  return { context, page, complaints, email: await register(context, url, email) };
}

/** A page of someone who has signed up and has funds, and their requests as programs send them. */
export async function newTrader(
  browser: Browser,
  url: string,
): Promise<{ page: Page; call: Call }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  await register(context, url);
  await fund(context, url);
  return { page: await context.newPage(), call: await callerOf(context, url) };
}

/** Opens a page and waits for its script. */
export async function openLive(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
}

/** A page of the context that collects what the browser complains about. */
export async function openPage(
  context: BrowserContext,
): Promise<{ page: Page; complaints: string[] }> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return { page, complaints };
}

/** The cells of a table's rows as text, by the titles of its columns. */
export async function readTable(
  page: Page,
  name: string | RegExp,
): Promise<Record<string, string>[]> {
  const table = page.getByRole("table", { name });
  await table.first().waitFor();
  return await table.first().evaluate((element) => {
    const text = (cell: Element): string => (cell.textContent ?? "").replaceAll(/\s+/g, " ").trim();
    const titles = [...element.querySelectorAll("thead th")].map(text);
    return [...element.querySelectorAll("tbody tr")].map((row) =>
      Object.fromEntries([...row.children].map((cell, index) => [titles[index] ?? "", text(cell)])),
    );
  });
}

/** "1,234.500000" → "1234.5": the same number however a page prints it. */
export function plainNumber(text: string): string {
  const digits = text.replaceAll(/[,\s]/g, "").replace("−", "-");
  return digits.includes(".") ? digits.replace(/0+$/, "").replace(/\.$/, "") : digits;
}

export class TradePage {
  readonly page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
  }

  async open(market = "BTC-USD"): Promise<void> {
    await this.page.goto(`${this.#url}/trade?market=${market}`);
    await this.ticket().getByLabel("Price", { exact: true }).waitFor();
    // The ticket is there before the page's script, which takes keys.
    await this.page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
  }

  ticket() {
    return this.page.getByRole("region", { name: "Order ticket" });
  }

  async limit(side: "Buy" | "Sell", price: string, quantity: string): Promise<void> {
    await this.enterLimit(side, price, quantity);
    await this.#send(side);
  }

  async enterLimit(side: "Buy" | "Sell", price: string, quantity: string): Promise<void> {
    await this.#choose("Limit", side);
    await this.ticket().getByLabel("Price", { exact: true }).fill(price);
    await this.#quantity().fill(quantity);
  }

  async market(side: "Buy" | "Sell", quantity: string): Promise<void> {
    await this.#choose("Market", side);
    await this.#quantity().fill(quantity);
    await this.#send(side);
  }

  /** It may meet several others and be several trades. */
  async buyAtMarket(quantity: string): Promise<void> {
    await this.market("Buy", quantity);
    await this.showTab("Trades");
    await this.page.getByRole("tabpanel").getByText("Taker").first().waitFor();
  }

  async click(side: "Buy" | "Sell"): Promise<void> {
    await this.ticket()
      .getByRole("button", { name: new RegExp(`^${side} [A-Z]+$`) })
      .click();
  }

  /**
   * Returns when the order was taken, which empties its quantity, or refused. On a busy machine the two
   * seconds for which a click is meant may be over before the exchange has it: then it is sent again.
   */
  async #send(side: "Buy" | "Sell"): Promise<void> {
    const refusal = this.ticket().getByRole("alert").filter({ hasNotText: "checking…" });
    for (;;) {
      await this.click(side);
      // By hand: what prepares a file of tests may send orders too, where nothing can be expected yet.
      while ((await refusal.count()) === 0 && (await this.#quantity().inputValue()) !== "") {
        await this.page.waitForTimeout(POLL_MS);
      }
      if (!isMissed(await refusal.allInnerTexts())) return;
    }
  }

  #quantity() {
    return this.ticket().getByLabel("Quantity", { exact: true });
  }

  async #choose(type: "Limit" | "Market", side: "Buy" | "Sell"): Promise<void> {
    await this.ticket().getByRole("button", { name: type, exact: true }).click();
    await this.ticket()
      .getByRole("group", { name: "Side" })
      .getByRole("button", { name: side })
      .click();
  }

  async showTab(name: "Open orders" | "Order history" | "Trades" | "Balances"): Promise<void> {
    await this.page
      .getByRole("tab", { name: new RegExp(`^${name}`) })
      .first()
      .click();
  }
}

/** What administrators see and do, and what the people they do it to notice, in a real browser. */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scan } from "../support/authenticator-app.ts";
import { sharedChromium } from "../support/chromium.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { expectFit, seriousOn } from "./axe.ts";
import {
  callerOf,
  newPerson,
  openPage,
  PASSWORD,
  type Person,
  readTable,
  fund,
  TradePage,
  sendUntilClosed,
} from "./people.ts";

const ADMIN_EMAIL = "root@example.com";

let server: RunningServer;
let browser: Browser;
let admin: Person;

beforeAll(async () => {
  server = await startServerProcess({
    ADMIN_EMAIL,
    AUTH_RATE_LIMIT: "off",
    SIMULATION: "off",
  });
  browser = await sharedChromium();
  admin = await newPerson(browser, server.url, ADMIN_EMAIL);
});
afterAll(async () => {
  await browser.close();
  await server.remove();
});

/** A user who only fills the list, without a browser. */
async function signUpQuickly(email: string, name: string, lastname: string): Promise<void> {
  const answer = await fetch(`${server.url}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: server.url },
    body: JSON.stringify({ email, name, lastname, password: PASSWORD }),
  });
  expect(answer.status).toBe(200);
}

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto(`${server.url}/login`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Opens the list as the administrator, and on it the user of that address. */
async function openUser(email: string, page = admin.page): Promise<void> {
  await page.goto(`${server.url}/admin/users?search=${encodeURIComponent(email)}`);
  await page.getByRole("row").filter({ hasText: email }).getByRole("link").click();
  await page.getByRole("heading", { name: "Security events" }).waitFor();
  await page.getByRole("main").getByText(email).first().waitFor();
}

/** Presses a button of the user's page, and the one that means it in the window that opens. */
async function confirm(button: string, title: RegExp, submit: string): Promise<void> {
  await admin.page.getByRole("button", { name: button, exact: true }).click();
  const dialog = admin.page.getByRole("dialog", { name: title });
  await sendUntilClosed(dialog, dialog.getByRole("button", { name: submit, exact: true }));
}

/** Waits until the record has that sentence about the user. */
async function seeOnRecord(email: string, sentence: RegExp): Promise<void> {
  await admin.page.goto(`${server.url}/admin/audit?user=${encodeURIComponent(email)}`);
  await admin.page.getByRole("main").getByRole("listitem").getByText(sentence).first().waitFor();
}

/** Machines that do much else at once take their time. */
function eventually<T>(look: () => Promise<T>) {
  return expect.poll(look, { timeout: 20_000 });
}

function unexpected(person: Person, expected = /^$/): string[] {
  return person.complaints.splice(0).filter((text) => !expected.test(text));
}

describe("the list", () => {
  beforeAll(async () => {
    for (let number = 10; number < 40; number += 1) {
      await signUpQuickly(`list-${number}@example.net`, "Listed", `Person ${number}`);
    }
    await signUpQuickly("mohammed@example.net", "محمد", "الفارسي");
  });

  test("finds people by name and address, and remembers the search in the address", async () => {
    const { page } = admin;
    await page.goto(`${server.url}/admin`);
    const sections = page.getByRole("navigation", { name: "Administration" });
    await sections.getByRole("link", { name: "Users" }).click();
    await page.waitForURL("**/admin/users");
    await eventually(() => page.title()).toBe("Users");
    await page.getByRole("table", { name: "Users" }).waitFor();
    const search = page.getByRole("searchbox", { name: "Search names and emails" });
    await search.fill("person 23 listed");
    await eventually(async () => (await readTable(page, "Users")).length).toBe(1);
    const [found] = await readTable(page, "Users");
    expect(found?.Person).toContain("Listed Person 23");
    expect(found?.Email).toContain("list-23@example.net");
    expect([found?.State, found?.["Last seen"]]).toEqual(["Active", "Today"]);
    expect(new URL(page.url()).searchParams.get("search")).toBe("person 23 listed");

    await search.fill("mohammed@");
    await page.getByRole("link", { name: "محمد الفارسي" }).waitFor();
    await search.fill("xyzzy plugh");
    await page.getByText("No one matches").waitFor();
    await page.reload();
    await page.getByText("No one matches").waitFor();
    expect(await search.inputValue()).toBe("xyzzy plugh");
    expect(unexpected(admin)).toEqual([]);
  });

  test("filters, sorts and turns pages over all users, not over the shown ones", async () => {
    const { page } = admin;
    await page.goto(`${server.url}/admin/users?search=example.net`);
    await page.getByText("1–25 of 31").waitFor();
    await page.getByRole("button", { name: "Email" }).click();
    await eventually(async () => (await readTable(page, "Users"))[0]?.Email).toContain(
      "list-10@example.net",
    );
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("26–31 of 31").waitFor();
    expect((await readTable(page, "Users")).at(-1)?.Email).toContain("mohammed@example.net");
    expect(await page.getByRole("button", { name: "Next" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Email" }).click();
    await page.getByText("1–25 of 31").waitFor();
    await eventually(async () => (await readTable(page, "Users"))[0]?.Email).toContain(
      "mohammed@example.net",
    );

    // A page that is on its way does not count those of the page before as its own.
    await admin.context.setOffline(true);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Loading…", { exact: true }).waitFor();
    expect(await page.getByText("26–50 of 31").count()).toBe(0);
    await admin.context.setOffline(false);
    await page.getByText("26–31 of 31").waitFor();

    await page.goto(`${server.url}/admin/users`);
    await page.getByRole("combobox", { name: "Role" }).click();
    await page.getByRole("option", { name: "Admins" }).click();
    await page.getByText("1–1 of 1").waitFor();
    expect((await readTable(page, "Users"))[0]?.Email).toContain(ADMIN_EMAIL);
    expect(unexpected(admin, /INTERNET_DISCONNECTED/)).toEqual([]);
  });
});

/** The path of every page of administrators, from the files of their routes. */
const ADMIN_PATHS = readdirSync("src/web/routes/_admin").map((file) =>
  `/${file.replace(/(\.index)?\.tsx$/, "").replaceAll(".", "/")}`.replace("$userId", "some-id"),
);

describe("all others", () => {
  test("finds no such page, no way to it and no answers", async () => {
    const member = await newPerson(browser, server.url);
    const { page } = member;
    for (const path of ADMIN_PATHS) {
      expect([path, (await page.request.get(`${server.url}${path}`)).status()]).toEqual([
        path,
        404,
      ]);
      // A visitor is not even sent to sign in, as at any address that leads nowhere.
      const visitor = await fetch(`${server.url}${path}`, { redirect: "manual" });
      expect([path, visitor.status]).toEqual([path, 404]);
    }
    await page.goto(`${server.url}/admin/users/some-id`);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await page.goto(`${server.url}/dashboard`, { waitUntil: "networkidle" });
    expect(await page.getByRole("link", { name: "Admin" }).count()).toBe(0);
    await page.getByRole("button", { name: /account of/ }).click();
    await page.getByRole("menuitem", { name: "Settings" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Administration" }).count()).toBe(0);
    const refused = await page.evaluate(
      async () => (await fetch("/api/auth/admin/list-users")).status,
    );
    expect(refused).toBe(403);
    await member.context.close();
  });

  test("loses the pages at once with the role", async () => {
    const second = await newPerson(browser, server.url);
    await openUser(second.email);
    await confirm("Make administrator", /^Make .* an administrator/, "Make administrator");
    await second.page.goto(`${server.url}/admin/users`);
    await second.page.getByRole("table", { name: "Users" }).waitFor();
    await confirm("Make user", /a user again/, "Make user");
    await second.page.getByRole("heading", { name: "Page not found" }).waitFor();
    expect((await second.page.reload())?.status()).toBe(404);
    await seeOnRecord(second.email, /Role changed: user/);
    await second.context.close();
  });
});

describe("a ban", () => {
  test("ends the open page, keeps out until it is lifted, and is on record", async () => {
    const member = await newPerson(browser, server.url);
    const trade = new TradePage(member.page, server.url);
    await trade.open();
    await openUser(member.email);
    await admin.page.getByRole("button", { name: "Ban", exact: true }).click();
    const dialog = admin.page.getByRole("dialog", { name: /^Ban / });
    await dialog.getByRole("button", { name: "Ban", exact: true }).click();
    await dialog.getByText("Say why").waitFor();
    await dialog.getByLabel("Reason").fill("Wash trading");
    await dialog.getByRole("combobox", { name: "How long" }).click();
    await admin.page.getByRole("option", { name: "7 days" }).click();
    await sendUntilClosed(dialog, dialog.getByRole("button", { name: "Ban", exact: true }));
    await admin.page.getByText(/^Banned until /).waitFor();
    await admin.page.getByText("Wash trading", { exact: true }).waitFor();
    await admin.page.getByText("Signed in nowhere.").waitFor();

    // The open page cannot trade any more: it says why, and the next sign-in is refused.
    await member.page.getByText("Your session has ended.").waitFor();
    expect(new URL(member.page.url()).pathname).toBe("/login");
    await signIn(member.page, member.email);
    await member.page
      .getByText(/banned/i)
      .first()
      .waitFor();
    expect(new URL(member.page.url()).pathname).toBe("/login");
    await admin.page.goto(`${server.url}/admin/users?state=banned`);
    await admin.page.getByRole("row").filter({ hasText: member.email }).waitFor();
    await seeOnRecord(member.email, /by an administrator: Wash trading/);

    await openUser(member.email);
    await confirm("Unban", /^Unban /, "Unban");
    await admin.page.getByRole("button", { name: "Ban", exact: true }).waitFor();
    await signIn(member.page, member.email);
    await member.page.waitForURL("**/dashboard");
    expect(unexpected(admin)).toEqual([]);
    await member.context.close();
  });

  test("is nothing that administrators can do to themselves", async () => {
    await openUser(ADMIN_EMAIL);
    for (const name of ["Ban", "Delete", "View as user"]) {
      expect(await admin.page.getByRole("button", { name, exact: true }).isDisabled()).toBe(true);
    }
    await admin.page.getByRole("button", { name: "Make user" }).click();
    const dialog = admin.page.getByRole("dialog", { name: /a user again/ });
    await dialog.getByRole("button", { name: "Make user" }).click();
    await dialog.getByRole("alert").getByText("There is no other administrator.").waitFor();
    await admin.page.keyboard.press("Escape");
    expect(unexpected(admin, /403/)).toEqual([]);
  });
});

test("a frozen account keeps its user and trades no more until it is unfrozen", async () => {
  const member = await newPerson(browser, server.url);
  await fund(member.context, server.url);
  const trade = new TradePage(member.page, server.url);
  await trade.open();
  await trade.limit("Buy", "30000.01", "0.0123");
  await trade.showTab("Open orders");
  await member.page.getByRole("button", { name: /^Cancel buy order/ }).waitFor();

  await openUser(member.email);
  await admin.page.getByRole("button", { name: "Freeze", exact: true }).click();
  const dialog = admin.page.getByRole("dialog", { name: /^Freeze the account/ });
  await dialog.getByLabel("Reason").fill("A question about last night");
  await dialog.getByLabel("Cancel its open orders").check();
  await sendUntilClosed(dialog, dialog.getByRole("button", { name: "Freeze" }));
  await admin.page.getByText("Places no orders, changes no plan, withdraws nothing.").waitFor();
  await member.page.getByText("No open orders").waitFor();
  await trade.limit("Buy", "30000.02", "0.0123");
  await trade
    .ticket()
    .getByRole("alert")
    .getByText(/frozen/)
    .waitFor();

  await admin.page.getByRole("button", { name: "Unfreeze", exact: true }).click();
  const question = admin.page.getByRole("dialog", { name: /^Unfreeze/ });
  await question.getByLabel("Reason").fill("It is answered");
  await sendUntilClosed(question, question.getByRole("button", { name: "Unfreeze" }));
  await trade.limit("Buy", "30000.03", "0.0123");
  await member.page.getByRole("button", { name: /^Cancel buy order/ }).waitFor();
  expect(unexpected(admin)).toEqual([]);
  await member.context.close();
});

test("a question about an account stays what was asked when another administrator acts first", async () => {
  const member = await newPerson(browser, server.url);
  await fund(member.context, server.url);
  const elsewhere = await callerOf(admin.context, server.url);
  await openUser(member.email);
  const { page } = admin;
  const userId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const freeze = (frozen: boolean) =>
    elsewhere("accounts:freeze", { userId, frozen, reason: "Elsewhere" });
  await page.getByRole("button", { name: "Freeze", exact: true }).click();
  const asked = page.getByRole("dialog", { name: /^Freeze the account/ });
  await asked.getByLabel("Reason").fill("A question about last night");
  await sendUntilClosed(asked, asked.getByRole("button", { name: "Freeze" }));
  await page.locator("[data-sonner-toast]").getByText("Lovelace is frozen.").waitFor();

  await page.getByRole("button", { name: "Unfreeze", exact: true }).click();
  const question = page.getByRole("dialog", { name: /^Unfreeze/ });
  await question.getByLabel("Reason").fill("It is answered");
  await freeze(false);
  await page.getByText("Stops it from trading and withdrawing").waitFor();
  expect(await page.getByRole("dialog").innerText()).toMatch(/^Unfreeze the account/);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Assign plan" }).click();
  const plans = page.getByRole("dialog", { name: /^Assign a plan/ });
  await plans.getByLabel("Reason").fill("By agreement");
  await elsewhere("plans:assign", { userId, plan: "active", reason: "Elsewhere" });
  await page.getByText("Active now.").waitFor();
  await plans.getByRole("button", { name: "Assign Active" }).waitFor();
  await page.keyboard.press("Escape");
  expect(unexpected(admin)).toEqual([]);
  await member.context.close();
});

test("an exchange of practice money says that nothing is reviewed, and imports nothing", async () => {
  await admin.page.goto(`${server.url}/admin/transfers`);
  await admin.page.getByText("This exchange trades practice money").waitFor();
  expect(await admin.page.getByRole("button", { name: "Import a statement" }).isDisabled()).toBe(
    true,
  );
});

describe("viewing as a user", () => {
  test("shows everything, changes nothing, and leads back", async () => {
    const member = await newPerson(browser, server.url);
    await openUser(member.email);
    await admin.page.getByRole("button", { name: "View as user", exact: true }).click();
    await admin.page
      .getByRole("dialog", { name: /^View as/ })
      .getByRole("button", { name: "View as user" })
      .click();
    await admin.page.waitForURL("**/dashboard");
    const banner = admin.page.getByRole("region", { name: "Impersonation" });
    await banner.getByText("Changes are disabled.").waitFor();
    expect(await banner.innerText()).toContain("Ada Lovelace is viewing as");
    expect(await banner.innerText()).toContain(member.email);
    const timeLeft = () => banner.getByText(/^\d+:\d\d$/).innerText();
    const before = await timeLeft();
    expect(before).toMatch(/^(59|60):\d\d$/);
    await eventually(timeLeft).not.toBe(before);

    const trade = new TradePage(admin.page, server.url);
    await trade.open();
    await banner.waitFor();
    await trade
      .ticket()
      .getByText(/changes are disabled/)
      .waitFor();
    const buy = trade.ticket().getByRole("button", { name: /^Buy [A-Z]+$/ });
    expect(await buy.isDisabled()).toBe(true);
    const take = trade.ticket().getByRole("button", { name: /practice funds$/ });
    expect(await take.isDisabled()).toBe(true);
    await trade.showTab("Open orders");
    await admin.page.getByText("No open orders").waitFor();
    await admin.page.getByRole("button", { name: /account of/ }).click();
    await admin.page.getByRole("menuitem", { name: "Settings" }).waitFor();
    expect(await admin.page.getByRole("menuitem", { name: "Sign out" }).count()).toBe(0);
    await admin.page.keyboard.press("Escape");
    await admin.page.goto(`${server.url}/settings`);
    await admin.page.getByRole("heading", { name: "Danger zone" }).waitFor();
    const changing = admin.page
      .locator("main :is(button, input, select, textarea):enabled")
      .evaluateAll((all) => all.map((control) => control.outerHTML));
    expect(await changing).toEqual([]);
    for (const path of ADMIN_PATHS) {
      const { page } = admin;
      expect([path, (await page.request.get(`${server.url}${path}`)).status()]).toEqual([
        path,
        404,
      ]);
    }

    await admin.page.goto(`${server.url}/portfolio`);
    await banner.getByRole("button", { name: "Stop" }).click();
    await admin.page.waitForURL("**/admin/users");
    await admin.page.getByRole("table", { name: "Users" }).waitFor();
    expect(await banner.count()).toBe(0);
    await seeOnRecord(member.email, /started viewing this account/);
    await seeOnRecord(member.email, /stopped viewing this account/);
    // The person can see it too.
    await member.page.goto(`${server.url}/activity?kind=security`, { waitUntil: "networkidle" });
    const looked = member.page.getByRole("button", { name: /started viewing/ });
    await looked.click();
    await member.page.getByText("An administrator", { exact: true }).waitFor();
    expect(unexpected(admin, /404/)).toEqual([]);
    expect(unexpected(member)).toEqual([]);
    await member.context.close();
  });

  test("reaches every window of the browser, and ends with its time", async () => {
    const member = await newPerson(browser, server.url);
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      storageState: await admin.context.storageState(),
    });
    // The pages' clock, not the server's: the hour passes for them alone.
    await context.clock.install();
    const first = await openPage(context);
    const other = await openPage(context);
    await other.page.goto(`${server.url}/dashboard`);
    await other.page.getByText("Live", { exact: true }).waitFor();
    expect(await other.page.getByRole("region", { name: "Impersonation" }).count()).toBe(0);

    await openUser(member.email, first.page);
    await first.page.getByRole("button", { name: "View as user", exact: true }).click();
    const question = first.page.getByRole("dialog");
    await question.getByRole("button", { name: "View as user" }).click();
    const banner = first.page.getByRole("region", { name: "Impersonation" });
    await banner.getByText("left").waitFor();
    // The other window notices with its next token that its cookies are another user's.
    await context.clock.fastForward("06:00");
    await other.page.getByRole("region", { name: "Impersonation" }).getByText("left").waitFor();
    await other.page.close();
    await context.clock.fastForward("53:58");
    await first.page.waitForURL("**/admin/users");
    await first.page.getByRole("table", { name: "Users" }).waitFor();
    expect(first.complaints).toEqual([]);
    await context.close();
    await member.context.close();
  });
});

describe("an account", () => {
  test("gets a new password, loses a device and is deleted, all on record", async () => {
    const member = await newPerson(browser, server.url);
    await fund(member.context, server.url);
    const trade = new TradePage(member.page, server.url);
    await trade.open();
    await trade.limit("Buy", "30000.01", "0.0123");
    await trade.showTab("Open orders");
    await member.page.getByRole("button", { name: /^Cancel buy order/ }).waitFor();

    await openUser(member.email);
    await admin.page.getByText("1", { exact: true }).first().waitFor();
    await admin.page.getByRole("button", { name: "Set password" }).click();
    const dialog = admin.page.getByRole("dialog", { name: /^Set a password/ });
    await dialog.getByLabel("New password").fill("short");
    await dialog.getByRole("button", { name: "Set password" }).click();
    await dialog.getByText("Use at least 8 characters").waitFor();
    await dialog.getByLabel("New password").fill("meadow-Lantern-41-quartz");
    await sendUntilClosed(dialog, dialog.getByRole("button", { name: "Set password" }));
    await member.page.waitForURL("**/login**");
    await signIn(member.page, member.email);
    await member.page
      .getByRole("alert")
      .getByText(/Invalid email or password/)
      .waitFor();
    await signIn(member.page, member.email, "meadow-Lantern-41-quartz");
    await member.page.waitForURL("**/dashboard");
    await seeOnRecord(member.email, /Password changed: by an administrator/);

    await openUser(member.email);
    await admin.page.getByRole("button", { name: /^Sign out Chrome/ }).click();
    const asked = admin.page.getByRole("dialog", { name: / out on Chrome/ });
    await sendUntilClosed(asked, asked.getByRole("button", { name: "Sign out", exact: true }));
    await admin.page.getByText("Signed in nowhere.").waitFor();
    await member.page.waitForURL("**/login**");
    await seeOnRecord(member.email, /device was signed out/);

    await openUser(member.email);
    await admin.page.getByRole("button", { name: "Delete", exact: true }).click();
    const question = admin.page.getByRole("dialog", { name: /^Delete / });
    await question.getByText("1 open order is cancelled.").waitFor();
    await question.getByText(/100,000 USD/).waitFor();
    const yes = question.getByRole("button", { name: "Delete for good" });
    expect(await yes.isDisabled()).toBe(true);
    await question.getByRole("textbox").fill("another@example.com");
    expect(await yes.isDisabled()).toBe(true);
    await question.getByRole("textbox").fill(member.email);
    await yes.click();
    await admin.page.waitForURL("**/admin/users");
    await signIn(member.page, member.email, "meadow-Lantern-41-quartz");
    await member.page
      .getByRole("alert")
      .getByText(/Invalid email or password/)
      .waitFor();
    await admin.page.goto(`${server.url}/admin/audit?kind=accountDeleted`);
    await admin.page.getByRole("listitem").getByText("Deleted user").first().waitFor();
    expect(unexpected(admin)).toEqual([]);
    await member.context.close();
  });

  test("whose owner lost the second factor opens with the password alone again", async () => {
    const member = await newPerson(browser, server.url);
    await member.page.goto(`${server.url}/dashboard`);
    const post = (path: string, body: object) =>
      member.page.evaluate(
        async ({ path, body }) => {
          const headers = { "content-type": "application/json" };
          const request = { method: "POST", headers, body: JSON.stringify(body) };
          return (await (await fetch(`/api/auth/two-factor/${path}`, request)).json()) as {
            totpURI: string;
          };
        },
        { path, body },
      );
    const { totpURI } = await post("enable", { password: PASSWORD });
    await post("verify-totp", { code: scan(totpURI).code() });

    await openUser(member.email);
    await admin.page.getByText("Asked for at every sign-in.").waitFor();
    await admin.page.getByRole("button", { name: "Remove second factor" }).click();
    const dialog = admin.page.getByRole("dialog", { name: /^Remove the second factor of/ });
    expect(await seriousOn(admin.page)).toEqual([]);
    await dialog.getByRole("button", { name: "Remove second factor" }).click();
    await admin.page.getByText("None is set up.").waitFor();
    await member.page.getByText("Your session has ended.").waitFor();
    await signIn(member.page, member.email);
    await member.page.waitForURL("**/dashboard");
    await seeOnRecord(member.email, /Two-factor sign-in removed by an administrator/);
    expect(unexpected(admin)).toEqual([]);
    await member.context.close();
  });

  test("that is gone says so", async () => {
    await admin.page.goto(`${server.url}/admin/users/unknown-id`);
    await admin.page.getByText("There is no such user").waitFor();
    expect(unexpected(admin, /404/)).toEqual([]);
  });
});

describe("the audit log", () => {
  test("is filtered by user, kind, words and days, opens its rows and is exported", async () => {
    const { page } = admin;
    const email = "list-20@example.net";
    await page.goto(`${server.url}/admin/audit`);
    expect(await page.title()).toBe("Audit log");
    const rows = page.getByRole("main").getByRole("listitem");
    await rows.first().waitFor();
    const whole = await rows.count();
    await page.getByLabel("User", { exact: true }).fill(email);
    await eventually(() => rows.count()).toBeLessThan(whole);
    await page.getByLabel("Kind").selectOption({ label: "Signed up" });
    await eventually(() => rows.count()).toBe(1);
    await rows.first().getByRole("button").click();
    await page.getByRole("link", { name: email }).waitFor();
    await page.getByText("127.0.0.1").waitFor();

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export all rows (CSV)" }).click(),
    ]);
    const csv = await readFile(await download.path(), "utf8");
    expect(csv.split("\r\n")).toHaveLength(3);
    expect(csv).toMatch(new RegExp(`signedUp,Signed up,completed,[^,]+,${email}`));

    await page.getByLabel("To").fill("2020-01-01");
    await page.getByText("Nothing on record").waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await eventually(() => rows.count()).toBe(whole);
    expect(await page.getByLabel("User", { exact: true }).inputValue()).toBe("");
    await page.getByLabel("Text").fill("role changed");
    await rows
      .first()
      .getByText(/Role changed/)
      .waitFor();
    await page.getByLabel("Text").fill("no event has these words");
    await page.getByText("Nothing on record").waitFor();
    expect(unexpected(admin)).toEqual([]);
  });

  test("continues where it ended", async () => {
    await admin.page.goto(`${server.url}/admin/audit`);
    const rows = admin.page.getByRole("main").getByRole("listitem");
    await eventually(() => rows.count()).toBe(50);
    await admin.page.getByRole("button", { name: "Show older" }).click();
    await eventually(() => rows.count()).toBeGreaterThan(50);
  });
});

test("a user is found and banned without a mouse", async () => {
  const { page } = admin;
  await signUpQuickly("keys@example.net", "Key", "Board");
  await page.goto(`${server.url}/admin/users`);
  await page.getByRole("table", { name: "Users" }).waitFor();
  const reach = async (name: string): Promise<void> => {
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate(
        () =>
          document.activeElement?.getAttribute("aria-label") ??
          document.activeElement?.textContent?.trim() ??
          "",
      );
      if (focused === name) return;
    }
    throw new Error(`no way by keyboard to ${name}`);
  };
  await reach("Search names and emails");
  await page.keyboard.type("keys@example.net");
  await eventually(async () => (await readTable(page, "Users")).length).toBe(1);
  await reach("Key Board");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Security events" }).waitFor();
  await reach("Ban");
  await page.keyboard.press("Enter");
  // The window takes the focus to its first field.
  await page.getByRole("dialog", { name: "Ban Key Board?" }).waitFor();
  await page.keyboard.type("Asked for it");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Unban" }).waitFor();
  // And gives it back to the button that opened it.
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Unban");
});

describe("every page and window", () => {
  const check = (what: string): Promise<void> => expectFit(admin.page, what);

  test("is accessible at every width", async () => {
    const { page } = admin;
    const email = `${"a-very-long-address-".repeat(3)}@${"enormous-organisation-".repeat(2)}x.example`;
    await signUpQuickly(
      email,
      "Wolfeschlegelsteinhausenbergerdorff",
      "Wolfeschlegelsteinhausenbergerdorffsohn",
    );
    await page.goto(`${server.url}/admin/users`);
    await page.getByRole("table", { name: "Users" }).waitFor();
    await check("the list");
    // The narrowest window with the navigation in the top bar, which administrators have one link more in.
    await page.setViewportSize({ width: 768, height: 900 });
    const cut = await page
      .getByRole("banner")
      .getByRole("link", { name: /dashboard$/ })
      .locator("span")
      .evaluateAll((names) => names.some((name) => name.scrollWidth > name.clientWidth));
    expect(cut).toBe(false);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${server.url}/admin/audit`);
    // A phone shows half of the sections: the strip begins where the page is.
    const section = page.getByRole("navigation", { name: "Administration" });
    const place = () => section.getByRole("link", { name: "Audit log" }).boundingBox();
    await expect.poll(async () => (await place())?.x).toBeLessThan(300);
    await page.getByRole("main").getByRole("listitem").first().getByRole("button").click();
    await check("the audit log");
    await openUser(email);
    await check("a user");
    const windows = [
      "View as user",
      "Make administrator",
      "Set password",
      "Assign plan",
      "Adjust balance",
      "Freeze",
      "Ban",
      "Delete",
    ];
    for (const name of windows) {
      await page.getByRole("button", { name, exact: true }).click();
      await page.getByRole("dialog").waitFor();
      await check(`the window of ${name}`);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    await page.getByRole("button", { name: "View as user", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "View as user" }).click();
    await page.getByRole("region", { name: "Impersonation" }).getByText("left").waitFor();
    await check("the banner");
    await page.goto(`${server.url}/activity`);
    await page.getByRole("main").getByRole("listitem").first().getByRole("button").click();
    await check("activity");
    await page.getByRole("button", { name: "Stop" }).click();
    await page.waitForURL("**/admin/users");
    expect(unexpected(admin)).toEqual([]);
  });
});

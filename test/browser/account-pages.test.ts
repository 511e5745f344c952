/** The life of an account as its owner sees it, from the sign-up to the deletion, in a real browser. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Database from "better-sqlite3";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { STEP_MS } from "#server/accounts/second-factor/time-codes.ts";
import { scan } from "../support/authenticator-app.ts";
import { sharedChromium } from "../support/chromium.ts";
import { startServerProcess } from "../support/running-server.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { expectFit } from "./axe.ts";
import {
  beforeScript,
  openPage,
  PASSWORD,
  TradePage,
  register,
  fund,
  touchUntil,
} from "./people.ts";

const NEW_PASSWORD = "another-long-sentence-7";
const TWO_DAYS_MS = 2 * 24 * 3600 * 1000;

let server: SharedServer;
let browser: Browser;
/** By its name: browsers bind no passkey to a number. */
let url: string;

beforeAll(async () => {
  server = await sharedServer("quiet");
  url = nameOf(server);
  browser = await sharedChromium();
});
afterAll(() => browser.close());

function nameOf({ url: address }: SharedServer): string {
  return address.replace("127.0.0.1", "localhost");
}

/** A user with a separate browser. */
interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
}

async function newPerson(): Promise<Person> {
  // axe is put into the page, which its policy would refuse.
  const context = await browser.newContext({ bypassCSP: true });
  return { context, ...(await openPage(context)) };
}

async function newMember(): Promise<Person & { readonly email: string }> {
  const person = await newPerson();
  return { ...person, email: await register(person.context, url) };
}

interface OutboxMail {
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
}

/** All mails that were not sent for want of a mail server, oldest first. */
function mailsOf({ dataDir }: SharedServer): OutboxMail[] {
  const database = new Database(join(dataDir, "openbell.sqlite"), { readonly: true });
  try {
    return database
      .prepare<[], OutboxMail>("select * from outbox_mails order by created_at_ms")
      .all();
  } finally {
    database.close();
  }
}

/** The link of the newest mail to that address about that; waits for it. */
async function mailedLink(to: string, subject: RegExp, from = server): Promise<string> {
  const find = () =>
    mailsOf(from)
      .findLast((each) => each.recipient === to && subject.test(each.subject))
      ?.text.match(/https?:\/\/\S+/)?.[0];
  await expect.poll(find, { timeout: 5_000 }).toBeDefined();
  const link = new URL(find() ?? "");
  link.hostname = "localhost";
  return link.href;
}

/** Another of a user's devices, signed in without its pages. */
async function newDevice(email: string): Promise<Person> {
  const device = await newPerson();
  const answer = await device.context.request.post(`${url}/api/auth/sign-in/email`, {
    headers: { origin: url },
    data: { email, password: PASSWORD },
  });
  expect(answer.status()).toBe(200);
  return device;
}

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** As the settings do it, without their page: for tests that are of something else. */
async function endSession(page: Page): Promise<void> {
  // A page that is open would go to the sign-in by itself.
  await page.goto("about:blank");
  const answer = await page.request.post(`${url}/api/auth/sign-out`, { headers: { origin: url } });
  expect(answer.status()).toBe(200);
}

async function signOut(page: Page): Promise<void> {
  await page.goto(`${url}/settings`);
  await page
    .getByRole("region", { name: "Sessions" })
    .getByRole("button", { name: "Sign out", exact: true })
    .click();
  await page.waitForURL(`${url}/`);
}

/** Forms are filled in by the page's script. */
async function expectEmail(page: Page, email: string): Promise<void> {
  await expect.poll(() => page.getByLabel("Email").inputValue()).toBe(email);
}

function section(page: Page, name: string) {
  return page.getByRole("region", { name, exact: true });
}

/** Lets a user's sessions look as if they had begun two days ago. */
function ageSessions(email: string): void {
  const database = new Database(join(server.dataDir, "openbell.sqlite"));
  const aged = database
    .prepare(
      `update session set "createdAt" = ? where "userId" = (select id from "user" where email = ?)`,
    )
    .run(new Date(Date.now() - TWO_DAYS_MS).toISOString(), email);
  database.close();
  expect(aged.changes).toBeGreaterThan(0);
}

/** The codes of an app that was given the key by hand: each once, as the server takes it. */
function codesOf(key: string): () => Promise<string> {
  const app = scan(`otpauth://totp/by-hand?secret=${key.replaceAll(" ", "")}`);
  const stepNow = () => Math.floor(Date.now() / STEP_MS);
  let lastStep = 0;
  return async () => {
    const step = Math.max(stepNow(), lastStep + 1);
    // The server's clock may be one step behind the app's, not more.
    while (step > stepNow() + 1) await delay(500);
    lastStep = step;
    return app.code(step - stepNow());
  };
}

/** A device with a fingerprint reader, whose owner always agrees. */
async function plugInAuthenticator(page: Page): Promise<CDPSession> {
  const device = await page.context().newCDPSession(page);
  await device.send("WebAuthn.enable");
  await device.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  return device;
}

describe("a new member", () => {
  test("verifies the address with the mailed link, which works in another browser too", async () => {
    const { page, email, context, complaints } = await newMember();
    await page.goto(`${url}/settings`);
    await section(page, "Email").getByText("Not verified").waitFor();
    const link = await mailedLink(email, /confirm your email/i);
    const elsewhere = await newPerson();
    await elsewhere.page.goto(link);
    await elsewhere.page.getByRole("heading", { name: "Email verified" }).waitFor();
    await elsewhere.page.getByText(`${email} is yours`).waitFor();
    await expectFit(elsewhere.page);
    await elsewhere.page.getByRole("link", { name: "Sign in" }).click();
    await expectEmail(elsewhere.page, email);
    await section(page, "Email").getByText("Verified", { exact: true }).waitFor();
    await page.goto(link);
    await page.getByRole("link", { name: "Go to the dashboard" }).waitFor();
    expect([...complaints, ...elsewhere.complaints]).toEqual([]);
    await context.close();
    await elsewhere.context.close();
  });

  test("who opens a link that does not work gets another one", async () => {
    const { page, email, context } = await newMember();
    await mailedLink(email, /confirm your email/i);
    await page.goto(
      `${url}/api/auth/verify-email?token=broken&callbackURL=${encodeURIComponent(`/verify-email?email=${email}`)}`,
    );
    await page.getByRole("heading", { name: "This link does not work" }).waitFor();
    await page.getByText("This link is no longer valid.").waitFor();
    await expectFit(page);
    const ownMails = () => mailsOf(server).filter(({ recipient }) => recipient === email).length;
    const mailsBefore = ownMails();
    await page.getByRole("button", { name: "Send a new link" }).click();
    await page.getByRole("button", { name: /^Send the link again in \d+ s$/ }).waitFor();
    await expect.poll(ownMails).toBe(mailsBefore + 1);
    await context.close();
  });

  test("who opens such a link without an address gives it and gets another one at once", async () => {
    const { page, email, context } = await newMember();
    await mailedLink(email, /confirm your email/i);
    await context.clearCookies();
    await page.goto(`${url}/verify-email?error=token_expired`);
    const ownMails = () => mailsOf(server).filter(({ recipient }) => recipient === email).length;
    const mailsBefore = ownMails();
    await page.getByLabel("Email").fill(email);
    const send = page.getByRole("button", { name: "Send a new link" });
    await expect.poll(() => send.isEnabled()).toBe(true);
    await send.click();
    await page.getByText("If it can be verified, a link is on its way.").waitFor();
    await page.getByRole("button", { name: /^Send the link again in \d+ s$/ }).waitFor();
    await expect.poll(ownMails).toBe(mailsBefore + 1);
    await expectFit(page);
    await context.close();
  });

  test("is told at the field that a password is too weak, and what else is wrong", async () => {
    const { page, context } = await newPerson();
    await page.goto(`${url}/signup`);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("Enter your email").waitFor();
    await page.getByText("Use at least 8 characters").waitFor();
    await expectFit(page);
    await page.getByLabel("First name").fill("Ada");
    await page.getByLabel("Email").fill(`weak-${process.pid}@example.com`);
    const password = page.getByLabel("Password", { exact: true });
    await password.fill("password1");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.locator('input[autocomplete="new-password"][aria-invalid="true"]').waitFor();
    const described = await password.getAttribute("aria-describedby");
    expect(await page.locator(`[id="${described}"]`).innerText()).toMatch(/guess|common|weak/i);
    await password.evaluate((field) =>
      field.dispatchEvent(
        new KeyboardEvent("keydown", { key: "A", modifierCapsLock: true, bubbles: true }),
      ),
    );
    await page.getByText("Caps Lock is on.").waitFor();
    await page.getByRole("button", { name: "Show password" }).click();
    expect(await password.getAttribute("type")).toBe("text");
    await page.getByRole("button", { name: "Hide password" }).click();
    expect(await password.getAttribute("type")).toBe("password");
    await context.close();
  });

  test("loses nothing that was typed and sent before the page's script was there", async () => {
    const { page, context } = await newPerson();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
    });
    await beforeScript(page, `${url}/login`, async () => {
      await page.getByLabel("Email").fill("early@example.com");
      await page.getByLabel("Password", { exact: true }).fill("typed early");
      await page.getByLabel("Stay signed in on this device").uncheck();
      const submit = page.getByRole("button", { name: "Sign in", exact: true });
      await submit.click();
      await submit.click();
    });
    await page.getByText("Invalid email or password.").first().waitFor();
    expect(sent).toEqual(["/api/auth/sign-in/email"]);
    expect(await page.getByLabel("Email").inputValue()).toBe("early@example.com");
    expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("typed early");
    expect(await page.getByLabel("Stay signed in on this device").isChecked()).toBe(false);
    await context.close();
  });

  test("stays signed in beyond the browser's end unless told otherwise", async () => {
    const { context, page, email } = await newMember();
    for (const stays of [true, false]) {
      await context.clearCookies();
      await page.goto(`${url}/login`, { waitUntil: "networkidle" });
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      const box = page.getByLabel("Stay signed in on this device");
      expect(await box.isChecked()).toBe(true);
      if (!stays) await box.uncheck();
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.waitForURL("**/dashboard");
      const cookies = await context.cookies();
      const session = cookies.find(({ name }) => name === "better-auth.session_token");
      expect((session?.expires ?? 0) > Date.now() / 1000).toBe(stays);
    }
    await context.close();
  });

  test("without a network is told so, and nothing is sent once there is one", async () => {
    const { context, page } = await newMember();
    await page.goto(`${url}/settings`);
    await page.getByLabel("First name").click();
    await page.getByLabel("First name").fill("Augusta");
    const save = page.getByRole("button", { name: "Save", exact: true });
    await expect.poll(() => save.isEnabled()).toBe(true);
    // The pointer's first move that the page sees loads what shows refusals.
    const notices = page.getByRole("region", { name: /^Notifications alt/ });
    await touchUntil(page, async () => (await notices.count()) === 1);
    let sent = 0;
    page.on("request", (request) => (sent += request.url().includes("/update-user") ? 1 : 0));
    await context.setOffline(true);
    await save.click();
    await page.getByText("The exchange cannot be reached.").waitFor();
    expect(await save.isEnabled()).toBe(true);
    // A keyboard user goes on from there.
    expect(await save.evaluate((button) => button === document.activeElement)).toBe(true);
    const before = sent;
    await context.setOffline(false);
    await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
    expect(sent).toBe(before);
    await save.click();
    await expect.poll(() => save.isDisabled()).toBe(true);
    await context.close();
  });

  test("with a known address is led to the sign-in", async () => {
    const { email, context } = await newMember();
    await context.close();
    const { page, context: other } = await newPerson();
    await page.goto(`${url}/signup`);
    await page.getByLabel("First name").fill("Ada");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("link", { name: "Sign in with it" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await expectEmail(page, email);
    await expectFit(page);
    await other.close();
  });

  test("waits for the mailed link where the exchange wants it, and learns so at the sign-in", async () => {
    const strict = await startServerProcess({
      SIMULATION: "off",
      AUTH_RATE_LIMIT: "off",
      REQUIRE_EMAIL_VERIFICATION: "on",
    });
    const { page, context } = await newPerson();
    try {
      const address = nameOf(strict);
      const email = `strict-${process.pid}@example.com`;
      await page.goto(`${address}/signup`);
      await page.getByLabel("First name").fill("Ada");
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByRole("heading", { name: "Verify your email" }).waitFor();
      await page.getByRole("button", { name: /^Send the link again in \d+ s$/ }).waitFor();
      await expectFit(page);
      await page.getByRole("link", { name: "Back to sign in" }).click();
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByText(`We sent a link to ${email}`).waitFor();
      await page.goto(await mailedLink(email, /confirm your email/i, strict));
      await page.getByRole("heading", { name: "Email verified" }).waitFor();
      await page.getByRole("link", { name: "Sign in" }).click();
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.waitForURL("**/dashboard");
    } finally {
      await context.close();
      await strict.remove();
    }
  });
});

describe("two-factor sign-in", () => {
  let owner: Person & { readonly email: string };
  let nextCode: () => Promise<string>;
  let backupCodes: string[] = [];

  beforeAll(async () => {
    owner = await newMember();
  });
  afterAll(async () => {
    expect(owner.complaints.filter((text) => !/40[013]/.test(text))).toEqual([]);
    await owner.context.close();
  });

  test("is set up with password, app and backup codes", async () => {
    const { page } = owner;
    await page.goto(`${url}/settings`);
    await section(page, "Two-factor sign-in").getByRole("button", { name: "Set up" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Your password").fill("not the password");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByText("This is not your password.").waitFor();
    await expectFit(page);
    await dialog.getByLabel("Your password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByText("Add the account to your app").waitFor();
    await expectFit(page);
    nextCode = codesOf(await dialog.locator(".font-mono.select-all").innerText());
    await dialog.getByLabel("Code").fill("000000");
    await dialog.getByText("This code is not right.").waitFor();
    await dialog.getByLabel("Code").fill(await nextCode());
    const codes = dialog.getByRole("list", { name: "Backup codes" });
    await codes.waitFor();
    await expectFit(page);
    backupCodes = await codes.getByRole("listitem").allInnerTexts();
    expect(new Set(backupCodes).size).toBe(10);
    const download = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Download" }).click();
    expect((await download).suggestedFilename()).toBe("openbell-backup-codes.txt");
    await dialog.getByRole("button", { name: "Done" }).click();
    await section(page, "Two-factor sign-in").getByText("On", { exact: true }).waitFor();
  });

  test("asks for the code after the password and continues to where the user was going", async () => {
    const { page, email } = owner;
    await signOut(page);
    await page.goto(`${url}/login?redirect=%2Fportfolio`);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL("**/two-factor**");
    const code = page.getByLabel("Code", { exact: true });
    await expectFit(page);
    await code.fill("000 000");
    await page.getByRole("alert").getByText("This code is not right.").waitFor();
    expect(await code.inputValue()).toBe("");
    // Pasted with its space; the last digit sends it.
    const digits = await nextCode();
    await code.fill(`${digits.slice(0, 3)} ${digits.slice(3)}`);
    await page.waitForURL("**/portfolio");
  });

  test("takes each backup code once", async () => {
    const { page, email } = owner;
    const [first, second] = backupCodes;
    for (const given of [first, second]) {
      await endSession(page);
      await signIn(page, email);
      await page.waitForURL("**/two-factor**");
      await page.getByRole("button", { name: "Use a backup code" }).click();
      if (given === second) {
        await page.getByLabel("Backup code").fill(first);
        await page.getByRole("button", { name: "Continue" }).click();
        await page.getByRole("alert").getByText("it was used before").waitFor();
        await expectFit(page);
      }
      await page.getByLabel("Backup code").fill(given);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.waitForURL("**/dashboard");
    }
  });

  test("trusts a device on request", async () => {
    const { page, email } = owner;
    await endSession(page);
    await signIn(page, email);
    await page.waitForURL("**/two-factor**");
    await page.getByLabel("Trust this device for 30 days").check();
    await page.getByLabel("Code", { exact: true }).fill(await nextCode());
    await page.waitForURL("**/dashboard");
    await endSession(page);
    await signIn(page, email);
    await page.waitForURL("**/dashboard");
  });

  test("says what to do when the step is over", async () => {
    const { page, context } = await newPerson();
    await page.goto(`${url}/two-factor`);
    await page.getByLabel("Code", { exact: true }).fill("123456");
    await page.getByRole("heading", { name: "Sign in again" }).waitFor();
    await page.getByRole("paragraph").getByText("This step has expired.").waitFor();
    await expectFit(page);
    await page.getByRole("link", { name: "Back to sign in" }).click();
    await page.waitForURL("**/login**");
    await context.close();
  });

  test("has new backup codes and is turned off with the password", async () => {
    const { page, email } = owner;
    await page.goto(`${url}/settings`);
    const own = section(page, "Two-factor sign-in");
    await own.getByRole("button", { name: "New backup codes" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Your password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Make new codes" }).click();
    const codes = dialog.getByRole("list", { name: "Backup codes" });
    await codes.waitFor();
    expect(await codes.getByRole("listitem").allInnerTexts()).not.toContain(backupCodes[5]);
    // They are shown this once: closing asks first.
    await page.keyboard.press("Escape");
    await dialog.getByText("Have you saved them?").waitFor();
    await dialog.getByRole("button", { name: "Close all the same" }).click();
    await own.getByRole("button", { name: "Turn off" }).click();
    await dialog.getByLabel("Your password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Turn off" }).click();
    await own.getByText("Off", { exact: true }).waitFor();
    const { page: elsewhere, context } = await newPerson();
    await signIn(elsewhere, email);
    await elsewhere.waitForURL("**/dashboard");
    await context.close();
    await endSession(page);
    await signIn(page, email);
    await page.waitForURL("**/dashboard");
  });
});

describe("a passkey", () => {
  test("is added, renamed, signs in and is removed", async () => {
    const { page, email, context, complaints } = await newMember();
    const device = await plugInAuthenticator(page);
    await page.goto(`${url}/settings`);
    const own = section(page, "Passkeys");
    await own.getByText("You have none yet.").waitFor();
    await own.getByRole("button", { name: "Add a passkey" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Name").inputValue()).toBe("Chrome on Linux");
    await expectFit(page);
    await dialog.getByLabel("Name").fill("");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByText("Give it a name that you will recognise").waitFor();
    await dialog.getByLabel("Name").fill("Laptop");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await own.getByText("Laptop").waitFor();
    await own.getByRole("button", { name: "Rename Laptop" }).click();
    await dialog.getByLabel("Name").fill("Work laptop");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await own.getByText("Work laptop").waitFor();
    await expectFit(page);

    ageSessions(email);
    await page.reload();
    await section(page, "Sessions").getByRole("button", { name: "Sign in again" }).click();
    await dialog.getByRole("button", { name: "Use a passkey" }).click();
    await expect.poll(() => section(page, "Sessions").getByRole("listitem").count()).toBe(1);

    // The simulated device accepts what the browser offers in the address field at once.
    await signOut(page);
    await page.goto(`${url}/login`);
    await page.waitForURL("**/dashboard");
    await signOut(page);
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
    await page.goto(`${url}/login`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL("**/dashboard");

    await page.goto(`${url}/settings`);
    await section(page, "Email").getByText(email).waitFor();
    await own.getByText(/, last used /).waitFor();
    await own.getByRole("button", { name: "Remove Work laptop" }).click();
    await expectFit(page);
    await dialog.getByRole("button", { name: "Remove" }).click();
    await own.getByText("You have none yet.").waitFor();

    await signOut(page);
    await page.goto(`${url}/login`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("This passkey does not belong to an account here.").first().waitFor();
    expect(complaints.filter((text) => !/40[0134]/.test(text))).toEqual([]);
    await device.detach();
    await context.close();
  });
});

describe("an address", () => {
  test("that is not verified changes at once", async () => {
    const { page, email, context } = await newMember();
    await page.goto(`${url}/settings`);
    const own = section(page, "Email");
    await own.getByLabel("New email").fill(email.toUpperCase());
    await own.getByRole("button", { name: "Change email" }).click();
    await own.getByText("This is your email already").waitFor();
    await own.getByLabel("New email").fill(`new-${email}`);
    await own.getByRole("button", { name: "Change email" }).click();
    await own.getByText(`new-${email}`).waitFor();
    await page.goto(await mailedLink(`new-${email}`, /confirm your email/i));
    await page.getByRole("heading", { name: "Email changed" }).waitFor();
    await context.close();
  });

  test("that is verified changes when both have confirmed it", async () => {
    const { page, email, context, complaints } = await newMember();
    await page.goto(await mailedLink(email, /confirm your email/i));
    await page.getByRole("heading", { name: "Email verified" }).waitFor();
    await page.goto(`${url}/settings`);
    const own = section(page, "Email");
    await own.getByLabel("New email").fill(`new-${email}`);
    await own.getByRole("button", { name: "Change email" }).click();
    await own.getByText("Changing to").waitFor();
    await page.reload();
    await own.getByText("Changing to").waitFor();
    await expectFit(page);
    await page.goto(await mailedLink(email, /confirm the change/i));
    await page.getByRole("heading", { name: "One more link" }).waitFor();
    await expectFit(page);
    await page.goto(await mailedLink(`new-${email}`, /confirm your email/i));
    await page.getByRole("heading", { name: "Email changed" }).waitFor();
    await page.goto(`${url}/settings`);
    await own.getByText(`new-${email}`).waitFor();
    await own.getByLabel("New email").waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("a forgotten password", () => {
  test("is replaced through the mailed link, which says nothing about who exists", async () => {
    const { page: owners, email, context } = await newMember();
    const { page, context: elsewhere, complaints } = await newPerson();
    const answers: string[] = [];
    for (const address of ["unknown@example.com", email]) {
      await page.goto(`${url}/login`, { waitUntil: "networkidle" });
      await page.getByLabel("Email").fill(address);
      await page.getByRole("link", { name: "Forgot password?" }).click();
      await page.getByRole("heading", { name: "Reset password" }).waitFor();
      await expectEmail(page, address);
      await page.getByRole("button", { name: "Send link" }).click();
      await page
        .getByText("If this email exists in our system, check your email for the reset link")
        .waitFor();
      answers.push(
        (await page.locator("main").innerText()).replace(address, "").replace(/\d+ s/, ""),
      );
    }
    expect(answers[0]).toBe(answers[1]);
    await expectFit(page);
    const link = await mailedLink(email, /reset your/i);
    await page.goto(link);
    await page.getByLabel("New password").fill("password1");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.locator('input[aria-invalid="true"]').waitFor();
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await expectFit(page);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByRole("heading", { name: "Password changed" }).waitFor();
    await page.goto(link);
    await page.getByRole("heading", { name: "This link does not work" }).waitFor();
    await expectFit(page);
    await owners.goto(`${url}/settings`);
    await owners.waitForURL("**/login**");
    await signIn(page, email);
    await page.getByText("Invalid email or password.").first().waitFor();
    await signIn(page, email, NEW_PASSWORD);
    await page.waitForURL("**/dashboard");
    expect(complaints.filter((text) => !/40[01]/.test(text))).toEqual([]);
    await context.close();
    await elsewhere.close();
  });

  test("is no matter in the settings: the current one changes it, and a wrong one is told at its field", async () => {
    const { page, context } = await newMember();
    await page.goto(`${url}/settings`);
    const own = section(page, "Password");
    await own.getByLabel("Current password").fill("wrong-password-1");
    await own.getByLabel("New password").fill(NEW_PASSWORD);
    await own.getByRole("button", { name: "Change password" }).click();
    await own.getByText("This is not your password.").waitFor();
    expect(await own.getByLabel("Current password").getAttribute("aria-invalid")).toBe("true");
    await own.getByLabel("Current password").fill(PASSWORD);
    await own.getByLabel("New password").fill(PASSWORD);
    await own.getByRole("button", { name: "Change password" }).click();
    await own.getByText("This is the password that you gave as the current one.").waitFor();
    expect(await own.getByLabel("New password").getAttribute("aria-invalid")).toBe("true");
    await own.getByLabel("New password").fill(NEW_PASSWORD);
    await own.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Password changed.").waitFor();
    // Another session took this one's place, and no one was signed out by that.
    await page.waitForTimeout(1_000);
    await page.getByLabel("First name").fill("Augusta");
    await section(page, "Profile").getByRole("button", { name: "Save" }).click();
    await page.getByText("Profile saved.").waitFor();
    await context.close();
  });
});

describe("sessions", () => {
  test("are listed with this device first, and ended one by one or all others at once", async () => {
    const { page, email, context } = await newMember();
    const others = [await newDevice(email), await newDevice(email)];
    await page.goto(`${url}/settings`);
    const rows = section(page, "Sessions").getByRole("listitem");
    await expect.poll(() => rows.count()).toBe(3);
    expect(await rows.first().innerText()).toContain("This device");
    expect(await rows.first().innerText()).toMatch(/Chrome on Linux[^]*127\.0\.0\.1|::1/);
    await expectFit(page);
    await rows.nth(1).getByRole("button", { name: "Sign out Chrome on Linux" }).click();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole("button", { name: "Sign out everywhere else" }).click();
    await expect.poll(() => rows.count()).toBe(1);
    for (const other of others) {
      await other.page.goto(`${url}/dashboard`);
      await other.page.waitForURL("**/login**");
      await other.context.close();
    }
    await context.close();
  });

  test("that began long ago ask for a new sign-in in place, and go on after it", async () => {
    const { page, email, context } = await newMember();
    const elsewhere = await newDevice(email);
    ageSessions(email);
    await page.goto(`${url}/settings`);
    const own = section(page, "Sessions");
    await own.getByText("You signed in a while ago.").waitFor();
    await own.getByRole("button", { name: "Sign in again" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Sign in again").first().waitFor();
    await expectFit(page);
    await dialog.getByLabel("Password", { exact: true }).fill("wrong-password-1");
    await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
    await dialog.getByText("Invalid email or password.").waitFor();
    await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect.poll(() => own.getByRole("listitem").count()).toBe(2);
    // The page still works with the session that took the old one's place.
    await page.getByLabel("First name").fill("Augusta");
    await section(page, "Profile").getByRole("button", { name: "Save" }).click();
    await page.getByText("Profile saved.").waitFor();
    await context.close();
    await elsewhere.context.close();
  });

  test("that began long ago ask for the code as well if there is one", async () => {
    const { page, email, context } = await newMember();
    await page.goto(`${url}/settings`);
    await section(page, "Two-factor sign-in").getByRole("button", { name: "Set up" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Your password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Continue" }).click();
    const code = codesOf(await dialog.locator(".font-mono.select-all").innerText());
    await dialog.getByLabel("Code").fill(await code());
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.getByRole("button", { name: "Close all the same" }).click();
    ageSessions(email);
    await page.reload();
    const own = section(page, "Sessions");
    await own.getByRole("button", { name: "Sign in again" }).click();
    await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
    await dialog.getByText("Two-factor sign-in").waitFor();
    await expectFit(page);
    await dialog.getByLabel("Code").fill(await code());
    // The new session alone: the old one has ended.
    await expect.poll(() => own.getByRole("listitem").count()).toBe(1);
    await context.close();
  });

  test("that are over lead to the sign-in and back to where the person was", async () => {
    const { page, email, context } = await newMember();
    await context.clearCookies();
    await page.goto(`${url}/portfolio`);
    await page.waitForURL("**/login**");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL("**/portfolio");
    await context.close();
  });

  test("all end at once on request", async () => {
    const { page, email, context } = await newMember();
    const elsewhere = await newDevice(email);
    await elsewhere.page.goto(`${url}/dashboard`);
    await page.goto(`${url}/settings`);
    await page.getByRole("button", { name: "Sign out everywhere", exact: true }).click();
    await expectFit(page);
    await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
    await page.waitForURL(`${url}/`);
    for (const each of [page, elsewhere.page]) {
      await each.goto(`${url}/settings`);
      await each.waitForURL("**/login**");
    }
    await context.close();
    await elsewhere.context.close();
  });
});

describe("changes that are not saved", () => {
  test("are not lost by leaving the page without a word", async () => {
    const { page, context } = await newMember();
    await page.goto(`${url}/settings`, { waitUntil: "networkidle" });
    await page.getByLabel("Last name").fill("Byron");
    await page.getByRole("link", { name: "Portfolio" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog
      .getByText("Are you sure you want to leave? Your changes may not be saved.")
      .waitFor();
    await expectFit(page);
    await dialog.getByRole("button", { name: "Stay" }).click();
    expect(await page.getByLabel("Last name").inputValue()).toBe("Byron");
    await context.close();
  });
});

describe("an account", () => {
  test("is deleted with the password, after its owner has read what that ends and leaves", async () => {
    const { page, email, context, complaints } = await newMember();
    await fund(context, url);
    const trade = new TradePage(page, url);
    await trade.open();
    await trade.limit("Buy", "30000.01", "0.0123");
    await page.getByText("30,000.01").first().waitFor();
    await page.goto(`${url}/settings`, { waitUntil: "networkidle" });
    await section(page, "Delete account").getByRole("button").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("1 open order", { exact: true }).waitFor();
    await dialog.getByText(/^[\d,.]+ USD$/).waitFor();
    await expectFit(page);
    await dialog.getByLabel("Your password").fill("wrong-password-1");
    await dialog.getByRole("button", { name: "Delete account" }).click();
    await dialog.getByText("This is not your password.").waitFor();
    await dialog.getByLabel("Your password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Delete account" }).click();
    await page.getByRole("heading", { name: "Account deleted" }).waitFor();
    await expectFit(page);
    expect(complaints.filter((text) => !/400/.test(text))).toEqual([]);
    await signIn(page, email);
    await page.getByText("Invalid email or password.").first().waitFor();
    await context.close();
  });

  test("is deleted by the mailed link where it has no password and the sign-in was long ago", async () => {
    const { page, email, context } = await newMember();
    const database = new Database(join(server.dataDir, "openbell.sqlite"));
    // As for people who came through a provider.
    database
      .prepare(
        `update account set "providerId" = 'somewhere', password = null
         where "userId" = (select id from "user" where email = ?)`,
      )
      .run(email);
    database.close();
    ageSessions(email);
    await page.goto(`${url}/settings`);
    await section(page, "Password").getByText("You have no password").waitFor();
    await section(page, "Password").getByRole("button", { name: "Send me a link" }).click();
    await mailedLink(email, /reset your/i);
    await section(page, "Delete account").getByRole("button").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Type DELETE to confirm").fill("yes");
    await dialog.getByRole("button", { name: "Delete account" }).click();
    await dialog.getByText("Type DELETE", { exact: true }).waitFor();
    await dialog.getByLabel("Type DELETE to confirm").fill("delete");
    await expectFit(page);
    await dialog.getByRole("button", { name: "Delete account" }).click();
    await dialog.getByText("Check your email").waitFor();
    const link = await mailedLink(email, /is to be deleted/i);
    const elsewhere = await newPerson();
    await elsewhere.page.goto(link);
    await elsewhere.page.getByRole("heading", { name: "Nothing was deleted" }).waitFor();
    await elsewhere.page.getByText("No one is signed in on this device.").waitFor();
    await expectFit(elsewhere.page);
    await elsewhere.context.close();
    await page.goto(link);
    await page.getByRole("heading", { name: "Account deleted" }).waitFor();
    await page.goto(link);
    await page.getByRole("heading", { name: "Nothing was deleted" }).waitFor();
    await context.close();
  });
});

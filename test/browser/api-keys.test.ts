/** API keys in the settings: made, used by a program, changed and revoked. */
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scan } from "../support/authenticator-app.ts";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { expectFit } from "./axe.ts";
import { newPerson, PASSWORD, type Person, sendUntilClosed } from "./people.ts";

const TWO_DAYS_MS = 2 * 24 * 3600 * 1000;

let server: SharedServer;
let browser: Browser;

beforeAll(async () => {
  server = await sharedServer("quiet");
  browser = await sharedChromium();
});
afterAll(() => browser.close());

const section = (page: Page) => page.getByRole("region", { name: "API keys", exact: true });

async function openSettings(page: Page): Promise<void> {
  await page.goto(`${server.url}/settings`);
  await section(page).getByRole("button", { name: "Create a key" }).waitFor();
}

async function startCreating(page: Page, name: string): Promise<void> {
  await section(page).getByRole("button", { name: "Create a key" }).click();
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill(name);
}

async function shownText(page: Page, label: string): Promise<string> {
  return page.getByRole("dialog").getByLabel(label, { exact: true }).innerText();
}

async function finish(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("I have stored the secret").check();
  await sendUntilClosed(dialog, dialog.getByRole("button", { name: "Done" }));
}

const fits = (page: Page) => expectFit(page, undefined, { texts: true });

/** What the exchange answers to a program with this key. */
async function ask(apiKey: string, signed: (payload: string) => string): Promise<unknown> {
  const payload = `timestamp=${Date.now()}`;
  const signature = encodeURIComponent(signed(payload));
  const path = "/sapi/v1/account/apiRestrictions";
  const answer = await fetch(`${server.url}${path}?${payload}&signature=${signature}`, {
    headers: { "x-mbx-apikey": apiKey },
  });
  return answer.json();
}

const hmac = (secret: string) => (payload: string) =>
  createHmac("sha256", secret).update(payload).digest("hex");

/** Lets a user's sessions look as if they had begun two days ago. */
function ageSessions(email: string): void {
  const database = new Database(join(server.dataDir, "openbell.sqlite"));
  const old = new Date(Date.now() - TWO_DAYS_MS).toISOString();
  database
    .prepare(
      `update session set "createdAt" = ? where "userId" = (select id from "user" where email = ?)`,
    )
    .run(old, email);
  database.close();
}

function complaintsOf({ complaints }: Person): string[] {
  // The browser tells of refusals that the page shows.
  return complaints.filter((text) => !/40[0139]|56[0-9]/.test(text));
}

describe("an API key", () => {
  let owner: Person;
  let [apiKey, secret] = ["", ""];

  beforeAll(async () => {
    owner = await newPerson(browser, server.url);
  });
  afterAll(async () => {
    expect(complaintsOf(owner)).toEqual([]);
    await owner.context.close();
  });

  test("is made, shown once with its secret, and used by a program", async () => {
    const { page } = owner;
    await openSettings(page);
    await section(page).getByText("No API keys yet").waitFor();
    await fits(page);
    await startCreating(page, "Market maker");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Trade/).check();
    await dialog.getByLabel("Addresses").fill("127.0.0.1\nnowhere");
    await fits(page);
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByRole("alert").getByText('"nowhere" is no address').waitFor();
    await dialog.getByLabel("Addresses").fill("127.0.0.1");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByText("“Market maker” is ready").waitFor();
    await fits(page);
    [apiKey, secret] = [await shownText(page, "API key"), await shownText(page, "Secret")];
    await page.keyboard.press("Escape");
    await dialog.getByText("Have you stored the secret?").waitFor();
    await finish(page);
    expect(await page.content()).not.toContain(secret);
    expect(await ask(apiKey, hmac(secret))).toMatchObject({
      enableReading: true,
      enableSpotAndMarginTrading: true,
      enableWithdrawals: false,
      ipRestrict: true,
    });
    const row = section(page).getByRole("listitem").filter({ hasText: "Market maker" });
    await row.getByText("Trades", { exact: true }).waitFor();
    await row.getByText(/from 127\.0\.0\.1 · used .* from 127\.0\.0\.1/).waitFor();
    await fits(page);
  });

  test("has settings for programs, with this exchange's addresses", async () => {
    const { page } = owner;
    await section(page)
      .getByRole("button", { name: "Connect a program with Market maker" })
      .click();
    const dialog = page.getByRole("dialog");
    const programs = dialog.getByLabel("Program");
    for (const program of await programs.getByRole("option").allInnerTexts()) {
      await programs.selectOption(program);
      const text = await dialog.getByLabel("Settings", { exact: true }).innerText();
      expect(text).toContain(apiKey);
      expect(text).toContain(new URL(server.url).host);
      expect(text).not.toMatch(/binance\.(com|us|vision)/);
    }
    await fits(page);
    await dialog.getByRole("button", { name: "Done" }).click();
  });

  test("is renamed and restricted", async () => {
    const { page } = owner;
    await section(page).getByRole("button", { name: "Edit Market maker" }).click();
    const dialog = page.getByRole("dialog");
    await fits(page);
    await dialog.getByLabel("Name", { exact: true }).fill("Recorder");
    await dialog.getByLabel(/^Trade/).uncheck();
    await dialog.getByLabel("Addresses").fill("203.0.113.0/24");
    await dialog.getByLabel("Last day").fill("2099-12-31");
    await dialog.getByRole("button", { name: "Save" }).click();
    const row = section(page).getByRole("listitem").filter({ hasText: "Recorder" });
    await row.getByText("Reads only").waitFor();
    await row.getByText(/from 203\.0\.113\.0\/24 · until 31 Dec 2099/).waitFor();
    expect(await ask(apiKey, hmac(secret))).toMatchObject({ code: -2015 });
  });

  test("has a fault lab, which the page announces until it ends", async () => {
    const { page } = owner;
    await section(page).getByRole("button", { name: "Faults of Recorder", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Latency", { exact: true }).fill("9999");
    await dialog.getByRole("button", { name: "Start faults" }).click();
    await dialog.getByRole("alert").getByText("A whole number from 0 to 5000").waitFor();
    await fits(page);
    await dialog.getByLabel("Latency", { exact: true }).fill("1");
    await dialog.getByLabel(/^Every market is halted/).check();
    await sendUntilClosed(dialog, dialog.getByRole("button", { name: "Start faults" }));
    const banner = section(page).getByRole("status");
    await banner.getByText(/^Faults are on for “Recorder” until/).waitFor();
    await section(page).getByText("Faults are on", { exact: true }).waitFor();
    await fits(page);
    const named = async () => {
      const headers = { "x-mbx-apikey": apiKey };
      const answer = await fetch(`${server.url}/api/v3/ping`, { headers });
      return answer.headers.get("x-openbell-faults");
    };
    expect(await named()).toBe("latencyMs=1, halted=1");
    await section(page).getByRole("button", { name: "Faults of Recorder", exact: true }).click();
    expect(await dialog.getByLabel("Latency", { exact: true }).inputValue()).toBe("1");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await section(page).getByRole("button", { name: "End faults of Recorder" }).click();
    await banner.waitFor({ state: "detached" });
    expect(await named()).toBeNull();
  });

  test("is made after the owner has signed in again, if that was long ago", async () => {
    const { email, page } = owner;
    ageSessions(email);
    await startCreating(page, "Later");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const again = page.getByRole("dialog", { name: "Sign in again" });
    await again.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await again.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("“Later” is ready").waitFor();
    await finish(page);
    await section(page).getByText("Later").waitFor();
  });

  test("is revoked at once", async () => {
    const { page } = owner;
    await section(page).getByRole("button", { name: "Edit Recorder" }).click();
    await page.getByRole("dialog").getByLabel("Addresses").fill("");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await section(page).getByText("from anywhere · until").waitFor();
    expect(await ask(apiKey, hmac(secret))).toMatchObject({ enableSpotAndMarginTrading: false });
    await section(page).getByRole("button", { name: "Revoke Recorder" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    // The list may be reloading at this moment, without any key.
    await expect.poll(() => ask(apiKey, hmac(secret))).toMatchObject({ code: -2015 });
    await section(page).getByText("Recorder").waitFor({ state: "detached" });
  });

  test("of the kind Ed25519 takes the public key alone", async () => {
    const { page } = owner;
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    await startCreating(page, "Signer");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Ed25519/).check();
    await dialog.getByLabel("Public key").fill(privateKey.export({ format: "pem", type: "pkcs8" }));
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByText("This is a private key").waitFor();
    await dialog.getByLabel("Public key").fill(publicKey.export({ format: "pem", type: "spki" }));
    await fits(page);
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByText("“Signer” is ready").waitFor();
    const ownKey = await shownText(page, "API key");
    await dialog.getByRole("button", { name: "Done" }).click();
    const byPrivateKey = (payload: string) =>
      sign(null, Buffer.from(payload), privateKey).toString("base64");
    expect(await ask(ownKey, byPrivateKey)).toMatchObject({ enableReading: true });
  });
});

test("an owner with two-factor sign-in gives a code for a key", async () => {
  const person = await newPerson(browser, server.url);
  const { context, page } = person;
  const post = async (path: string, data: object) => {
    const headers = { origin: server.url };
    const answer = await context.request.post(`${server.url}/api/auth${path}`, { headers, data });
    return (await answer.json()) as { totpURI: string };
  };
  const { totpURI } = await post("/two-factor/enable", { password: PASSWORD });
  const app = scan(totpURI);
  const used = app.code(-1);
  await post("/two-factor/verify-totp", { code: used });
  await openSettings(page);
  await startCreating(page, "Bot");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByLabel("Code").fill(used);
  await dialog.getByText("This code is wrong or was used before.").waitFor();
  await fits(page);
  await dialog.getByLabel("Code").fill(app.code());
  await dialog.getByText("“Bot” is ready").waitFor();
  await finish(page);
  expect(complaintsOf(person)).toEqual([]);
  await context.close();
});

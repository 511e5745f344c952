/** The official React client in a page of its own: its hooks follow what happens to the session. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import type { SessionPageClient } from "../support/session-page.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { openPage } from "./people.ts";

declare global {
  interface Window {
    client: SessionPageClient;
    shown: string[];
  }
}

const ADA = { name: "Ada", lastname: "Lovelace", password: "correct-horse-battery-9" };

let server: SharedServer;
let browser: Browser;
let script: string;

beforeAll(async () => {
  script = await bundle("test/support/session-page.ts");
  server = await sharedServer("quiet");
  browser = await sharedChromium();
});
afterAll(() => browser.close());

async function bundle(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "warn",
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    build: { write: false, lib: { entry, formats: ["es"], fileName: "page" } },
  });
  const [{ output }] = Array.isArray(built) ? built : [];
  return output[0].code;
}

/** The page, at an address of the exchange's own origin. */
async function open(context: BrowserContext): Promise<{ page: Page; complaints: string[] }> {
  const opened = await openPage(context);
  const html = `<!doctype html><html lang="en"><title>Session</title><link rel="icon" href="data:,">`;
  await opened.page.route("**/session-page", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `${html}<body><script type="module" src="/session-page.js"></script></body></html>`,
    }),
  );
  await opened.page.route("**/session-page.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: script }),
  );
  await opened.page.goto(`${server.url}/session-page`);
  return opened;
}

const sees = (page: Page, text: string) =>
  page.getByRole("heading", { name: text, exact: true }).waitFor();

test("its session hook follows sign-up, changes, sign-out and sign-in, in every tab", async () => {
  const context = await browser.newContext();
  const { page, complaints } = await open(context);
  await sees(page, "No one is signed in");
  const email = "hook@example.com";
  const signedUp = await page.evaluate(async (values) => window.client.signUp.email(values), {
    ...ADA,
    email,
  });
  expect(signedUp.error).toBeNull();
  await sees(page, "Ada Lovelace <hook@example.com>");
  const { page: tab } = await open(context);
  await sees(tab, "Ada Lovelace <hook@example.com>");

  await page.evaluate(async () => window.client.updateUser({ lastname: "King" }));
  await sees(page, "Ada King <hook@example.com>");
  await page.evaluate(async () => window.client.changeEmail({ newEmail: "king@example.com" }));
  await sees(page, "Ada King <king@example.com>");

  await page.evaluate(async () => window.client.signOut());
  await sees(page, "No one is signed in");
  await sees(tab, "No one is signed in");
  const refused = await page.evaluate(async () =>
    window.client.signIn.email({ email: "king@example.com", password: "not the password" }),
  );
  expect(refused.error).toMatchObject({ status: 401, code: "INVALID_EMAIL_OR_PASSWORD" });
  await page.evaluate(
    async (password) => window.client.signIn.email({ email: "king@example.com", password }),
    ADA.password,
  );
  await sees(page, "Ada King <king@example.com>");
  expect(await page.evaluate(() => window.shown)).toEqual([
    "Looking",
    "No one is signed in",
    "Looking",
    "Ada Lovelace <hook@example.com>",
    // Who is signed in stays on the page while it asks again.
    "Ada King <hook@example.com>",
    "Ada King <king@example.com>",
    "No one is signed in",
    "Looking",
    "Ada King <king@example.com>",
  ]);
  expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
  await context.close();
});

test("a session that was revoked elsewhere is seen when it is asked for", async () => {
  const context = await browser.newContext();
  const { page } = await open(context);
  const email = "revoked@example.com";
  await page.evaluate(async (values) => window.client.signUp.email(values), { ...ADA, email });
  await sees(page, "Ada Lovelace <revoked@example.com>");
  const other = await browser.newContext();
  const { page: elsewhere } = await open(other);
  await elsewhere.evaluate(async (password) => {
    await window.client.signIn.email({ email: "revoked@example.com", password });
    await window.client.revokeOtherSessions();
  }, ADA.password);
  await page.evaluate(async () => window.client.$store.notify("$sessionSignal"));
  await sees(page, "No one is signed in");
  await sees(elsewhere, "Ada Lovelace <revoked@example.com>");
  await other.close();
  await context.close();
});

test("adds a passkey, lists it by its hook, signs in with it and deletes it", async () => {
  const context = await browser.newContext();
  const { page } = await open(context);
  // Passkeys belong to a name; 127.0.0.1 is none.
  const { port } = new URL(server.url);
  await page.goto(`http://localhost:${port}/session-page`);
  const devices = await context.newCDPSession(page);
  await devices.send("WebAuthn.enable");
  await devices.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const email = "passkey@example.com";
  await page.evaluate(async (values) => window.client.signUp.email(values), { ...ADA, email });
  await sees(page, "Ada Lovelace <passkey@example.com>");
  const added = await page.evaluate(async () => {
    const { error } = await window.client.passkey.addPasskey({ name: "Laptop" });
    return error;
  });
  expect(added).toBeNull();
  await page.getByText("Passkeys: Laptop").waitFor();
  await page.evaluate(async () => window.client.signOut());
  await sees(page, "No one is signed in");
  await page.evaluate(async () => window.client.signIn.passkey());
  await sees(page, "Ada Lovelace <passkey@example.com>");
  await page.evaluate(async () => {
    const { data } = await window.client.$fetch<{ id: string }[]>("/passkey/list-user-passkeys");
    await window.client.passkey.deletePasskey({ id: data?.[0]?.id ?? "" });
  });
  await page.getByText("Passkeys: ", { exact: true }).waitFor();
  await context.close();
});

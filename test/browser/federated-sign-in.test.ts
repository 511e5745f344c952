/**
 * Sign-in through other providers as a person sees it, in a real browser: against a real OpenID
 * provider, and against stand-ins that speak like the providers of the internet, at their own
 * addresses and over TLS.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { scan } from "../support/authenticator-app.ts";
import { launchChromium } from "../support/chromium.ts";
import {
  type OpenIdPerson,
  type OpenIdProvider,
  startOpenIdProvider,
} from "../support/openid-provider.ts";
import { type RoutedProviders, startRoutedProviders } from "../support/routed-providers.ts";
import { share } from "../support/run-counts.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import type { StandIns } from "../support/stand-in-oauth.ts";
import { openPage, PASSWORD, register } from "./people.ts";

interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- of many shapes, asserted on by each test
  readonly body: any;
}

interface User {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
}

/** An OpenID provider where nothing listens. */
const NOWHERE = {
  nowhere: {
    name: "Nowhere",
    discoveryUrl: "http://127.0.0.1:1/.well-known/openid-configuration",
    clientId: "exchange",
    clientSecret: "secret",
  },
};

let acme: OpenIdProvider;
let careful: OpenIdProvider;
let routed: RoutedProviders;
let standIns: StandIns;
let server: RunningServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  acme = await startOpenIdProvider("acme", "Acme");
  careful = await startOpenIdProvider("careful", "Careful", { claimsInToken: false });
  routed = await startRoutedProviders();
  ({ standIns } = routed);
  server = await startServerProcess({
    SIMULATION: "off",
    AUTH_RATE_LIMIT: "off",
    SIGN_IN_PROVIDERS: JSON.stringify({
      ...acme.settings(),
      ...careful.settings({ disableImplicitSignUp: true }),
      ...NOWHERE,
      ...routed.providerSettings,
    }),
    ...routed.serverSettings,
  });
  standIns.publicUrl = server.url;
  acme.allow(server.url);
  careful.allow(server.url);
  browser = await launchChromium(routed.browserArguments);
});
afterAll(async () => {
  await browser.close();
  await server.remove();
  await Promise.all([acme.close(), careful.close(), routed.close()]);
});
beforeEach(async () => {
  ({ context, page } = await newVisitor());
  return () => context.close();
});

async function newVisitor(): Promise<{ context: BrowserContext; page: Page }> {
  // The stand-ins' certificate is self-signed.
  const own = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    ignoreHTTPSErrors: true,
  });
  return { context: own, page: (await openPage(own)).page };
}

let people = 0;
/** A person whom both OpenID providers know. */
function newPerson(more: { email?: string; email_verified?: boolean } = {}): string {
  people += 1;
  const login = `person${people}`;
  const person = { password: "open sesame", email_verified: true, name: "Ada Lovelace" };
  for (const { people: known } of [acme, careful]) {
    known.set(login, { ...person, email: `${login}@example.com`, ...more });
  }
  return login;
}

/** Asks the accounts as the page's own client does. */
async function ask(path: string, body?: unknown, on = page): Promise<Answer> {
  return await on.evaluate(
    async ([address, text]) => {
      const answer = await fetch(`/api/auth${address}`, {
        method: text === null ? "GET" : "POST",
        ...(text !== null && { body: text, headers: { "content-type": "application/json" } }),
      });
      return { status: answer.status, body: await answer.json().catch(() => null) };
    },
    [path, body === undefined ? null : JSON.stringify(body)] as const,
  );
}

/** Follows a sign-in as the page's client does, to the provider's page. */
async function begin(more: object, on = page) {
  const { status, body } = await ask(
    "/sign-in/social",
    { provider: "acme", callbackURL: "/dashboard", errorCallbackURL: "/login", ...more },
    on,
  );
  expect(status).toBe(200);
  await on.goto(body.url);
}

async function typePassword(login: string, on = page): Promise<void> {
  await on.getByLabel("Name", { exact: true }).fill(login);
  await on.getByLabel("Password").fill("open sesame");
  await on.getByRole("button", { name: "Sign in" }).click();
}

/** Password and consent at the provider. */
async function agree(login: string, on = page): Promise<void> {
  await typePassword(login, on);
  await on.getByRole("button", { name: "Allow", exact: true }).click();
}

async function pressProvider(name: string, path = "/login", on = page): Promise<void> {
  await on.goto(`${server.url}${path}`);
  await on.getByRole("button", { name: `Continue with ${name}` }).click();
}

const arrive = (path: string, on = page) => on.waitForURL(`${server.url}${path}`);

async function whoAmI(on = page): Promise<User | null> {
  // Not from within the page: the pages of errors let nothing be fetched.
  const answer = await on.request.get(`${server.url}/api/auth/get-session`);
  return (await answer.json())?.user ?? null;
}

/** The sentence that the sign-in page shows, with the person still signed out. */
async function refusalShown(code: string, on = page): Promise<string> {
  await on.waitForURL((url) => url.pathname === "/login" && url.searchParams.has("error"));
  expect(new URL(on.url()).searchParams.get("error")).toBe(code);
  const sentence = await on.getByRole("status").first().innerText();
  expect(await whoAmI(on)).toBeNull();
  return sentence;
}

const known = (provider: OpenIdProvider, login: string): OpenIdPerson => {
  const person = provider.people.get(login);
  if (person === undefined) throw new Error(`${login} is unknown`);
  return person;
};

/** A person with an account at every stand-in. @returns the id there */
function newStandInPerson(email?: string, emailVerified = true): string {
  people += 1;
  const id = `grace${people}`;
  const person = { id, name: "Grace Hopper", email: email ?? `${id}@example.com` };
  standIns.people.push({ ...person, emailVerified });
  return id;
}

async function chooseAtProvider(id: string): Promise<void> {
  const { email } = standIns.people.find((person) => person.id === id) ?? { email: "unknown" };
  await page.getByRole("button", { name: `(${email})` }).click();
}

/** The callback's address of a sign-in through Acme, before it is opened. */
async function callbackOf(login: string): Promise<string> {
  await pressProvider("Acme");
  await typePassword(login);
  await page.getByRole("button", { name: "Allow", exact: true }).waitFor();
  let next = page.url();
  for (let step = 0; !next.startsWith(`${server.url}/`); step += 1) {
    const options = { maxRedirects: 0 };
    const answer = await (step === 0
      ? page.request.post(next, options)
      : page.request.get(next, options));
    next = new URL(answer.headers()["location"] ?? "", next).href;
    if (step > 5) throw new Error(`the provider leads in circles: ${next}`);
  }
  return next;
}

async function signOut(): Promise<void> {
  expect((await ask("/sign-out", {})).body).toMatchObject({ success: true });
}

/** Changes what only time could change; the server sees it with its next query. */
function changeDatabase(change: (database: Database.Database) => void): void {
  const database = new Database(join(server.dataDir, "openbell.sqlite"));
  change(database);
  database.close();
}

/** @param inMs from now */
function endAccessTokens(userId: string, inMs: number): void {
  changeDatabase((database) => {
    const time = new Date(Date.now() + inMs).toISOString();
    database
      .prepare("update account set accessTokenExpiresAt = ? where userId = ?")
      .run(time, userId);
  });
}

describe("an OpenID provider", () => {
  test("brings a new person in through password and consent, and the known one at once", async () => {
    const login = newPerson();
    await pressProvider("Acme");
    await agree(login);
    await arrive("/dashboard");
    const user = await whoAmI();
    expect(user).toMatchObject({ email: `${login}@example.com`, name: "Ada Lovelace" });
    await signOut();
    // Signed out here, not there: the provider asks nothing.
    await pressProvider("Acme");
    await arrive("/dashboard");
    expect((await whoAmI())?.id).toBe(user?.id);
  });

  test("sends a new person to the address for new ones, and only then", async () => {
    const login = newPerson();
    await page.goto(`${server.url}/login`);
    await begin({ newUserCallbackURL: "/settings" });
    await agree(login);
    await arrive("/settings");
    await signOut();
    await page.goto(`${server.url}/login`);
    await begin({ newUserCallbackURL: "/settings" });
    await arrive("/dashboard");
  });

  test("leads back to the page that asked for the sign-in, and to no other site", async () => {
    const login = newPerson();
    await page.goto(`${server.url}/portfolio`);
    await page.getByRole("button", { name: "Continue with Acme" }).click();
    await agree(login);
    await arrive("/portfolio");
    for (const elsewhere of ["//evil.example", "https://evil.example", "/\\evil.example"]) {
      await signOut();
      await pressProvider("Acme", `/login?redirect=${encodeURIComponent(elsewhere)}`);
      await arrive("/dashboard");
    }
  });

  test("is followed by the second step if the user has one", async () => {
    const email = await register(context, server.url);
    const login = newPerson({ email });
    await page.goto(`${server.url}/settings`);
    await page.getByRole("button", { name: "Link Acme" }).click();
    await agree(login);
    await page.getByText("Acme is linked.").waitFor();
    const enabled = await ask("/two-factor/enable", { password: PASSWORD });
    const app = scan(enabled.body.totpURI);
    expect((await ask("/two-factor/verify-totp", { code: app.code() })).status).toBe(200);
    await signOut();

    await pressProvider("Acme");
    await page.waitForURL("**/two-factor**");
    expect(await whoAmI()).toBeNull();
    await page.getByLabel("Code", { exact: true }).fill("000000");
    await page
      .getByText(/This code is not right/)
      .first()
      .waitFor();
    // A code works once: the next one.
    await page.getByLabel("Code", { exact: true }).fill(app.code(1));
    await arrive("/dashboard");
    expect((await whoAmI())?.email).toBe(email);
  });

  test("keeps a wrong password to itself", async () => {
    await pressProvider("Acme");
    await page.getByLabel("Name", { exact: true }).fill(newPerson());
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("This password is wrong.").waitFor();
  });

  test.each(["Cancel", "Do not allow"])(
    "is told '%s', and the sign-in page says so",
    async (no) => {
      await pressProvider("Acme");
      if (no === "Do not allow") await typePassword(newPerson());
      await page.getByRole("button", { name: no }).click();
      expect(await refusalShown("access_denied")).toMatch(/did not agree/);
    },
  );

  test("makes new accounts on the sign-up page only, if it is set up so", async () => {
    const login = newPerson();
    await pressProvider("Careful");
    await agree(login);
    expect(await refusalShown("signup_disabled")).toMatch(/cannot be created this way/);
    await pressProvider("Careful", "/signup");
    await arrive("/dashboard");
    expect((await whoAmI())?.email).toBe(`${login}@example.com`);
  });

  test("that goes down in between leaves the person on the sign-in page with a sentence", async () => {
    await pressProvider("Acme");
    await typePassword(newPerson());
    acme.down = "/token";
    try {
      await page.getByRole("button", { name: "Allow", exact: true }).click();
      expect(await refusalShown("invalid_code")).toMatch(/provider did not confirm/);
    } finally {
      acme.down = null;
    }
  });

  test("that was never there leaves the person on the sign-in page with a sentence", async () => {
    await pressProvider("Nowhere");
    await page.getByText("This provider cannot be reached.").first().waitFor();
    expect(new URL(page.url()).pathname).toBe("/login");
  });

  test("joins no account whose address its owner has not proven here", async () => {
    const owner = await newVisitor();
    const email = await register(owner.context, server.url);
    await pressProvider("Acme");
    await agree(newPerson({ email }));
    expect(await refusalShown("account_not_linked")).toMatch(/account with this email/);
    await owner.context.close();
  });
});

describe("a callback", () => {
  test("without its state, with an unknown one or with an expired one asks to begin again", async () => {
    const codeShown = () => page.locator("code").innerText();
    await page.goto(`${server.url}/api/auth/callback/acme?code=invented`);
    await page.getByText(/Begin it again/).waitFor();
    expect(await codeShown()).toBe("state_not_found");
    await page.goto(`${server.url}/api/auth/callback/acme?code=invented&state=${"x".repeat(32)}`);
    expect(await codeShown()).toBe("please_restart_the_process");

    const callback = await callbackOf(newPerson());
    changeDatabase((database) => {
      const rows = database.prepare("select id, value from verification").all() as {
        id: string;
        value: string;
      }[];
      for (const { id, value } of rows.filter((row) => row.value.includes("codeVerifier"))) {
        const expired = JSON.stringify({ ...JSON.parse(value), expiresAt: Date.now() - 1 });
        database.prepare("update verification set value = ? where id = ?").run(expired, id);
      }
    });
    await page.goto(callback);
    expect(await refusalShown("please_restart_the_process")).toMatch(/took too long/);
  });

  test("is good once: opened again it changes nothing", async () => {
    const login = newPerson();
    const callback = await callbackOf(login);
    await page.goto(callback);
    await arrive("/dashboard");
    const user = await whoAmI();
    await page.goto(callback);
    await page.getByText("please_restart_the_process").waitFor();
    expect(await whoAmI()).toEqual(user);
    await page.getByRole("link", { name: "Sign in" }).click();
    // Who is signed in is led on.
    await arrive("/dashboard");
  });

  test("that the browser's way back leads to once more changes nothing", async () => {
    const [ada, bob] = [newStandInPerson(), newStandInPerson()];
    await pressProvider("GitHub");
    await chooseAtProvider(ada);
    await arrive("/dashboard");
    const user = await whoAmI();
    await page.goBack();
    await chooseAtProvider(bob);
    await page.getByText("please_restart_the_process").waitFor();
    expect(await whoAmI()).toEqual(user);
    await page.goBack();
    await page.goto(`${server.url}/dashboard`);
    await arrive("/dashboard");
  });

  test("of one person signs no one else in, in another browser", async () => {
    const callback = await callbackOf(newPerson());
    const victim = await newVisitor();
    await victim.page.goto(callback);
    expect(await refusalShown("please_restart_the_process", victim.page)).toMatch(/took too long/);
    // Not even where the victim has begun a sign-in of her own.
    await begin({}, victim.page);
    await victim.page.goto(callback);
    expect(await refusalShown("please_restart_the_process", victim.page)).toMatch(/took too long/);
    await victim.context.close();
  });
});

describe("a signed-in person", () => {
  const listed = async () => {
    const { body } = await ask("/list-accounts");
    return (body as { providerId: string }[]).map(({ providerId }) => providerId).toSorted();
  };
  const link = async (name: string) => {
    await page.goto(`${server.url}/settings`);
    await page.getByRole("button", { name: `Link ${name}` }).click();
  };
  const refused = async (code: string) => {
    await page.waitForURL((url) => url.searchParams.get("error") === code);
    const sentence = page.getByRole("alert").first();
    await sentence.scrollIntoViewIfNeeded();
    return await sentence.innerText();
  };

  test("links a provider, signs in through it, and unlinks it but never the last", async () => {
    const email = await register(context, server.url);
    const user = await whoAmI();
    const login = newPerson({ email });
    await link("Acme");
    await agree(login);
    await page.getByText("Acme is linked.").waitFor();
    expect(await listed()).toEqual(["acme", "credential"]);
    await signOut();
    await pressProvider("Acme");
    await arrive("/dashboard");
    expect((await whoAmI())?.id).toBe(user?.id);

    await page.goto(`${server.url}/settings`);
    await page.getByRole("button", { name: "Unlink Acme" }).click();
    const dialog = page.getByRole("alertdialog").or(page.getByRole("dialog"));
    await dialog.getByRole("button", { name: "Unlink" }).click();
    await page.getByText("Acme is no longer linked.").waitFor();
    expect(await listed()).toEqual(["credential"]);
    const last = await ask("/unlink-account", { providerId: "credential" });
    expect([last.status, last.body.message]).toEqual([400, "You can't unlink your last account"]);
  });

  test("who came through a provider alone keeps it", async () => {
    await pressProvider("Acme");
    await agree(newPerson());
    await arrive("/dashboard");
    await page.goto(`${server.url}/settings`);
    const unlink = page.getByRole("button", { name: "Unlink Acme" });
    await unlink.scrollIntoViewIfNeeded();
    expect(await unlink.isDisabled()).toBe(true);
    const refusedUnlink = await ask("/unlink-account", { providerId: "acme" });
    expect(refusedUnlink.body.code).toBe("FAILED_TO_UNLINK_LAST_ACCOUNT");
  });

  test("links no account of another email, none unverified and none of another person", async () => {
    const email = await register(context, server.url);
    await link("Acme");
    await agree(newPerson({ email: "another@example.com" }));
    expect(await refused("email_doesn't_match")).toMatch(/under another email/);
    expect(await listed()).toEqual(["credential"]);

    const other = await newVisitor();
    const login = newPerson();
    await pressProvider("Careful", "/signup", other.page);
    await agree(login, other.page);
    await arrive("/dashboard", other.page);
    careful.people.set(login, { ...known(careful, login), email });
    await link("Careful");
    await agree(login);
    expect(await refused("account_already_linked_to_different_user")).toMatch(/another account/);

    careful.people.set(login, { ...known(careful, login), email_verified: false });
    await link("Careful");
    expect(await refused("unable_to_link_account")).toMatch(/could not be linked/);
    expect(await listed()).toEqual(["credential"]);
    await other.context.close();
  });

  test("gets the provider's access token, refreshed once it ends within five seconds", async () => {
    const login = newPerson();
    await pressProvider("Acme");
    await agree(login);
    await arrive("/dashboard");
    const token = async () =>
      (await ask("/get-access-token", { providerId: "acme" })).body.accessToken as string;
    const userId = (await whoAmI())?.id ?? "";
    const first = await token();
    expect(first.length).toBeGreaterThan(20);
    endAccessTokens(userId, 30_000);
    expect(await token()).toBe(first);
    endAccessTokens(userId, 4_000);
    const second = await token();
    expect(second).not.toBe(first);
    const third = await ask("/refresh-token", { providerId: "acme" });
    expect(third.body.accessToken).not.toBe(second);
    const info = await ask("/account-info", { accountId: login });
    expect(info.body.user).toMatchObject({ email: `${login}@example.com` });
    await signOut();
    expect((await ask("/get-access-token", { providerId: "acme" })).status).toBe(401);
  });
});

describe("a provider of the internet", () => {
  const cases = share(["Apple", "Discord", "GitHub", "Google", "Microsoft", "GitLab"]);

  test.each(cases)("%s brings a new and a known person in", async (name) => {
    const person = newStandInPerson();
    await pressProvider(name);
    await chooseAtProvider(person);
    await arrive("/dashboard");
    const user = await whoAmI();
    expect(user).toMatchObject({ email: `${person}@example.com`, name: "Grace Hopper" });
    // GitLab does not say who has proven an address.
    expect(user?.emailVerified).toBe(name !== "GitLab");

    const providerId = name.toLowerCase();
    const token = async () => (await ask("/get-access-token", { providerId })).body.accessToken;
    const first = await token();
    expect(first.length).toBeGreaterThan(20);
    endAccessTokens(user?.id ?? "", 4_000);
    const second = await token();
    expect(second).not.toBe(first);
    expect(await token()).toBe(second);
    const { body: info } = await ask("/account-info", { providerId });
    expect(info.user.email).toBe(`${person}@example.com`);
    await signOut();
    await pressProvider(name);
    await chooseAtProvider(person);
    await arrive("/dashboard");
    expect((await whoAmI())?.id).toBe(user?.id);
    expect(standIns.faults).toEqual([]);
  });

  test.each(cases)("%s is refused by the person", async (name) => {
    await pressProvider(name);
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await refusalShown("access_denied")).toMatch(/did not agree/);
  });

  test.each(cases)(
    "%s joins an account by an address that both know as proven only",
    async (name) => {
      const email = await register(context, server.url);
      const owner = await whoAmI();
      changeDatabase((database) => {
        const prove = `update "user" set "emailVerified" = 1 where email = ?`;
        expect(database.prepare(prove).run(email).changes).toBe(1);
      });
      await context.clearCookies();
      // As anyone may claim it in a directory of their own.
      const claiming = newStandInPerson(email, false);
      await pressProvider(name);
      await chooseAtProvider(claiming);
      expect(await refusalShown("account_not_linked")).toMatch(/account with this email/);
      standIns.people.splice(0);
      const proven = newStandInPerson(email);
      await pressProvider(name);
      await chooseAtProvider(proven);
      if (name === "GitLab") {
        await refusalShown("account_not_linked");
      } else {
        await arrive("/dashboard");
        expect((await whoAmI())?.id).toBe(owner?.id);
      }
      expect(standIns.faults).toEqual([]);
    },
  );

  test.each(cases)("%s is linked where it knows the address as proven", async (name) => {
    const email = await register(context, server.url);
    const id = newStandInPerson(email);
    await page.goto(`${server.url}/settings`);
    await page.getByRole("button", { name: `Link ${name}` }).click();
    await chooseAtProvider(id);
    if (name === "GitLab") {
      await page.getByText("The account could not be linked.").waitFor();
    } else {
      await page.getByText(`${name} is linked.`).waitFor();
      await page.getByRole("button", { name: `Unlink ${name}` }).waitFor();
    }
    expect(standIns.faults).toEqual([]);
  });

  test("is left alone if it is down, with a sentence for the person", async () => {
    for (const [name, down, code, sentence] of [
      ["GitHub", "https://github.com/login/oauth/access_token", "invalid_code", /not confirm/],
      ["GitHub", "https://api.github.com/user", "unable_to_get_user_info", /not say who you are/],
      ["Google", "https://oauth2.googleapis.com/token", "invalid_code", /not confirm/],
    ] as const) {
      // Before the provider's page is opened, which offers whom it knows by then.
      const person = newStandInPerson();
      await pressProvider(name);
      standIns.down = down;
      await chooseAtProvider(person);
      expect(await refusalShown(code)).toMatch(sentence);
      standIns.down = null;
    }
    expect(standIns.faults).toEqual([]);
  });

  test("gives an identity token that signs in without going there", async () => {
    const id = newStandInPerson();
    const person = standIns.people.find((each) => each.id === id);
    if (person === undefined) throw new Error("unknown");
    await page.goto(`${server.url}/login`);
    const token = await routed.googleToken(person, { nonce: "a nonce" });
    const answer = await ask("/sign-in/social", {
      provider: "google",
      idToken: { token, nonce: "a nonce" },
    });
    expect(answer.body).toMatchObject({ redirect: false, user: { email: person.email } });
    await page.goto(`${server.url}/login`);
    await arrive("/dashboard");
  });
});

/** Sign-in through providers as operators run it: production, a public name, TLS in front. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/chromium.ts";
import { type RoutedProviders, startRoutedProviders } from "../support/routed-providers.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { startTlsProxy, type TlsProxy } from "../support/tls-proxy.ts";
import { openPage } from "./people.ts";

const HOST = "exchange.example";
const PUBLIC_URL = `https://${HOST}`;

let proxy: TlsProxy;
let routed: RoutedProviders;
let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  proxy = await startTlsProxy(HOST);
  routed = await startRoutedProviders({ [HOST]: proxy.port });
  routed.standIns.publicUrl = PUBLIC_URL;
  server = await startServerProcess({
    ENVIRONMENT: "production",
    PUBLIC_URL,
    TRUSTED_PROXIES: "1",
    AUTH_SECRET: "a-secret-of-tests-that-is-long-enough-0123456789",
    SIMULATION: "off",
    SIGN_IN_PROVIDERS: JSON.stringify(routed.providerSettings),
    ...routed.serverSettings,
  });
  proxy.target = server.url;
  browser = await launchChromium(routed.browserArguments);
  const ada = { id: "ada", name: "Ada Lovelace", email: "ada@example.com" };
  routed.standIns.people.push({ ...ada, emailVerified: true });
});
afterAll(async () => {
  await browser.close();
  await server.remove();
  await Promise.all([proxy.close(), routed.close()]);
});

interface User {
  readonly id: string;
  readonly email: string;
}

/** Asked beside the browser, with its cookies, since only the browser knows where the host is. */
async function whoIs(context: BrowserContext): Promise<User | null> {
  const cookies = await context.cookies(PUBLIC_URL);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const answer = await fetch(`${server.url}/api/auth/get-session`, { headers: { cookie } });
  return ((await answer.json()) as { user: User } | null)?.user ?? null;
}

async function signInThrough(name: string, context: BrowserContext): Promise<Page> {
  const { page } = await openPage(context);
  await page.goto(`${PUBLIC_URL}/login`);
  await page.getByRole("button", { name: `Continue with ${name}` }).click();
  await page.getByRole("button", { name: "(ada@example.com)" }).click();
  await page.waitForURL(`${PUBLIC_URL}/dashboard`);
  return page;
}

/** All providers know the same person by the same proven address. */
let firstId: string | undefined;

// Apple posts its answer from its own site, so no cookie of ours comes with it.
test.each(["Apple", "Google", "GitHub"])("%s signs the same person in", async (name) => {
  for (let time = 0; time < 2; time += 1) {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    await signInThrough(name, context);
    const user = await whoIs(context);
    expect(user?.email).toBe("ada@example.com");
    firstId ??= user?.id;
    expect(user?.id).toBe(firstId);
    const cookies = await context.cookies(PUBLIC_URL);
    const session = cookies.find((each) => each.name === "__Secure-better-auth.session_token");
    expect(session).toMatchObject({ secure: true, httpOnly: true, sameSite: "Lax" });
    expect(cookies.filter((each) => each.name.includes("state"))).toEqual([]);
    await context.close();
  }
  expect(routed.standIns.faults).toEqual([]);
});

test("a page of another site neither signs a visitor in nor reads an answer", async () => {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await signInThrough("Google", context);
  const token = await routed.googleToken({
    id: "eve",
    name: "Eve",
    email: "eve@example.com",
    emailVerified: true,
  });
  // Any page that is not ours will do.
  await page.goto("https://github.com/login/oauth/authorize");
  const results = await page.evaluate(
    async ([address, idToken]) => {
      const body = JSON.stringify({ provider: "google", idToken: { token: idToken } });
      const tries = ["application/json", "text/plain", "application/x-www-form-urlencoded"].map(
        async (type) => {
          const headers = { "content-type": type };
          const mode = type === "application/json" ? "cors" : "no-cors";
          const init = { method: "POST", credentials: "include", mode, headers, body } as const;
          return await fetch(`${address}/api/auth/sign-in/social`, init).then(
            (answer) => answer.type,
            () => "refused",
          );
        },
      );
      return await Promise.all(tries);
    },
    [PUBLIC_URL, token] as const,
  );
  expect(results).toEqual(["refused", "refused", "refused"]);
  expect((await whoIs(context))?.email).toBe("ada@example.com");
  // Nor by a form, which takes the visitor along.
  await page.evaluate(
    ([address, idToken]) => {
      const form = document.createElement("form");
      form.method = "post";
      form.enctype = "text/plain";
      form.action = `${address}/api/auth/sign-in/social`;
      const field = document.createElement("input");
      field.name = `{"provider":"google","idToken":{"token":"${idToken}"},"x":"`;
      field.value = `"}`;
      form.append(field);
      document.body.append(form);
      form.submit();
    },
    [PUBLIC_URL, token] as const,
  );
  await page.waitForURL(`${PUBLIC_URL}/api/auth/sign-in/social`);
  expect((await whoIs(context))?.email).toBe("ada@example.com");
  await context.close();
});

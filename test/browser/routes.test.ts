/** Addresses, titles, guards and the pages for what is not there. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type SharedServer, sharedServer } from "../support/shared-servers.ts";
import { openPage, register, signUp } from "./people.ts";

let server: SharedServer;
let browser: Browser;
/** Of those who are not signed in. */
let visitors: BrowserContext;
beforeAll(async () => {
  server = await sharedServer("simulated");
  browser = await sharedChromium();
  visitors = await browser.newContext();
});
afterAll(() => browser.close());

const APP = ["dashboard", "trade", "portfolio", "activity", "settings"] as const;
/** What visitors are sent away from: markets are open to everyone. */
const PRIVATE = APP.filter((path) => path !== "trade");
const AUTH = ["login", "signup"] as const;

async function visit<T>(
  path: string,
  look: (page: Page, complaints: string[]) => Promise<T>,
): Promise<T> {
  const { page, complaints } = await openPage(visitors);
  try {
    await page.goto(`${server.url}${path}`, { waitUntil: "networkidle" });
    return await look(page, complaints);
  } finally {
    await page.close();
  }
}

describe("a visitor", () => {
  test("finds every coin and every plan in the page before any script runs", async () => {
    const html = await (await fetch(`${server.url}/`)).text();
    expect(html).toContain("<title>Openbell</title>");
    for (const text of [
      "Bitcoin",
      "Ethereum",
      "Stellar",
      "US Dollar",
      "Free",
      "Active",
      "Pro",
      "Market maker",
    ]) {
      expect(html).toContain(text);
    }
  });

  test.each(PRIVATE)("who opens /%s is sent to /login", async (path) => {
    await visit(`/${path}`, async (page) => expect(new URL(page.url()).pathname).toBe("/login"));
  });

  test("finds the email of the address filled in", async () => {
    await visit("/login?email=ada%40example.com", async (page) =>
      expect(await page.getByLabel("Email").inputValue()).toBe("ada@example.com"),
    );
  });

  test("is not troubled by an email that is none", async () => {
    await visit("/login?email=not-an-address", async (page, complaints) => {
      expect(await page.getByLabel("Email").inputValue()).toBe("");
      expect(complaints).toEqual([]);
    });
  });

  test("reads SIMULATED on no page of an exchange without the simulation, and on those of one with it", async () => {
    const quiet = await sharedServer("quiet");
    const textOf = async (path: string, { url }: SharedServer) =>
      (await (await fetch(`${url}${path}`)).text()).replaceAll(/<script.*?<\/script>/gs, "");
    for (const path of [
      "/",
      "/trade",
      "/solvency",
      "/documents",
      "/login",
      "/signup",
      "/nowhere",
    ]) {
      expect([path, (await textOf(path, quiet)).match(/.{80}simulated.{40}/i)]).toEqual([
        path,
        null,
      ]);
    }
    for (const path of ["/", "/trade", "/solvency"]) {
      expect([path, await textOf(path, server)]).toEqual([
        path,
        expect.stringContaining("SIMULATED"),
      ]);
    }
  });

  test("is told when a page does not exist", async () => {
    expect((await fetch(`${server.url}/nowhere`)).status).toBe(404);
    await visit("/nowhere", async (page) => {
      await page.getByRole("heading", { name: "Page not found" }).waitFor();
      await page.getByText("The page you are looking for does not exist.").waitFor();
      await page
        .getByRole("link", { name: "Go home" })
        .or(page.getByRole("button", { name: "Go home" }))
        .click();
      await page.waitForURL(`${server.url}/`);
    });
  });

  test("gets the error code of the accounts, or 'Unknown'", async () => {
    const withCode = await fetch(`${server.url}/api/auth/error?error=state_not_found`);
    expect(withCode.headers.get("content-type")).toContain("text/html");
    expect(await withCode.text()).toContain("state_not_found");
    expect(await (await fetch(`${server.url}/api/auth/error`)).text()).toContain("Unknown");
    expect((await fetch(`${server.url}/api/auth/ok`)).status).toBe(200);
  });
});

describe("a signed-in person", () => {
  test("finds the titles, is kept out of the sign-in pages and can sign out", async () => {
    const context = await browser.newContext();
    const { page, complaints } = await openPage(context);
    await signUp(page, server.url);
    for (const path of APP) {
      await page.goto(`${server.url}/${path}`, { waitUntil: "load" });
      const title = path.charAt(0).toUpperCase() + path.slice(1);
      // A live market writes its price before it.
      expect(await page.title()).toMatch(new RegExp(`^(?:[\\d.,]+ \\S+ · )?${title}$`));
    }
    for (const path of AUTH) {
      await page.goto(`${server.url}/${path}`);
      await page.waitForURL("**/dashboard");
    }
    await page
      .getByRole("button", { name: /account|menu|ada/i })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL((url) => !url.pathname.startsWith("/dashboard"));
    await page.goto(`${server.url}/dashboard`);
    await page.waitForURL("**/login**");
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("is told that the password is wrong without learning whether the address exists", async () => {
    const email = await (async () => {
      const context = await browser.newContext();
      const address = await register(context, server.url);
      await context.close();
      return address;
    })();
    const answers = [];
    for (const address of [email, "unknown@example.com"]) {
      answers.push(
        await visit("/login", async (page) => {
          await page.getByLabel("Email").fill(address);
          await page.getByLabel("Password", { exact: true }).fill("wrong-password-1");
          await page.getByRole("button", { name: "Sign in", exact: true }).click();
          await page
            .getByText(/invalid|wrong/i)
            .first()
            .waitFor();
          return await page.locator("form").innerText();
        }),
      );
    }
    expect(answers[0]).not.toBe("");
    expect(answers[1]).toBe(answers[0]);
  });
});

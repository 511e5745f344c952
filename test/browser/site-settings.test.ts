/** What the operator's settings change on the pages. */
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sharedChromium } from "../support/chromium.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { openPage, signUp, takePracticeFunds } from "./people.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(() => browser.close());

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("an exchange with addresses of its own", () => {
  test("has its pages use them: accounts at another path, live data from another origin", async () => {
    const port = await freePort();
    const server = await startServerProcess({
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      BACKEND_URL: `http://localhost:${port}`,
      AUTH_BASE_PATH: "/api/people",
      SIMULATION: "off",
    });
    const context = await browser.newContext();
    try {
      const { page, complaints } = await openPage(context);
      const sockets: string[] = [];
      const asked: string[] = [];
      page.on("websocket", (socket) => sockets.push(new URL(socket.url()).host));
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await signUp(page, server.url);
      // Told by the reactive backend, asked of it with a token of the accounts.
      await takePracticeFunds(page, server.url);
      await page.reload({ waitUntil: "networkidle" });
      expect(new Set(sockets)).toEqual(new Set([`localhost:${port}`]));
      expect(asked.some((path) => path.startsWith("/api/people/"))).toBe(true);
      expect(asked.filter((path) => path.startsWith("/api/auth"))).toEqual([]);
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
      await server.remove();
    }
  });
});

describe("an exchange that switched things off", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServerProcess({
      SIGN_UP: "off",
      PASSWORD_RESET: "off",
      PASSWORD_LENGTH_MIN: "12",
      SIMULATION: "off",
    });
  });
  afterAll(() => server.remove());

  test("offers none of it", async () => {
    const context = await browser.newContext();
    const { page } = await openPage(context);
    await page.goto(`${server.url}/login`);
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    expect(await page.getByText("Forgot password?").count()).toBe(0);
    expect(await page.getByRole("link", { name: "Sign up" }).count()).toBe(0);
    await page.goto(`${server.url}/signup`);
    await page.getByRole("heading", { name: "No new accounts" }).waitFor();
    expect(await page.getByLabel("Password", { exact: true }).count()).toBe(0);
    await page.goto(server.url);
    await page.getByRole("link", { name: "Sign in" }).first().waitFor();
    expect(await page.getByRole("link", { name: "Create account" }).count()).toBe(0);
    await page.goto(`${server.url}/reset-password?token=x`);
    await page.getByText("At least 12 characters").waitFor();
    await page.getByLabel("New password").fill("eleven char");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Use at least 12 characters").waitFor();
    await context.close();
  });
});

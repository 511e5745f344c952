import { ConvexHttpClient } from "convex/browser";
import { ConvexError } from "convex/values";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ErrorData } from "#contract/errors.ts";
import { functions } from "#contract/functions.ts";
import { scan } from "#test/support/authenticator-app.ts";
import { exchangeStarter, type TestExchange } from "./accounts-exchange.ts";
import type { TestBrowser } from "./accounts-server.ts";
import { describeShareOfDatabases } from "./databases.ts";

// Whole servers and many passwords: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const PASSWORD = "correct horse battery";
const SECOND = "second@example.com";

/** Whose session someone has stolen. */
interface Scene {
  readonly exchange: TestExchange;
  readonly root: TestBrowser;
  readonly memberId: string;
}

function passHours(hours: number): void {
  vi.setSystemTime(Date.now() + hours * 3_600_000);
}

async function callsOf({ url }: TestExchange, browser: TestBrowser): Promise<ConvexHttpClient> {
  return new ConvexHttpClient(url, {
    skipConvexDeploymentUrlCheck: true,
    auth: await browser.backendToken(),
    logger: false,
  });
}

async function propose({ exchange, memberId }: Scene, browser: TestBrowser): Promise<number> {
  const args = { userId: memberId, coin: "USD", amount: "1000000", reason: "found" };
  const calls = await callsOf(exchange, browser);
  return (await calls.mutation(functions.adjustments.propose, args)).adjustmentId;
}

async function approve({ exchange }: Scene, browser: TestBrowser, adjustmentId: number) {
  const calls = await callsOf(exchange, browser);
  return (await calls.mutation(functions.adjustments.approve, { adjustmentId })).status;
}

async function refusalOf(answer: Promise<unknown>): Promise<string> {
  try {
    await answer;
  } catch (error) {
    if (!(error instanceof ConvexError)) throw error;
    const { code, message } = error.data as ErrorData;
    return `${code}: ${message}`;
  }
  throw new Error("it was not refused");
}

async function signedIn(exchange: TestExchange, email: string, password = PASSWORD) {
  const browser = exchange.browser();
  expect((await browser.signIn(email, password)).status).toBe(200);
  return browser;
}

/** A second administrator of old, who uses a second step if told so. */
async function secondAdmin({ exchange, root }: Scene, usesCodes = false) {
  const browser = exchange.browser();
  const userId: string = (await browser.signUp(SECOND)).body.user.id;
  await root.post("/admin/set-role", { userId, role: "admin" });
  if (usesCodes) {
    const enabled = await browser.post("/two-factor/enable", { password: PASSWORD });
    const code = scan(enabled.body.totpURI).code();
    expect((await browser.post("/two-factor/verify-totp", { code })).status).toBe(200);
  }
  passHours(25);
  return userId;
}

const TOO_SOON =
  /^forbidden: Another administrator changed your role or how you sign in\. You may propose and approve from \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/;

describeShareOfDatabases("adjustments by two administrators", (openDatabase) => {
  const startExchange = exchangeStarter(openDatabase);

  async function openScene(settings: Record<string, string> = {}): Promise<Scene> {
    const exchange = await startExchange(settings);
    const root = exchange.browser();
    await root.signUp("root@example.com");
    const { userId: memberId } = await exchange.trader("member@example.com");
    return { exchange, root, memberId };
  }

  test("are approved and proposed by none whom another administrator made one just now", async () => {
    const scene = await openScene();
    const { exchange, root } = scene;
    const created = { email: "created@example.com", password: PASSWORD, name: "C", role: "admin" };
    expect((await root.post("/admin/create-user", created)).status).toBe(200);
    const promoted = exchange.browser();
    const promotedId: string = (await promoted.signUp(SECOND)).body.user.id;
    await root.post("/admin/update-user", { userId: promotedId, data: { role: "admin" } });
    const adjustmentId = await propose(scene, root);
    for (const browser of [await signedIn(exchange, created.email), promoted]) {
      expect(await refusalOf(approve(scene, browser, adjustmentId))).toMatch(TOO_SOON);
      expect(await refusalOf(propose(scene, browser))).toMatch(TOO_SOON);
    }
    passHours(23.9);
    expect(await refusalOf(approve(scene, promoted, adjustmentId))).toMatch(TOO_SOON);
    passHours(0.2);
    expect(await approve(scene, promoted, adjustmentId)).toBe("approved");
    expect(await approve(scene, root, await propose(scene, promoted))).toBe("approved");
  });

  test("are approved by none who became an administrator after the proposal", async () => {
    vi.useRealTimers();
    const scene = await openScene({ ADMIN_APPROVAL_WAIT_HOURS: "0" });
    const adjustmentId = await propose(scene, scene.root);
    const second = scene.exchange.browser();
    const userId: string = (await second.signUp(SECOND)).body.user.id;
    await scene.root.post("/admin/set-role", { userId, role: "admin" });
    expect(await refusalOf(approve(scene, second, adjustmentId))).toBe(
      "forbidden: You were made an administrator after this was proposed. It needs an administrator " +
        "who was one before.",
    );
    expect(await approve(scene, second, await propose(scene, scene.root))).toBe("approved");
  });

  test.each([
    ["the password", "/admin/set-user-password", { newPassword: "an entirely new password" }],
    ["a ban", "/admin/unban-user", {}],
    ["the name", "/admin/update-user", { data: { name: "Another" } }],
  ])("wait after another administrator changed %s of one", async (_what, path, change) => {
    const scene = await openScene();
    const { exchange, root } = scene;
    const userId = await secondAdmin(scene);
    await root.signIn("root@example.com");
    const adjustmentId = await propose(scene, root);
    expect((await root.post(path, { userId, ...change })).status).toBe(200);
    const password = "newPassword" in change ? change.newPassword : PASSWORD;
    const second = await signedIn(exchange, SECOND, password);
    expect(await refusalOf(approve(scene, second, adjustmentId))).toMatch(TOO_SOON);
    passHours(24.1);
    expect(await approve(scene, second, adjustmentId)).toBe("approved");
  });

  test("wait after another administrator removed the second step of one", async () => {
    const scene = await openScene();
    const { exchange, root } = scene;
    const userId = await secondAdmin(scene, true);
    await root.signIn("root@example.com");
    const adjustmentId = await propose(scene, root);
    expect((await root.post("/admin/remove-second-factor", { userId })).status).toBe(200);
    const second = await signedIn(exchange, SECOND);
    expect(await refusalOf(approve(scene, second, adjustmentId))).toMatch(TOO_SOON);
  });

  test("do not wait for what an administrator changes about themselves", async () => {
    const scene = await openScene();
    await secondAdmin(scene);
    const { root } = scene;
    await root.signIn("root@example.com");
    const adjustmentId = await propose(scene, root);
    const second = await signedIn(scene.exchange, SECOND);
    const newPassword = "an entirely new password";
    const changed = await second.post("/change-password", {
      currentPassword: PASSWORD,
      newPassword,
    });
    expect(changed.status).toBe(200);
    expect(await approve(scene, second, adjustmentId)).toBe("approved");
  });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Order } from "#contract/types.ts";
import type { UserSummary } from "#contract/users.ts";
import { type FunctionScene, openFunctionScene, refusal } from "#test/support/function-scene.ts";
import { requireAdmin } from "./caller.ts";

let scene: FunctionScene;
beforeAll(async () => {
  scene = await openFunctionScene();
});
afterAll(() => scene.close());

test("only administrators list users and see what one has", async () => {
  for (const [userId, code] of [
    [null, "unauthorized"],
    ["anna", "forbidden"],
  ] as const) {
    const caller = scene.as(userId);
    expect(refusal(await caller.act("users:list"))).toMatchObject({ code });
    // Not even the caller's own account, for which there are separate functions.
    const { result } = caller.query("users:summary", { userId: "anna" });
    expect(refusal(result)).toMatchObject({ code });
  }
});

test("only administrators read the mail queue and have its mails tried again", async () => {
  expect(refusal(await scene.as(null).act("mails:queue"))).toMatchObject({ code: "unauthorized" });
  expect(refusal(await scene.as("anna").act("mails:queue"))).toMatchObject({ code: "forbidden" });
  const queue = await scene.as("admin-1").answer("mails:queue", { limit: 10 });
  expect(queue).toEqual({ waiting: 0, failed: 0, mails: [] });
  for (const [userId, code] of [
    [null, "unauthorized"],
    ["anna", "forbidden"],
  ] as const) {
    const refused = await scene.as(userId).act("mails:retry");
    expect(refusal(refused)).toMatchObject({ code });
  }
  expect(await scene.as("admin-1").act("mails:retry")).toMatchObject({ value: { mails: 2 } });
});

test("only administrators see the nodes and have the leader step down", async () => {
  expect(await scene.as("admin-1").answer("nodes:list")).toEqual({ nodes: null });
  const ofOne = await scene.as("admin-1").act("nodes:stepDown", { reason: "an upgrade" });
  expect(refusal(ofOne)).toMatchObject({ code: "unavailable" });

  const told: string[] = [];
  const place = "one, process 7";
  const node = { node: "1", role: "leader", since: 5, term: 3, sequence: 9, behind: 0, place };
  Object.assign(scene.services, {
    nodes: {
      list: () => Promise.resolve([node]),
      stepDown(because: string) {
        told.push(because);
        return Promise.resolve(`${place} has been told to step down.`);
      },
    },
  });
  for (const path of ["nodes:list", "nodes:stepDown"]) {
    const args = path === "nodes:list" ? {} : { reason: "an upgrade" };
    expect(refusal(await scene.as(null).act(path, args))).toMatchObject({ code: "unauthorized" });
    expect(refusal(await scene.as("anna").act(path, args))).toMatchObject({ code: "forbidden" });
  }
  const admin = scene.as("admin-1");
  expect(await admin.answer("nodes:list")).toEqual({ nodes: [node] });
  expect(refusal(await admin.act("nodes:stepDown", { reason: " " }))).toMatchObject({
    code: "invalidArgument",
  });
  expect(told).toEqual([]);
  expect(await admin.answer("nodes:stepDown", { reason: "an upgrade" })).toEqual({
    said: "one, process 7 has been told to step down.",
  });
  expect(told).toEqual(["the administrator admin-1: an upgrade"]);
});

test("viewing as an administrator makes no one an administrator", () => {
  const { services } = scene;
  const identity = { subject: "admin-1", sessionId: "s", issuedAtMs: 0, expiresAtMs: 1e15 };
  expect(requireAdmin({ services, identity })).toBe("admin-1");
  const looking = { ...identity, readOnly: true };
  expect(() => requireAdmin({ services, identity: looking })).toThrow(/Only administrators/);
});

test("the list has bounds, and says which argument is wrong", async () => {
  const admin = scene.as("admin-1");
  expect(await admin.answer("users:list", { search: "x", sort: "email", limit: 200 })).toEqual({
    users: [],
    total: 0,
  });
  for (const [field, value] of [
    ["limit", 201],
    ["offset", -1],
    ["sort", "password"],
    ["role", "root"],
    ["search", "x".repeat(101)],
  ] as const) {
    expect(refusal(await admin.act("users:list", { [field]: value }))).toMatchObject({ field });
  }
});

test("the summary is what the user has, and follows it", async () => {
  const admin = scene.as("admin-1");
  expect(admin.value("users:summary", { userId: "bert" })).toBeNull();
  const unopened = admin.query("users:summary", { userId: "bert" });
  expect(unopened.topics).toContain("user:bert");

  const bert = scene.as("bert");
  await bert.done("accounts:takePracticeFunds");
  const { order } = await bert.done<{ order: Order }>("orders:place", {
    market: "BTC-USD",
    side: "buy",
    type: "limit",
    price: "1000.00",
    quantity: "1",
  });
  expect(order.status).toBe("open");
  const summary = admin.value<UserSummary>("users:summary", { userId: "bert" });
  expect(summary).toMatchObject({ plan: "Free", settlementCoin: "USD", openOrders: 1 });
  expect(Number(summary.equity)).toBe(100_000);
  expect(summary.balances).toEqual([
    expect.objectContaining({ coin: "USD", total: "100000.000000", held: "1000.000000" }),
  ]);
  await admin.done("accounts:freeze", { userId: "bert", frozen: true, reason: "A check" });
  expect(summary.isFrozen).toBe(false);
  expect(admin.value<UserSummary>("users:summary", { userId: "bert" }).isFrozen).toBe(true);
  const account = scene.services.views.accounts.ofUser("bert")?.account;
  const { topics } = admin.query("users:summary", { userId: "bert" });
  // The caller's role counts as long as the answer is shown.
  for (const topic of [`account:${account}`, "prices", "user:admin-1"]) {
    expect(topics).toContain(topic);
  }
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SharedLimits } from "../limits/shared-limits.ts";
import { MutationRates, WAIT_MS_MAX } from "./mutation-rates.ts";
import { CONNECT, openSocket } from "#test/support/reactive-socket.ts";
import { startServer, type TestServer, tokenFor, until } from "#test/support/reactive-server.ts";

const LIMITS = { perUser: 10, perAddress: 15 };

/** Rates under a clock that stands still until the test advances it. */
function ratesAt() {
  const clock = { nowMs: 0 };
  return { clock, rates: new MutationRates(LIMITS, undefined, () => clock.nowMs) };
}

test("a user's mutations beyond those of a second wait one after another", () => {
  const { clock, rates } = ratesAt();
  const waits = Array.from({ length: 12 }, () => rates.take("user:ann", "192.0.2.1"));
  expect(waits).toEqual([...Array.from({ length: 10 }, () => 0), 100, 200]);
  clock.nowMs = 300;
  expect(rates.take("user:ann", "192.0.2.1")).toBe(0);
});

test("all addresses of a user have one allowance, and so have all users of an address", () => {
  const { rates } = ratesAt();
  for (let n = 0; n < 10; n++) rates.take("user:ann", `192.0.2.${n}`);
  expect(rates.take("user:ann", "192.0.2.99")).toBe(100);
  for (let n = 0; n < 15; n++) expect(rates.take(`user:${n}`, "198.51.100.1")).toBe(0);
  expect(rates.take("user:ben", "198.51.100.1")).toBeGreaterThan(0);
  expect(rates.take("user:ben", "198.51.100.2")).toBe(0);
});

test("mutations on another node count here, of a user and of an address", () => {
  const limits = [new SharedLimits(() => 0), new SharedLimits(() => 0)];
  const [here, there] = limits.map((shared) => new MutationRates(LIMITS, shared, () => 0));
  for (let n = 0; n < 10; n++) there.take("user:ann", "192.0.2.1");
  limits[0].receive("there", limits[1].takeReport() ?? expect.fail("nothing is told"));
  expect(here.take("user:ann", "198.51.100.1", 0)).toBe(100);
  for (let n = 0; n < 5; n++) expect(here.take(`user:${n}`, "192.0.2.1", 0)).toBe(0);
  expect(here.take("user:ben", "192.0.2.1", 0)).toBeGreaterThan(0);
});

test("what would wait too long takes nothing", () => {
  const { clock, rates } = ratesAt();
  for (let n = 0; n < 10; n++) rates.take("user:ann", "192.0.2.1");
  for (let n = 0; n < 50; n++) expect(rates.take("user:ann", "192.0.2.1", 0)).toBe(100);
  clock.nowMs = 100;
  expect(rates.take("user:ann", "192.0.2.1", 0)).toBe(0);
  for (let n = 0; n < 500; n++) rates.take("user:ann", "192.0.2.1");
  const waitMs = rates.take("user:ann", "192.0.2.1");
  expect(waitMs).toBeGreaterThan(WAIT_MS_MAX);
  expect(waitMs).toBeLessThan(WAIT_MS_MAX + 200);
});

test("users and addresses are forgotten once their allowances are full again", () => {
  const { clock, rates } = ratesAt();
  for (let n = 0; n < 500; n++) rates.take(`user:${n}`, `192.0.2.${n}`);
  expect(rates.size).toBe(1_000);
  clock.nowMs = 60_000;
  rates.take("user:ann", "192.0.2.1");
  expect(rates.size).toBe(2);
});

describe("over the wire", () => {
  let server: TestServer;
  const sockets: Awaited<ReturnType<typeof openSocket>>[] = [];
  beforeEach(async () => {
    server = await startServer(undefined, { mutationsPerSecond: LIMITS });
  });
  afterEach(async () => {
    for (const { socket } of sockets.splice(0)) socket.terminate();
    await server.close();
  });

  async function connected(user: string) {
    const opened = await openSocket(server);
    sockets.push(opened);
    const answers = () => opened.heard.filter(({ type }) => type === "MutationResponse");
    opened.send({ ...CONNECT, sessionId: crypto.randomUUID() });
    opened.send({ type: "Authenticate", tokenType: "User", value: tokenFor(user), baseVersion: 0 });
    return { ...opened, answers };
  }
  const ADD = { type: "Mutation", udfPath: "counters:add", args: [{ name: "a" }] };

  const callOverHttp = (user: string) =>
    fetch(`${server.address}/api/mutation`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${tokenFor(user)}` },
      body: JSON.stringify({ path: "counters:add", format: "convex_encoded_json", args: [{}] }),
    });

  test("what a user's connections and HTTP calls ask for counts together: one waits, one gets 429", async () => {
    const pages = await Promise.all([connected("ann"), connected("ann")]);
    for (const page of pages) {
      for (let requestId = 0; requestId < 9; requestId++) page.send({ ...ADD, requestId });
    }
    await until(() => pages.every(({ answers }) => answers().length >= 1));
    await until(() => pages.reduce((sum, { answers }) => sum + answers().length, 0) >= 10);
    const refused = await callOverHttp("ann");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const body = (await refused.json()) as object;
    expect(body).toMatchObject({ code: "tooManyRequests" });
    expect((body as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(0);
    expect((await callOverHttp("ben")).status).toBe(200);
    // None of those that waited was refused.
    await until(() => pages.every(({ answers }) => answers().length === 9));
    expect(pages.flatMap(({ answers }) => answers()).every(({ success }) => success)).toBe(true);
    expect(server.host.counters.get("a")).toBe(18);
  });

  test("beyond ten seconds' worth a connection is told to come later, and its mutation is not run", async () => {
    const page = await connected("ann");
    await until(() => page.heard.some(({ type }) => type === "Transition"));
    const waiting = await Promise.all(Array.from({ length: 125 }, () => connected("ann")));
    for (const { send } of waiting) send({ ...ADD, requestId: 0 });
    await until(() => waiting.some(({ closed }) => closed.code !== undefined));
    const told = waiting.filter(({ closed }) => closed.code !== undefined);
    for (const { closed, answers } of told) {
      expect(closed).toMatchObject({
        code: 1011,
        reason: expect.stringMatching(/^TooManyConcurrentRequests/),
      });
      expect(answers()).toEqual([]);
    }
  });
});

import { expect, test } from "vitest";
import { KEY_FAULT_NAMES, type KeyFaultName, type KeyFaults } from "#contract/key-faults.ts";
import { findEndpoint } from "../endpoints/endpoints.ts";
import { ConnectionCutError } from "./connection-cut.ts";
import { FaultLab } from "./fault-lab.ts";
import { FaultyTraffic } from "./faulty-traffic.ts";
import { HeldBooks } from "./held-books.ts";

interface Scene {
  readonly traffic: FaultyTraffic;
  /** The waits and actions, in order. */
  readonly happened: (number | string)[];
  nowMs: number;
  readonly request: (isChange?: boolean) => Promise<string>;
}

const NO_FAULTS = Object.fromEntries(KEY_FAULT_NAMES.map((name) => [name, 0])) as KeyFaults;

function sceneOf(given: { readonly [Name in KeyFaultName]?: number }, seed = 7): Scene {
  const faults = { ...NO_FAULTS, ...given };
  const happened: (number | string)[] = [];
  const scene: Scene = {
    happened,
    nowMs: 0,
    traffic: new FaultyTraffic({
      apiKey: "key",
      active: { faults, seed, endsAt: 0 },
      weightLimit: 6_000,
      books: new HeldBooks(() => scene.nowMs),
      wait: (ms) => {
        happened.push(ms);
        return Promise.resolve();
      },
    }),
    request: (isChange = true) =>
      scene.traffic.through(isChange, () => {
        happened.push("done");
        return Promise.resolve("answer");
      }),
  };
  return scene;
}

/** The number of requests in a thousand with this outcome. */
async function countOf({ request }: Scene, isIt: (error: unknown) => boolean): Promise<number> {
  let count = 0;
  for (let index = 0; index < 1_000; index++) {
    await request().catch((error: unknown) => {
      count += isIt(error) ? 1 : 0;
    });
  }
  return count;
}

test("latency comes before a request is carried out, and jitter stays within its bound", async () => {
  const scene = sceneOf({ latencyMs: 200, jitterMs: 100 });
  for (let count = 0; count < 50; count++) expect(await scene.request()).toBe("answer");
  expect(scene.happened.filter((_, index) => index % 2 === 1)).toEqual(Array(50).fill("done"));
  const waits = scene.happened.filter((each) => typeof each === "number");
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(200);
  expect(Math.max(...waits)).toBeLessThan(300);
  expect(new Set(waits).size).toBeGreaterThan(20);
});

test("a cut request is not carried out, one whose answer is lost is, once", async () => {
  const cut = sceneOf({ cutPercent: 100 });
  await expect(cut.request()).rejects.toBeInstanceOf(ConnectionCutError);
  expect(cut.happened).toEqual([]);
  const lost = sceneOf({ lostAnswerPercent: 100 });
  await expect(lost.request()).rejects.toBeInstanceOf(ConnectionCutError);
  expect(lost.happened).toEqual(["done"]);
  // Read-only calls are answered.
  expect(await lost.request(false)).toBe("answer");
});

test("a late answer comes after the request was carried out, also if it is a refusal", async () => {
  const { happened, request, traffic } = sceneOf({ lateAnswerPercent: 100, lateAnswerMs: 900 });
  expect(await request()).toBe("answer");
  expect(happened).toEqual(["done", 900]);
  const refused = traffic.through(true, () => Promise.reject(new Error("refused")));
  await expect(refused).rejects.toThrow("refused");
  expect(happened).toEqual(["done", 900, 900]);
});

test("shares are by chance, and the same again for the same seed", async () => {
  const isCut = (error: unknown) => error instanceof ConnectionCutError;
  const count = await countOf(sceneOf({ cutPercent: 20 }), isCut);
  expect(count).toBeGreaterThan(150);
  expect(count).toBeLessThan(250);
  const order = async (seed: number) => {
    const scene = sceneOf({ rateLimitPercent: 50 }, seed);
    for (let index = 0; index < 50; index++) {
      await scene.request().catch((error: { status: number }) => scene.happened.push(error.status));
    }
    return scene.happened.join(" ");
  };
  expect(await order(1)).toBe(await order(1));
  expect(await order(1)).not.toBe(await order(2));
  expect(await order(1)).toContain("429");
});

test("a stale book is the one given before, until it is too old, for each question of its own", () => {
  const scene = sceneOf({ staleDepthMs: 1_000 });
  const depth = findEndpoint("GET", "/api/v3/depth");
  const ask = (limit: number, answer: string) => scene.traffic.distort(depth, { limit }, answer);
  expect(ask(5, "first")).toBe("first");
  expect(ask(10, "other")).toBe("other");
  scene.nowMs = 999;
  expect(ask(5, "second")).toBe("first");
  scene.nowMs = 1_000;
  expect(ask(5, "second")).toBe("second");
});

test("messages of books are stale or left out, others only late", () => {
  const { traffic } = sceneOf({ latencyMs: 10, staleDepthMs: 500 });
  expect(traffic.delayOf("btcusd@trade")).toBe(10);
  expect(traffic.delayOf("btcusd@depth@100ms")).toBe(510);
  expect(traffic.delayOf("btcusd@bookTicker")).toBe(510);
  const gapped = sceneOf({ depthGapPercent: 50 }).traffic;
  const delays = Array.from({ length: 200 }, () => gapped.delayOf("btcusd@depth"));
  expect(new Set(delays)).toEqual(new Set([0, undefined]));
  expect(gapped.delayOf("btcusd@trade")).toBe(0);
});

test("held books are bounded", () => {
  const books = new HeldBooks(() => 0);
  for (let index = 0; index < 33; index++) books.newestOf(String(index), 1_000, index);
  expect(books.newestOf("32", 1_000, "new")).toBe(32);
  expect(books.newestOf("0", 1_000, "new")).toBe("new");
});

test("a halted market refuses orders and their changes, and takes cancellations", () => {
  const { traffic } = sceneOf({ halted: 1 });
  const admit = (method: string, path: string) => traffic.admit(findEndpoint(method, path));
  for (const path of ["order", "order/cancelReplace"]) {
    expect(() => admit("POST", `/api/v3/${path}`)).toThrow("Market is closed.");
  }
  expect(() => admit("PUT", "/api/v3/order/amend/keepPriority")).toThrow("Market is closed.");
  for (const path of ["order", "openOrders"]) admit("DELETE", `/api/v3/${path}`);
  const info = findEndpoint("GET", "/api/v3/exchangeInfo");
  const answer = { serverTime: 5, symbols: [{ symbol: "BTCUSD", status: "TRADING" }] };
  expect(traffic.distort(info, {}, answer)).toEqual({
    serverTime: 5,
    symbols: [{ symbol: "BTCUSD", status: "HALT" }],
  });
});

test("the lab finds traffic by the key that it names, and its chance continues", () => {
  const active = { faults: NO_FAULTS, seed: 1, endsAt: 0 };
  const settings = { ofNamed: (apiKey: string) => (apiKey === "key" ? active : undefined) };
  const lab = new FaultLab({ settings, weightLimit: 6_000 });
  expect(lab.trafficOf(undefined)).toBeUndefined();
  expect(lab.trafficOf("other")).toBeUndefined();
  expect(lab.trafficOf("key")).toBe(lab.trafficOf("key"));
});

import { AsyncLocalStorage } from "node:async_hooks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clientKeyOf } from "./client-key.ts";
import { RecentWork } from "./recent-work.ts";
import { WorkShares } from "./work-shares.ts";

let shares: WorkShares;
let nowMs: number;
beforeEach(() => {
  vi.useFakeTimers();
  nowMs = 0;
  shares = new WorkShares(() => nowMs);
});
afterEach(() => {
  shares.close();
  vi.useRealTimers();
});

/** Work that takes this long. */
const working = (ms: number, what = () => {}) => {
  return () => {
    nowMs += ms;
    what();
  };
};
function pass(ms: number): void {
  nowMs += ms;
  vi.advanceTimersByTime(ms);
}

test("a client rests three times as long as it worked once that is a share of a while", () => {
  const done: string[] = [];
  shares.run("flood", working(7));
  expect(shares.isThrottled("flood")).toBe(false);
  shares.run("flood", working(7));
  expect(shares.isThrottled("flood")).toBe(true);
  shares.whenUnthrottled("flood", () => done.push("flood"));
  pass(41);
  expect(done).toEqual([]);
  pass(1);
  expect(done).toEqual(["flood"]);
  expect(shares.isThrottled("flood")).toBe(false);
});

test("another client is served in the meantime", async () => {
  shares.run("flood", working(30));
  expect(shares.isThrottled("ann")).toBe(false);
  await expect(shares.schedule("ann", () => "answer")).resolves.toBe("answer");
});

test("little work now and then never rests", () => {
  for (let n = 0; n < 100; n++) {
    shares.run("ann", working(9));
    expect(shares.isThrottled("ann")).toBe(false);
    pass(60);
  }
});

test("those who wait are served in the order in which they came, until the share is used up", () => {
  const done: number[] = [];
  shares.run("flood", working(20));
  for (const n of [1, 2, 3]) {
    shares.whenUnthrottled("flood", () =>
      shares.run(
        "flood",
        working(6, () => done.push(n)),
      ),
    );
  }
  pass(60);
  expect(done).toEqual([1, 2]);
  pass(36);
  expect(done).toEqual([1, 2, 3]);
});

test("a newcomer goes before connections for which much was done, however many wait", () => {
  const done: string[] = [];
  const busy = Array.from({ length: 250 }, () => new RecentWork());
  for (const connection of busy) shares.charge("address", 10, connection);
  for (const connection of busy) {
    shares.whenUnthrottled("address", () => done.push("busy"), connection);
  }
  shares.whenUnthrottled("address", () => done.push("newcomer"), new RecentWork());
  pass(60_000);
  expect(done).toHaveLength(251);
  expect(done[0]).toBe("newcomer");
});

test("what was done for a connection long ago does not keep it behind newcomers", () => {
  const done: string[] = [];
  const old = new RecentWork();
  shares.charge("address", 1_000, old);
  pass(300_000);
  const busy = new RecentWork();
  shares.charge("address", 10, busy);
  shares.whenUnthrottled("address", () => done.push("busy"), busy);
  shares.whenUnthrottled("address", () => done.push("old"), old);
  pass(60_000);
  expect(done).toEqual(["old", "busy"]);
});

test("what is done for a client while it rests lengthens its rest", () => {
  const done: string[] = [];
  shares.charge("flood", 20);
  shares.whenUnthrottled("flood", () => done.push("flood"));
  pass(30);
  shares.charge("flood", 20);
  pass(30);
  expect(done).toEqual([]);
  expect(shares.isThrottled("flood")).toBe(true);
  pass(60);
  expect(done).toEqual(["flood"]);
});

test("a client that keeps using up its share gets a sixth of the time", () => {
  const startedMs = nowMs;
  let workedMs = 0;
  const ask = () =>
    shares.whenUnthrottled("flood", () => {
      workedMs += 10;
      shares.run("flood", working(10));
      ask();
    });
  ask();
  pass(60_000);
  expect(workedMs / (nowMs - startedMs)).toBeCloseTo(1 / 6, 2);
});

test("a page that loads rests no longer because others keep using up their share", () => {
  for (const n of Array.from({ length: 40 }, (_, each) => each)) {
    const client = `address:${n}`;
    const ask = () =>
      shares.whenUnthrottled(client, () => {
        shares.charge(client, 20);
        ask();
      });
    ask();
  }
  pass(10_000);
  const done: string[] = [];
  shares.charge("ann", 20);
  shares.whenUnthrottled("ann", () => done.push("ann"));
  pass(60);
  expect(done).toEqual(["ann"]);
});

test("however many clients do all they can, together they take about half of the time", () => {
  const clients = Array.from({ length: 40 }, (_, n) => `address:${n}`);
  const startedMs = nowMs;
  let workedMs = 0;
  const ask = (client: string) =>
    shares.whenUnthrottled(client, () => {
      workedMs += 20;
      shares.charge(client, 20);
      ask(client);
    });
  clients.forEach(ask);
  pass(100_000);
  expect(workedMs / (nowMs - startedMs)).toBeLessThan(0.6);
});

/** Visitors of many addresses, each of which stays below the limit of one client. */
function crowd(addresses: readonly string[], askMs: number): { readonly workedMs: () => number } {
  let workedMs = 0;
  for (const address of addresses) {
    const client = clientKeyOf(undefined, address);
    const ask = () =>
      shares.whenUnthrottled(client, () => {
        workedMs += 8;
        shares.run(client, working(8));
        setTimeout(ask, askMs);
      });
    ask();
  }
  return { workedMs: () => workedMs };
}
/** Advances the time without work, as an idle loop does. */
function passUntil(untilMs: number): void {
  while (nowMs < untilMs) pass(1);
}
const many = Array.from({ length: 100 }, (_, n) => `192.0.2.${n}`);

test("visitors who each stay below a client's share take half of the time together", () => {
  const { workedMs } = crowd(many, 60);
  passUntil(10_000);
  expect(workedMs() / nowMs).toBeLessThan(0.6);
  expect(workedMs() / nowMs).toBeGreaterThan(0.4);
});

test("users, and visitors where a user has signed in, do not wait for such a crowd", async () => {
  crowd(many, 60);
  passUntil(1_000);
  expect(shares.isThrottled("address:198.51.100.1")).toBe(true);
  expect(shares.isThrottled("user:ann")).toBe(false);
  shares.vouch("ann", "198.51.100.1");
  expect(shares.isThrottled("address:198.51.100.1")).toBe(false);
  // A user who signs in everywhere vouches only for the last few addresses.
  for (const address of many) shares.vouch("mallory", address);
  const vouched = many.filter((address) => !shares.isThrottled(clientKeyOf(undefined, address)));
  expect(vouched.length).toBeLessThanOrEqual(4);
});

test.each([
  ["many addresses", many],
  ["a site of many networks", many.map((_, n) => `2001:db8:1:${n}::1`)],
])("a newcomer's work begins within a few turns of a crowd of %s", (_, addresses) => {
  crowd(addresses, 60);
  passUntil(3_000);
  const client = clientKeyOf(undefined, "2001:db8:2::1");
  let begunMs = Infinity;
  shares.whenUnthrottled(client, () => (begunMs = nowMs));
  passUntil(3_200);
  expect(begunMs).toBeLessThan(3_100);
});

test("what fails while it waited fails its caller alone", async () => {
  shares.run("flood", working(20));
  const failing = shares.schedule("flood", () => {
    throw new Error("no");
  });
  const other = shares.schedule("flood", () => "answer");
  pass(60);
  await expect(failing).rejects.toThrow("no");
  await expect(other).resolves.toBe("answer");
});

test("what has waited is done in the asynchronous context of the one who waits", async () => {
  const context = new AsyncLocalStorage<string>();
  context.run("flood", () => shares.run("flood", working(20)));
  const waiting = context.run("waiting", () => shares.schedule("flood", () => context.getStore()));
  pass(60);
  await expect(waiting).resolves.toBe("waiting");
});

test("who has gone is not called", () => {
  const callback = vi.fn<() => void>();
  shares.run("flood", working(20));
  shares.whenUnthrottled("flood", callback);
  shares.forget("flood", callback);
  pass(1_000);
  expect(callback).not.toHaveBeenCalled();
});

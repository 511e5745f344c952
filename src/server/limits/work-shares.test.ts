import { afterEach, beforeEach, expect, test, vi } from "vitest";
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

/** Work that takes so long. */
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
  shares.run("flood", working(15));
  expect(shares.isResting("flood")).toBe(false);
  shares.run("flood", working(15));
  expect(shares.isResting("flood")).toBe(true);
  shares.whenRested("flood", () => done.push("flood"));
  pass(89);
  expect(done).toEqual([]);
  pass(1);
  expect(done).toEqual(["flood"]);
  expect(shares.isResting("flood")).toBe(false);
});

test("another client is served meanwhile", async () => {
  shares.run("flood", working(30));
  expect(shares.isResting("ann")).toBe(false);
  await expect(shares.schedule("ann", () => "answer")).resolves.toBe("answer");
});

test("little work now and then never rests", () => {
  for (let n = 0; n < 100; n++) {
    shares.run("ann", working(15));
    expect(shares.isResting("ann")).toBe(false);
    pass(200);
  }
});

test("those who wait are served in the order in which they came, until the share is used up", () => {
  const done: number[] = [];
  shares.run("flood", working(20));
  for (const n of [1, 2, 3]) {
    shares.whenRested("flood", () =>
      shares.run(
        "flood",
        working(12, () => done.push(n)),
      ),
    );
  }
  pass(60);
  expect(done).toEqual([1, 2]);
  pass(72);
  expect(done).toEqual([1, 2, 3]);
});

test("however many clients do all they can, together they take about half of the time", () => {
  const clients = Array.from({ length: 40 }, (_, n) => `address:${n}`);
  const startedMs = nowMs;
  let workedMs = 0;
  const ask = (client: string) =>
    shares.whenRested(client, () => {
      workedMs += 20;
      shares.charge(client, 20);
      ask(client);
    });
  clients.forEach(ask);
  pass(100_000);
  expect(workedMs / (nowMs - startedMs)).toBeLessThan(0.6);
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

test("who has gone is not called", () => {
  const callback = vi.fn<() => void>();
  shares.run("flood", working(20));
  shares.whenRested("flood", callback);
  shares.forget("flood", callback);
  pass(1_000);
  expect(callback).not.toHaveBeenCalled();
});

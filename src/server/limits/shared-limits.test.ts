import { expect, test } from "vitest";
import { SharedLimits } from "./shared-limits.ts";

/** Two nodes under a clock that stands still until the test advances it. */
function twoNodes() {
  const clock = { nowMs: 0 };
  const nowMs = () => clock.nowMs;
  const used: [string, number][] = [];
  const [here, there] = [new SharedLimits(nowMs), new SharedLimits(nowMs)];
  const rate = there.rate("orders", () => undefined);
  here.rate("orders", (client, count) => used.push([client, count]));
  const numbers = [here.number("sockets"), there.number("sockets")] as const;
  /** Delivers the other node's report to this one, if it has one. */
  const tell = () => {
    const report = there.takeReport();
    if (report !== undefined) here.receive("there", report);
    return report;
  };
  return { clock, here, there, rate, used, numbers, tell };
}

test("use is told once it is a part of the limit, and all of it", () => {
  const { rate, used, tell } = twoNodes();
  rate.use("ann", 3, 100);
  rate.use("ben", 1, 10);
  tell();
  expect(used).toEqual([["ben", 1]]);
  rate.use("ann", 1, 100);
  tell();
  tell();
  expect(used).toEqual([
    ["ben", 1],
    ["ann", 4],
  ]);
  rate.use("ann", 8, 100);
  rate.use("ann", -8, 100);
  expect(tell()).toBeUndefined();
});

test("a node that has nothing to tell says so each second", () => {
  const { clock, tell } = twoNodes();
  expect(tell()).toEqual({ used: [], taken: [] });
  clock.nowMs = 999;
  expect(tell()).toBeUndefined();
  clock.nowMs = 1_000;
  expect(tell()).toEqual({ used: [], taken: [] });
});

test("what is taken elsewhere counts until it is given back, or its node is silent for three seconds", () => {
  const { clock, here, numbers, tell } = twoNodes();
  const [own, others] = numbers;
  others.set("ann", 3);
  others.set("ben", 1);
  tell();
  others.set("ben", 0);
  expect([own.elsewhere("ann"), own.elsewhere("ben")]).toEqual([3, 1]);
  tell();
  expect([own.elsewhere("ann"), own.elsewhere("ben")]).toEqual([3, 0]);
  clock.nowMs = 2_999;
  here.takeReport();
  expect(own.elsewhere("ann")).toBe(3);
  clock.nowMs = 3_000;
  here.takeReport();
  expect(own.elsewhere("ann")).toBe(0);
});

test("what is taken is repeated, for a node that has not heard of it", () => {
  const { clock, there, numbers, tell } = twoNodes();
  const [own, others] = numbers;
  others.set("ann", 3);
  // This report is lost.
  there.takeReport();
  clock.nowMs = 9_999;
  tell();
  expect(own.elsewhere("ann")).toBe(0);
  clock.nowMs = 10_000;
  tell();
  expect(own.elsewhere("ann")).toBe(3);
});

test("one word has a bounded size, the rest is in the next; a limit that is not known is passed over", () => {
  const { here, rate, used, tell } = twoNodes();
  for (let client = 0; client < 1_500; client++) rate.use(`client-${client}`, 10, 10);
  expect(tell()?.used).toHaveLength(1_000);
  expect(tell()?.used).toHaveLength(500);
  expect(new Set(used.map(([client]) => client)).size).toBe(1_500);
  here.receive("newer", { used: [["ofTomorrow", "ann", 1]], taken: [["ofTomorrow", "ann", 1]] });
});

test("clients whose use is too small to be told are forgotten when there are too many", () => {
  const { rate, used, tell } = twoNodes();
  rate.use("first", 3, 100);
  for (let client = 0; client < 10_000; client++) rate.use(`client-${client}`, 1, 100);
  rate.use("first", 3, 100);
  rate.use("client-9999", 3, 100);
  tell();
  expect(used).toEqual([["client-9999", 4]]);
});

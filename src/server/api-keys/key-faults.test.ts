import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { KeyFaultSettings } from "./key-faults.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const changed: string[] = [];
  const settings = new KeyFaultSettings(
    (userId) => changed.push(userId),
    () => 1_000,
  );
  return { changed, settings };
}

const KEY = { id: "1", apiKey: "a", userId: "ada" };
const LATENCY = { faults: { latencyMs: 5 }, seconds: 60, seed: 3 };

test("faults are those of one key, by its id and by its text", () => {
  const { changed, settings } = open();
  const active = settings.set(KEY, LATENCY);
  expect(active).toMatchObject({
    faults: { latencyMs: 5, cutPercent: 0 },
    seed: 3,
    endsAt: 61_000,
  });
  expect(settings.of("1")).toBe(active);
  expect(settings.ofNamed("a")).toBe(active);
  expect(settings.of("2")).toBeUndefined();
  expect(settings.ofNamed("1")).toBeUndefined();
  expect(changed).toEqual(["ada"]);
});

test("they end at their time, which begins again with a change", () => {
  const { changed, settings } = open();
  settings.set(KEY, LATENCY);
  vi.advanceTimersByTime(59_999);
  settings.set(KEY, LATENCY);
  vi.advanceTimersByTime(59_999);
  expect(settings.ofNamed("a")).toBeDefined();
  vi.advanceTimersByTime(1);
  expect([settings.of("1"), settings.ofNamed("a")]).toEqual([undefined, undefined]);
  expect(changed).toHaveLength(3);
});

test("they end when they are cleared, or set to nothing, or with all of their owner's", () => {
  const { settings } = open();
  settings.set(KEY, LATENCY);
  expect(settings.set(KEY, { faults: { latencyMs: 0 }, seconds: 60 })).toBeUndefined();
  expect(settings.of("1")).toBeUndefined();
  settings.set(KEY, LATENCY);
  settings.set({ id: "2", apiKey: "b", userId: "bob" }, LATENCY);
  settings.clearAllOf("ada");
  expect(settings.ofNamed("a")).toBeUndefined();
  settings.clear("2");
  expect(settings.ofNamed("b")).toBeUndefined();
});

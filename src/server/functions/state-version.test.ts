import { afterEach, expect, test } from "vitest";
import { openFunctionScene } from "#test/support/function-scene.ts";
import { Views } from "../views/views.ts";
import { stateVersion } from "./state-version.ts";

const NOW_MS = 1_700_000_000_000;
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

test("every event has a later version than those before it", () => {
  const versions = [
    { sequence: 5, timestampMs: NOW_MS },
    { sequence: 6, timestampMs: NOW_MS },
    // After an older backup was restored.
    { sequence: 2, timestampMs: NOW_MS + 1 },
    { sequence: 3_000_000, timestampMs: NOW_MS + 2 },
  ].map(stateVersion);
  expect(versions).toEqual(versions.toSorted((first, second) => (first < second ? -1 : 1)));
  expect(new Set(versions).size).toBe(4);
});

test("it is an unsigned 64-bit number for ages, and above the nanoseconds of a wall clock", () => {
  const year2500Ms = Date.UTC(2500, 0);
  expect(stateVersion({ sequence: 1, timestampMs: year2500Ms })).toBeLessThan(2n ** 64n);
  expect(stateVersion({ sequence: 1, timestampMs: NOW_MS })).toBeGreaterThan(
    BigInt(NOW_MS) * 1_000_000n,
  );
});

test("it comes from the journal, whatever the clock says", async () => {
  const scene = await openFunctionScene();
  closers.push(() => scene.close());
  const { views } = scene.services;
  const before = stateVersion(views);
  await scene.as("ann").done("accounts:takePracticeFunds", {});
  const after = stateVersion(views);
  expect(after).toBeGreaterThan(before);
  const restored = new Views({ now: () => 0 });
  restored.restore(views.state());
  expect(stateVersion(restored)).toBe(after);
});

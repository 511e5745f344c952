import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { KeepAlive } from "./keep-alive.ts";

const EVERY_MS = 1_000;

let keepAlive: KeepAlive;
afterEach(() => {
  keepAlive.close();
  vi.useRealTimers();
});

function startRound(count: number): { readonly looked: number[]; readonly round: () => void } {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const looked: number[] = [];
  const connections = new Set(
    Array.from({ length: count }, (_, id) => ({ keepAlive: () => void looked.push(id) })),
  );
  keepAlive = new KeepAlive(connections, EVERY_MS);
  return { looked, round: () => vi.advanceTimersByTime(EVERY_MS) };
}

test("many connections are looked after a slice at a time, each once", async () => {
  const { looked, round } = startRound(1_000);
  round();
  const inFirstTurn = looked.length;
  expect(inFirstTurn).toBeGreaterThan(0);
  expect(inFirstTurn).toBeLessThan(100);
  let turns = 0;
  for (let before = 0; before < looked.length; turns++) {
    before = looked.length;
    await nextTurn();
    expect(looked.length - before).toBeLessThanOrEqual(inFirstTurn);
  }
  expect(turns).toBeGreaterThan(10);
  expect(looked).toEqual(Array.from({ length: 1_000 }, (_, id) => id));
});

test("a round that is under way is not begun again, and the next one is", async () => {
  const { looked, round } = startRound(100);
  round();
  round();
  while (looked.length < 100) await nextTurn();
  await nextTurn();
  expect(looked).toHaveLength(100);
  round();
  while (looked.length < 200) await nextTurn();
});

test("a closed one looks after nobody any more", async () => {
  const { looked, round } = startRound(1_000);
  round();
  const before = looked.length;
  keepAlive.close();
  await nextTurn();
  await nextTurn();
  expect(looked).toHaveLength(before);
});

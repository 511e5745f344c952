import { expect, test } from "vitest";
import { StallWatch } from "./stall-watch.ts";

function scene() {
  let nowMs = 0;
  let last = 0;
  let asked = 0;
  const watch = new StallWatch(
    async () => {
      asked += 1;
      if (last === 0) throw new Error("no leader");
      return last;
    },
    () => nowMs,
  );
  return {
    isStalled: (next: number) => watch.isStalled(next),
    pass: (ms: number) => void (nowMs += ms),
    setLast: (position: number) => void (last = position),
    asked: () => asked,
  };
}

test("a reader at the end of the stream is not stalled, however long it waits", async () => {
  const { isStalled, pass, setLast } = scene();
  setLast(7);
  for (let count = 0; count < 10; count++) {
    expect(await isStalled(8)).toBe(false);
    pass(1_000);
  }
});

test("a reader without a message that the stream has had for seconds is stalled", async () => {
  const { isStalled, pass, setLast } = scene();
  expect(await isStalled(8)).toBe(false);
  setLast(8);
  pass(2_000);
  // It may be under way.
  expect(await isStalled(8)).toBe(false);
  pass(1_000);
  expect(await isStalled(8)).toBe(false);
  pass(1_000);
  expect(await isStalled(8)).toBe(true);
});

test("a reader that is given messages is not stalled, and asks nothing", async () => {
  const { asked, isStalled, pass, setLast } = scene();
  setLast(100);
  for (let next = 8; next < 20; next++) {
    expect(await isStalled(next)).toBe(false);
    pass(1_000);
  }
  expect(asked()).toBe(0);
});

test("no reader is stalled while the stream has no leader", async () => {
  const { isStalled, pass } = scene();
  for (let count = 0; count < 10; count++) {
    expect(await isStalled(8)).toBe(false);
    pass(2_000);
  }
});

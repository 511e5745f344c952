import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { ChunkedWork } from "./chunked-work.ts";

test("work of many clients in one turn is done in chunks, in order", async () => {
  let nowMs = 0;
  const done: string[] = [];
  const chunks = new ChunkedWork(() => nowMs);
  function* work(name: string): Generator<void> {
    for (let step = 1; step <= 3; step++) {
      nowMs += 1;
      done.push(`${name}${step}`);
      if (step < 3) yield;
    }
  }
  for (const name of ["a", "b", "c"]) chunks.add(work(name));
  expect(done).toEqual(["a1", "a2"]);
  await nextTurn();
  expect(done).toEqual(["a1", "a2", "a3", "b1"]);
  while (done.length < 9) await nextTurn();
  expect(done.slice(4)).toEqual(["b2", "b3", "c1", "c2", "c3"]);
  await nextTurn();
  chunks.add(work("d"));
  expect(done.slice(9)).toEqual(["d1", "d2"]);
});

import { expect, test } from "vitest";
import { GrowableBuffer } from "./growable-buffer.ts";

test("chunks of any length become one text, in at most twice its memory", () => {
  const gathered = new GrowableBuffer();
  let expected = "";
  for (let number = 0; number < 3_000; number++) {
    const chunk = String(number).slice(0, number % 5);
    expected += chunk;
    gathered.add(Buffer.from(chunk));
    expect(gathered.length).toBe(expected.length);
    expect(gathered.capacity).toBeLessThanOrEqual(2 * expected.length);
  }
  expect(gathered.bytes().toString()).toBe(expected);
});

test("a single chunk is not copied", () => {
  const gathered = new GrowableBuffer();
  const chunk = Buffer.from("whole");
  gathered.add(chunk);
  expect(gathered.bytes().buffer).toBe(chunk.buffer);
  expect(gathered.bytes().toString()).toBe("whole");
});

test("a gathered chunk is changed by no later one", () => {
  const gathered = new GrowableBuffer();
  const chunk = Buffer.from("ab");
  gathered.add(chunk.subarray(0, 1));
  gathered.add(Buffer.from("x"));
  expect(chunk.toString()).toBe("ab");
  expect(gathered.bytes().toString()).toBe("ax");
});

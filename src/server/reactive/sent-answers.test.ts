import { expect, test } from "vitest";
import { applyIncrement } from "#contract/increments.ts";
import { SentAnswers } from "./sent-answers.ts";

const STABLE = `,"value":[${"1234567890,".repeat(30)}`;
const textOf = (version: number) => ({
  failed: false,
  tail: `${STABLE}${version}]}`,
  version,
});

function madeFrom(version: number, increment: string | undefined): string | undefined {
  if (increment === undefined) return undefined;
  return applyIncrement(textOf(version).tail, JSON.parse(increment) as (number | string)[]);
}

test("each who has an earlier text is led to the present one", () => {
  const answers = new SentAnswers(textOf(1));
  answers.hold();
  answers.hold();
  answers.replace(textOf(2));
  answers.release(1);
  answers.hold();
  answers.replace(textOf(3));
  expect(madeFrom(1, answers.incrementFrom(1))).toBe(textOf(3).tail);
  expect(madeFrom(2, answers.incrementFrom(2))).toBe(textOf(3).tail);
});

test("a text that no client has is not kept", () => {
  const answers = new SentAnswers(textOf(1));
  answers.replace(textOf(2));
  expect(answers.length).toBe(0);
  answers.hold();
  answers.replace(textOf(3));
  expect(answers.length).toBe(textOf(2).tail.length);
  answers.release(2);
  answers.hold();
  expect(answers.length).toBe(0);
  expect(answers.incrementFrom(2)).toBeUndefined();
});

test("of many texts the one that fewest have is forgotten", () => {
  const answers = new SentAnswers(textOf(1));
  for (let holder = 0; holder < 100; holder++) answers.hold();
  for (let version = 2; version <= 100; version++) {
    answers.replace(textOf(version));
    answers.hold();
  }
  answers.replace(textOf(101));
  expect(answers.length).toBeLessThanOrEqual(65 * textOf(1).tail.length);
  expect(madeFrom(1, answers.incrementFrom(1))).toBe(textOf(101).tail);
  expect(madeFrom(100, answers.incrementFrom(100))).toBe(textOf(101).tail);
  expect(answers.incrementFrom(2)).toBeUndefined();
  // Releasing a forgotten one changes nothing.
  answers.release(2);
});

test("of large texts one earlier is kept", () => {
  const large = (version: number) => ({
    failed: false,
    tail: `"${"x".repeat(300_000)}${version}"}`,
    version,
  });
  const answers = new SentAnswers(large(1));
  answers.hold();
  answers.hold();
  answers.replace(large(2));
  answers.release(1);
  answers.hold();
  answers.replace(large(3));
  expect(answers.length).toBe(large(2).tail.length);
});

test("a failure and an answer do not lead to each other", () => {
  const answers = new SentAnswers(textOf(1));
  answers.hold();
  answers.replace({ ...textOf(2), failed: true });
  expect(answers.incrementFrom(1)).toBeUndefined();
});

import { expect, test } from "vitest";
import { parseSteps, stepTextsOf } from "./schedule-steps.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const step = (at: string, status = "closed" as const, minutes = "") => ({ at, status, minutes });

test("steps are read in UTC, and shown as they were typed, to the millisecond", () => {
  const typed = [
    { at: "2026-11-21T14:00", status: "preOpen", minutes: "30" },
    step("2026-11-22T09:30"),
    { at: "2026-11-22T09:30:05", status: "halted", minutes: "1:40" },
    step("2026-11-22T09:30:05.001"),
  ] as const;
  const read = parseSteps(typed, NOW);
  expect(read).toEqual({
    steps: [
      { at: Date.parse("2026-11-21T14:00Z"), status: "preOpen", forSeconds: 1800 },
      { at: Date.parse("2026-11-22T09:30Z"), status: "closed" },
      { at: Date.parse("2026-11-22T09:30:05Z"), status: "halted", forSeconds: 100 },
      { at: Date.parse("2026-11-22T09:30:05.001Z"), status: "closed" },
    ],
  });
  if (!("steps" in read)) throw new Error("it was refused");
  const scheduled = read.steps.map((each) => ({ ...each, forSeconds: each.forSeconds ?? null }));
  expect(stepTextsOf(scheduled)).toEqual(typed);
});

test.each([
  [[step("")], ["Enter a day and a time"]],
  [[step("2026-11-21T12:00")], ["This time is past"]],
  [
    [step("2026-11-22T12:00"), step("2026-11-22T12:00")],
    ["", "Enter a time after that of the step before"],
  ],
  [
    [{ at: "2026-11-22T12:00", status: "halted" as const, minutes: "soon" }],
    ["Enter minutes, such as 30 or 1:30, or nothing"],
  ],
])("%j says at which step what is wrong", (texts, problems) => {
  expect(parseSteps(texts, NOW)).toEqual({ problems });
});

test("minutes of a state that does not end by itself do not count", () => {
  expect(parseSteps([step("2026-11-22T12:00", "closed", "30")], NOW)).toEqual({
    steps: [{ at: Date.parse("2026-11-22T12:00Z"), status: "closed" }],
  });
});

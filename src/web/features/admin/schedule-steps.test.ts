import { expect, test } from "vitest";
import { readSteps, stepTextsOf } from "./schedule-steps.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const step = (at: string, status = "closed" as const, minutes = "") => ({ at, status, minutes });

test("steps are read in UTC, and shown as they were typed", () => {
  const typed = [
    { at: "2026-11-21T14:00", status: "preOpen", minutes: "30" },
    step("2026-11-22T09:30"),
  ] as const;
  const read = readSteps(typed, NOW);
  expect(read).toEqual({
    steps: [
      { at: Date.parse("2026-11-21T14:00Z"), status: "preOpen", forSeconds: 1800 },
      { at: Date.parse("2026-11-22T09:30Z"), status: "closed" },
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
    ["Enter whole minutes, or nothing"],
  ],
])("%j says at which step what is wrong", (texts, problems) => {
  expect(readSteps(texts, NOW)).toEqual({ problems });
});

test("minutes of a state that does not end by itself do not count", () => {
  expect(readSteps([step("2026-11-22T12:00", "closed", "30")], NOW)).toEqual({
    steps: [{ at: Date.parse("2026-11-22T12:00Z"), status: "closed" }],
  });
});

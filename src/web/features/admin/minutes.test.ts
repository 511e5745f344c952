import { expect, test } from "vitest";
import { minutesText, parseMinutes } from "./minutes.ts";

test.each([
  ["0", 0],
  ["5", 300_000],
  [" 1:30 ", 90_000],
  ["0:00.25", 250],
  ["525600", 31_536_000_000],
  ["", undefined],
  ["1:60", undefined],
  ["1.5", undefined],
  ["-1", undefined],
  ["5 min", undefined],
])("minutes typed as %j are %j ms", (text, ms) => {
  expect(parseMinutes(text)).toBe(ms);
});

test.each([
  [300_000, "5"],
  [30_000, "0:30"],
  [3_661_000, "61:01"],
  [90_250, "1:30.250"],
  [1, "0:00.001"],
])("%i ms are shown as %j, and read as they are shown", (ms, text) => {
  expect(minutesText(ms)).toBe(text);
  expect(parseMinutes(text)).toBe(ms);
});

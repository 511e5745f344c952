import { expect, test } from "vitest";
import { STEP_MS, stepOfCode, timeCode } from "./time-codes.ts";

const SECRET = "12345678901234567890";

// RFC 6238, appendix B, of which six digits are used.
test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("the code at second %i is the standard's", (second, code) => {
  const step = Math.floor((second * 1000) / STEP_MS);
  expect(timeCode(SECRET, step)).toBe(code);
  expect(stepOfCode(SECRET, code, second * 1000)).toBe(step);
});

test("a code is good one step before and after its own, and no longer", () => {
  const code = timeCode(SECRET, 1000);
  const found = [998, 999, 1000, 1001, 1002].map((step) =>
    stepOfCode(SECRET, code, step * STEP_MS + 1),
  );
  expect(found).toEqual([null, 1000, 1000, 1000, null]);
});

test.each(["", "12345", "1234567", "12345a", "٢٨٧٠٨٢", " 287082", "287082\n"])(
  "%j is no code",
  (code) => {
    expect(stepOfCode(SECRET, code, 59_000)).toBeNull();
  },
);

import { expect, test } from "vitest";
import { clockText } from "./time-left.ts";

test.each([
  [3_600_000, "60:00"],
  [3_599_001, "60:00"],
  [61_000, "1:01"],
  [9_400, "0:10"],
  [0, "0:00"],
  [-5_000, "0:00"],
])("%d ms are %s", (spanMs, text) => expect(clockText(spanMs)).toBe(text));

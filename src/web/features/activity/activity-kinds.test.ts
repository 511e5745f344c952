import { expect, test } from "vitest";
import { statusText } from "./activity-kinds.ts";

test("a status reads as words", () => {
  expect(statusText("cancelled")).toBe("Cancelled");
  expect(statusText("partiallyFilled")).toBe("Partially filled");
});

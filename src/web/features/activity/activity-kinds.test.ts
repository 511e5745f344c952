import { expect, test } from "vitest";
import { readActivitySearch, statusText } from "./activity-kinds.ts";

test("known filters are kept", () => {
  expect(readActivitySearch({ kind: "fill", search: "BTC" })).toEqual({
    kind: "fill",
    search: "BTC",
  });
});

test("everything, unknown kinds and blank searches mean no filter", () => {
  const none = { kind: undefined, search: undefined };
  expect(readActivitySearch({ kind: "all" })).toEqual(none);
  expect(readActivitySearch({ kind: "nonsense", search: "  " })).toEqual(none);
  expect(readActivitySearch({ kind: ["fill"], search: 7 })).toEqual(none);
});

test("an endless search is cut", () => {
  expect(readActivitySearch({ search: "x".repeat(500) }).search).toHaveLength(100);
});

test("a status reads as words", () => {
  expect(statusText("cancelled")).toBe("Cancelled");
  expect(statusText("partiallyFilled")).toBe("Partially filled");
});

import { expect, test } from "vitest";
import { activityArgs, isFiltered, parseActivitySearch } from "./activity-search.ts";

test("known filters are kept and become arguments", () => {
  const search = parseActivitySearch({
    kind: "order",
    search: "iceberg",
    market: "BTC-USD",
    side: "sell",
    from: "2026-11-20",
    to: "2026-11-21",
    flat: true,
  });
  expect(isFiltered(search)).toBe(true);
  expect(activityArgs(search, "UTC")).toEqual({
    kind: "order",
    search: "iceberg",
    market: "BTC-USD",
    side: "sell",
    from: Date.UTC(2026, 10, 20),
    to: Date.UTC(2026, 10, 22),
  });
});

test("everything, unknown values and blank searches mean no filter", () => {
  for (const given of [
    {},
    { kind: "all", side: "both", flat: "yes" },
    { kind: ["fill"], search: "  ", market: "", from: "yesterday", to: 7 },
  ]) {
    expect(isFiltered(parseActivitySearch(given))).toBe(false);
  }
});

test("fills are below their orders unless they are asked for", () => {
  expect(activityArgs({}, "UTC")).toEqual({ grouped: true });
  expect(activityArgs({ flat: true }, "UTC")).toEqual({});
  expect(activityArgs({ kind: "fill" }, "UTC")).toEqual({ kind: "fill" });
});

test("texts of digits are texts, and endless ones are cut", () => {
  expect(parseActivitySearch({ search: 4711 }).search).toBe("4711");
  expect(parseActivitySearch({ search: "x".repeat(500) }).search).toHaveLength(100);
});

import { expect, test } from "vitest";
import { intervalName, periodOf } from "./intervals.ts";
import { DEFAULT_PREFERENCES, readPreferences } from "./preferences.ts";

test("kept preferences are read as far as they make sense", () => {
  expect(readPreferences('{"interval":"4h","indicators":["RSI","XXX"]}')).toEqual({
    interval: "4h",
    indicators: ["RSI"],
  });
  expect(readPreferences('{"interval":"7h"}')).toEqual(DEFAULT_PREFERENCES);
  expect(readPreferences("nonsense")).toEqual(DEFAULT_PREFERENCES);
  expect(readPreferences(null)).toEqual(DEFAULT_PREFERENCES);
});

test("minutes and months are not confused", () => {
  expect(periodOf("1m")).toEqual({ type: "minute", span: 1 });
  expect(periodOf("1M")).toEqual({ type: "month", span: 1 });
  expect(intervalName("15m")).toBe("15 minutes");
  expect(intervalName("1d")).toBe("1 day");
});

import { expect, test } from "vitest";
import { intervalName, periodOf } from "./intervals.ts";
import { DEFAULT_PREFERENCES, parsePreferences } from "./preferences.ts";

test("kept preferences are read as far as they make sense", () => {
  expect(
    parsePreferences('{"interval":"4h","type":"bars","scale":"spiral","indicators":["RSI","XXX"]}'),
  ).toEqual({
    ...DEFAULT_PREFERENCES,
    interval: "4h",
    type: "bars",
    indicators: [{ name: "RSI", parameters: [14] }],
  });
  expect(parsePreferences('{"interval":"7h"}')).toEqual(DEFAULT_PREFERENCES);
  expect(parsePreferences("nonsense")).toEqual(DEFAULT_PREFERENCES);
  expect(parsePreferences(null)).toEqual(DEFAULT_PREFERENCES);
});

test("an indicator is on the chart once, with the parameters stored last", () => {
  const text = '{"indicators":[{"name":"RSI","parameters":[7]},{"name":"RSI","parameters":[21]}]}';
  expect(parsePreferences(text).indicators).toEqual([{ name: "RSI", parameters: [21] }]);
});

test("amending by dragging asks unless the viewer has said otherwise", () => {
  expect(parsePreferences("{}").asksBeforeAmending).toBe(true);
  expect(parsePreferences('{"asksBeforeAmending":false}').asksBeforeAmending).toBe(false);
});

test("minutes and months are not confused", () => {
  expect(periodOf("1m")).toEqual({ type: "minute", span: 1 });
  expect(periodOf("1M")).toEqual({ type: "month", span: 1 });
  expect(intervalName("15m")).toBe("15 minutes");
  expect(intervalName("1d")).toBe("1 day");
});

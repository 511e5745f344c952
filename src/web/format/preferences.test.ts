import { expect, test } from "vitest";
import { DEFAULT_PREFERENCES, parsePreferences } from "./preferences.ts";

test("what was kept is read again", () => {
  const kept = {
    timeZone: "Asia/Tokyo",
    colours: "colourBlind",
    density: "compact",
    defaultMarket: "ETH-USD",
    sounds: true,
  };
  expect(parsePreferences(kept)).toEqual(kept);
});

test("what makes no sense any more is the default", () => {
  expect(parsePreferences(undefined)).toEqual(DEFAULT_PREFERENCES);
  expect(parsePreferences(null)).toEqual(DEFAULT_PREFERENCES);
  expect(parsePreferences("text")).toEqual(DEFAULT_PREFERENCES);
  expect(
    parsePreferences({ timeZone: "Mars/Olympus", colours: "grey", density: 7, sounds: "on" }),
  ).toEqual(DEFAULT_PREFERENCES);
});

import { expect, test } from "vitest";
import { DEFAULT_PREFERENCES, readPreferences } from "./preferences.ts";

test("what was kept is read again", () => {
  const kept = {
    timeZone: "Asia/Tokyo",
    colours: "colourBlind",
    density: "compact",
    defaultMarket: "ETH-USD",
    sounds: true,
  };
  expect(readPreferences(kept)).toEqual(kept);
});

test("what makes no sense any more is the default", () => {
  expect(readPreferences(undefined)).toEqual(DEFAULT_PREFERENCES);
  expect(readPreferences(null)).toEqual(DEFAULT_PREFERENCES);
  expect(readPreferences("text")).toEqual(DEFAULT_PREFERENCES);
  expect(
    readPreferences({ timeZone: "Mars/Olympus", colours: "grey", density: 7, sounds: "on" }),
  ).toEqual(DEFAULT_PREFERENCES);
});

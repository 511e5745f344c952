import { expect, test } from "vitest";
import { DEFAULT_FORMATS, formatsCookie, parseFormats } from "./formats.ts";

test("what is written is read, among other cookies", () => {
  const formats = { numbers: "spaceComma", dates: "iso" } as const;
  const [pair] = formatsCookie(formats).split(";");
  expect(parseFormats(`session=x; ${pair}; other=y`)).toEqual(formats);
  expect(parseFormats(pair ?? "")).toEqual(formats);
});

test("nonsense is the default", () => {
  for (const cookies of [
    "",
    "openbell.formats=",
    "openbell.formats=a-b",
    "xopenbell.formats=iso",
  ]) {
    expect(parseFormats(cookies)).toEqual(DEFAULT_FORMATS);
  }
});

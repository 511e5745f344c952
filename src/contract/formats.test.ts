import { expect, test } from "vitest";
import { DEFAULT_FORMATS, formatsCookie, readFormats } from "./formats.ts";

test("what is written is read, among other cookies", () => {
  const formats = { numbers: "spaceComma", dates: "iso" } as const;
  const [pair] = formatsCookie(formats).split(";");
  expect(readFormats(`session=x; ${pair}; other=y`)).toEqual(formats);
  expect(readFormats(pair ?? "")).toEqual(formats);
});

test("nonsense is the default", () => {
  for (const cookies of [
    "",
    "openbell.formats=",
    "openbell.formats=a-b",
    "xopenbell.formats=iso",
  ]) {
    expect(readFormats(cookies)).toEqual(DEFAULT_FORMATS);
  }
});

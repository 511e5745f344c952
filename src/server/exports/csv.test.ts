import { expect, test } from "vitest";
import { csvLine } from "./csv.ts";

test("commas, quotes and line breaks are quoted", () => {
  expect(csvLine(["a,b", 'say "x"', "two\nlines", "plain"])).toBe(
    '"a,b","say ""x""","two\nlines",plain\r\n',
  );
});

test("what a spreadsheet would run is text, and signed numbers stay numbers", () => {
  expect(csvLine(["=1+1", "@x", "-cmd", "-12.50", "+3"])).toBe("'=1+1,'@x,'-cmd,-12.50,+3\r\n");
});

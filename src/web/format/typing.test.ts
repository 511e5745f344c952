import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_FORMATS } from "#contract/formats.ts";
import { followFormats } from "./formats.ts";
import { editNumber, groupTypedDigits } from "./typing.ts";

/** "12|345" has the caret at "|", "1[23]45" a selection. */
function marked(text: string) {
  const start = text.search(/[|[]/);
  const plain = text.replaceAll(/[|[\]]/g, "");
  return { plain, start, end: text.includes("[") ? text.indexOf("]") - 1 : start };
}

function show({ text, caret }: { text: string; caret: number }): string {
  const grouped = groupTypedDigits(text);
  return `${grouped.slice(0, caret)}|${grouped.slice(caret)}`;
}

function type(at: string, added: string): string {
  const { plain, start, end } = marked(at);
  const after = plain.slice(0, start) + added + plain.slice(end);
  return show(
    editNumber({
      before: plain,
      selection: { start, end },
      after,
      caret: start + added.length,
      isDeletion: false,
      isForward: false,
    }),
  );
}

function erase(at: string, isForward = false): string {
  const { plain, start, end } = marked(at);
  const [from, to] = start < end ? [start, end] : isForward ? [start, end + 1] : [start - 1, end];
  return show(
    editNumber({
      before: plain,
      selection: { start, end },
      after: plain.slice(0, from) + plain.slice(to),
      caret: from,
      isDeletion: true,
      isForward,
    }),
  );
}

test.each([
  ["123|", "4", "1,234|"],
  ["|", "6", "6|"],
  ["1,234|", "5", "12,345|"],
  ["1|,234", "5", "15|,234"],
  ["1,2|34", "9", "12,9|34"],
  ["64,000|", ".", "64,000.|"],
  ["64,000|", ",", "64,000.|"],
  ["0|", ",5", "0.5|"],
  ["64,000.|50", "1", "64,000.1|50"],
  ["[64,000.50]", "1,5", "1.5|"],
  ["[64,000.50]", "1,234,567.8", "1,234,567.8|"],
  ["[64],000", "7", "7|,000"],
  ["0.0001|", "2", "0.00012|"],
])("%s and %j typed is %s", (at, added, result) => {
  expect(type(at, added)).toBe(result);
});

test.each([
  ["1,234|", "123|"],
  ["12,3|45", "1,2|45"],
  ["1,|234", "|234"],
  ["1,000,|000", "100|,000"],
  ["[12,3]45", "|45"],
])("%s erased backwards is %s", (at, result) => {
  expect(erase(at)).toBe(result);
});

test("a separator erased forwards takes the digit behind it along", () => {
  expect(erase("1|,234", true)).toBe("1|34");
  expect(erase("|1,234", true)).toBe("|234");
});

test("a text set as a whole is read like a pasted one", () => {
  const edit = { before: "5", selection: null, caret: 0, isDeletion: false, isForward: false };
  expect(editNumber({ ...edit, after: "64,000.50" }).text).toBe("64000.50");
  expect(editNumber({ ...edit, after: "0,5" }).text).toBe("0.5");
});

test("what is no number is left for the error to name", () => {
  expect(groupTypedDigits("abc")).toBe("abc");
  expect(groupTypedDigits("-1234")).toBe("-1234");
  expect(groupTypedDigits("12345.")).toBe("12,345.");
  expect(groupTypedDigits(".5")).toBe(".5");
});

describe("with a decimal comma", () => {
  beforeEach(() => followFormats(() => ({ ...DEFAULT_FORMATS, numbers: "pointComma" })));
  afterEach(() => followFormats(() => DEFAULT_FORMATS));

  test.each([
    ["123|", "4", "1.234|"],
    ["64.000|", ",", "64.000,|"],
    // The key of a numeric keypad.
    ["64.000|", ".", "64.000,|"],
    ["64.000,|50", "1", "64.000,1|50"],
    ["[64.000,50]", "1,5", "1,5|"],
    ["[64.000,50]", "1.234.567,8", "1.234.567,8|"],
    ["[1]", "64.000", "64.000|"],
    ["|", ",5", ",5|"],
  ])("%s and %j typed is %s", (at, added, result) => {
    expect(type(at, added)).toBe(result);
  });

  test("deleting a separator deletes the digit before it", () => {
    expect(erase("64.|000,5")).toBe("6|.000,5");
  });
});

test("digits grouped by spaces are read as they are shown", () => {
  followFormats(() => ({ ...DEFAULT_FORMATS, numbers: "spaceComma" }));
  expect(groupTypedDigits("64000.5")).toBe("64\u00a0000,5");
  expect(type("64\u00a0000|", ",")).toBe("64\u00a0000,|");
  expect(type("|", "64\u00a0000,50")).toBe("64\u00a0000,50|");
  followFormats(() => DEFAULT_FORMATS);
});

import { expect, test } from "vitest";
import { isAmbiguousAmount, parseStatement, StatementError } from "./statement-file.ts";

const read = (text: string) => parseStatement(text, 3);

test("columns are found by name, others are left alone", () => {
  const rows = read(
    "\u{FEFF}Date,Receipt,Amount,Coin,Reference\r\n2026-01-31,S7-1,12.50,USD,OB-000007-12\r\n",
  );
  expect(rows).toEqual([
    { line: 2, reference: "OB-000007-12", coin: "USD", amount: "12.50", receipt: "S7-1" },
  ]);
});

test("semicolons and quotation marks within a cell are read", () => {
  const rows = read(
    'reference;coin;amount;receipt\n"OB-1;2";USD;1;"a ""b"";c" \n\n  ;;;\nOB-3;USD;2;d',
  );
  expect(rows).toEqual([
    { line: 2, reference: "OB-1;2", coin: "USD", amount: "1", receipt: 'a "b";c' },
    { line: 5, reference: "OB-3", coin: "USD", amount: "2", receipt: "d" },
  ]);
});

test.each([
  ["", "reference, coin, amount, receipt missing"],
  ["reference,coin,amount\n", "receipt missing"],
  ['reference,coin,amount,receipt\n"a,b,c,d', "line 2 is not closed"],
  ['reference,coin,amount,receipt\n"a,b,c,d\ne,f,g,"h"', "line 2 does not end in its line"],
  ['reference,coin,amount,receipt\na,b,1,c\n"a"b,c,1,d', "closing quotation mark in line 3"],
  ['reference,coin,amount,receipt\n"a""",b,1,"c"""\n"a""b"c,b,1,d', "quotation mark in line 3"],
  ['reference,coin,amount,receipt\n"" "a",b,1,c', "closing quotation mark in line 2"],
  ["reference,coin,amount,receipt\na,b,1,c\na,b,1", "Line 3 has 3 cells, the first line has 4"],
  ["reference,coin,amount,receipt\na,b,1,c,", "Line 2 has 5 cells"],
  // A purpose with commas, for a payment of 1.00.
  [
    "date,reference,coin,amount,receipt\n2026-11-25,OB-000012-31,EUR,199.00,X ,EUR,1.00,TX77",
    "Line 2 has 8 cells, the first line has 5",
  ],
  [`reference,coin,amount,receipt\n${"a,b,1,c\n".repeat(4)}`, "more than 3 rows"],
])("%j is refused with a sentence", (text, sentence) => {
  expect(() => read(text)).toThrow(StatementError);
  expect(() => read(text)).toThrow(sentence);
});

test.each([
  ["1.000", true],
  ["-12.500", true],
  ["1,000", true],
  ["1,50", true],
  ["1.000.000", true],
  ["1000", false],
  ["1000.000", false],
  ["0.125", false],
  ["1.50", false],
  ["1.5000", false],
])("whether the separators of %s can be confused: %s", (amount, isAmbiguous) => {
  expect(isAmbiguousAmount(amount)).toBe(isAmbiguous);
});

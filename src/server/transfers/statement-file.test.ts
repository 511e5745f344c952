import { expect, test } from "vitest";
import { readStatement, StatementError } from "./statement-file.ts";

const read = (text: string) => readStatement(text, 3);

test("columns are found by name, others are left alone", () => {
  const rows = read(
    "\u{FEFF}Date,Receipt,Amount,Coin,Reference\r\n2026-01-31,S7-1,12.50,USD,OB-000007-12\r\n",
  );
  expect(rows).toEqual([
    { line: 2, reference: "OB-000007-12", coin: "USD", amount: "12.50", receipt: "S7-1" },
  ]);
});

test("semicolons, quotation marks and line breaks within a cell are read", () => {
  const rows = read(
    'reference;coin;amount;receipt\n"OB-1;2";USD;1;"a ""b""\nc"\n\n  ;;;\nOB-3;USD;2;d',
  );
  expect(rows).toEqual([
    { line: 2, reference: "OB-1;2", coin: "USD", amount: "1", receipt: 'a "b"\nc' },
    { line: 6, reference: "OB-3", coin: "USD", amount: "2", receipt: "d" },
  ]);
});

test("a short row has empty cells", () => {
  expect(read("reference,coin,amount,receipt\nOB-1,USD")).toMatchObject([
    { reference: "OB-1", coin: "USD", amount: "", receipt: "" },
  ]);
});

test.each([
  ["", "reference, coin, amount, receipt missing"],
  ["reference,coin,amount\n", "receipt missing"],
  ['reference,coin,amount,receipt\n"a,b,c,d', "line 2 is not closed"],
  [`reference,coin,amount,receipt\n${"a,b,1,c\n".repeat(4)}`, "more than 3 rows"],
])("%j is refused with a sentence", (text, sentence) => {
  expect(() => read(text)).toThrow(StatementError);
  expect(() => read(text)).toThrow(sentence);
});

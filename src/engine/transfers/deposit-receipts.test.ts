import { expect, test } from "vitest";
import { DepositReceipts } from "./deposit-receipts.ts";

const receipt = (text: string) => ({ assetId: 1, network: "BANK", receipt: text });

test("receipts of credited deposits are remembered up to a limit, those of recorded ones without", () => {
  const receipts = new DepositReceipts(2);
  receipts.addRecorded(receipt("A"));
  for (const each of ["B", "C", "D"]) receipts.addCredited(receipt(each));
  expect(["A", "B", "C", "D"].map((each) => receipts.has(receipt(each)))).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

import { expect, test } from "vitest";
import type { ReviewedTransfer } from "#contract/transfers.ts";
import { actionsOf } from "./transfer-texts.ts";

const transfer = (terms: Partial<ReviewedTransfer>) => terms as ReviewedTransfer;

test.each([
  ["the first step is for everyone", { status: "held" }, ["approve", "reject"]],
  ["an approval is not given twice", { status: "approvedOnce", firstBy: "olga" }, ["reject"]],
  ["nor a recorded deposit", { status: "recorded", firstBy: "olga" }, ["reject"]],
  ["who sent does not say that it came back", { status: "sent", sentBy: "olga" }, ["settle"]],
  ["another one may", { status: "sent", sentBy: "paul" }, ["settle", "return"]],
  [
    "who rejected what was approved may still send it",
    { status: "rejectedOnce", firstBy: "olga" },
    ["send"],
  ],
  [
    "who said that it came back does not say so twice",
    { status: "returnedOnce", firstBy: "olga", sentBy: "paul" },
    ["settle"],
  ],
  ["nor does who sent it", { status: "returnedOnce", firstBy: "paul", sentBy: "olga" }, ["settle"]],
  ["nothing about one's own", { status: "held", userId: "olga" }, []],
  ["nothing follows the end", { status: "settled" }, []],
] as const)("%s", (_, terms, expected) => {
  const { actions, other } = actionsOf(transfer(terms), "olga");
  expect(actions).toEqual(expected);
  const isForAnother = "userId" in terms || "firstBy" in terms || expected.length === 1;
  expect(other !== null).toBe(isForAnother);
});

import { expect, test } from "vitest";
import type { ReviewedTransfer } from "#contract/transfers.ts";
import { actionsOf } from "./transfer-texts.ts";

interface Terms extends Omit<Partial<ReviewedTransfer>, "payers"> {
  readonly payers?: readonly string[];
}
const transfer = ({ payers = [], ...terms }: Terms) =>
  ({ ...terms, payers: [...payers] }) as ReviewedTransfer;

test.each([
  ["the first step is for everyone", { status: "held" }, ["approve", "reject"], false],
  ["an approval is not given twice", { status: "approvedOnce", firstBy: "olga" }, ["reject"], true],
  ["nor a recorded deposit", { status: "recorded", firstBy: "olga" }, ["reject"], true],
  [
    "what is approved is claimed before it is paid",
    { status: "approved" },
    ["pay", "reject"],
    false,
  ],
  [
    "its payer marks it as sent",
    { status: "paying", payers: ["paul", "olga"] },
    ["send", "reject"],
    false,
  ],
  ["another one takes it over first", { status: "paying", payers: ["paul"] }, ["takeOver"], true],
  [
    "who sent does not say that it came back",
    { status: "sent", payers: ["olga"] },
    ["settle"],
    true,
  ],
  ["nor does an earlier payer", { status: "sent", payers: ["olga", "paul"] }, ["settle"], true],
  ["another one may", { status: "sent", payers: ["paul"] }, ["settle", "return"], false],
  [
    "who rejected what was approved may still pay it",
    { status: "rejectedOnce", firstBy: "olga" },
    ["pay"],
    true,
  ],
  [
    "the payer who rejected may still have paid",
    { status: "rejectedOnce", firstBy: "olga", payers: ["olga"] },
    ["send"],
    true,
  ],
  [
    "a second one confirms the rejection, or pays",
    { status: "rejectedOnce", firstBy: "paul", payers: ["paul"] },
    ["reject", "pay"],
    false,
  ],
  [
    "who said that it came back does not say so twice",
    { status: "returnedOnce", firstBy: "olga", payers: ["paul"] },
    ["settle"],
    true,
  ],
  [
    "nor does who sent it",
    { status: "returnedOnce", firstBy: "paul", payers: ["olga"] },
    ["settle"],
    true,
  ],
  ["nothing about one's own", { status: "held", userId: "olga" }, [], true],
  ["nothing follows the end", { status: "settled" }, [], false],
] as const)("%s", (_, terms, expected, isForAnother) => {
  const { actions, other } = actionsOf(transfer(terms), "olga");
  expect(actions).toEqual(expected);
  expect(other !== null).toBe(isForAnother);
});

import { expect, test } from "vitest";
import type { ReviewedTransfer } from "#contract/transfers.ts";
import { actionsOf, effectOf, outcomeText } from "./transfer-texts.ts";

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

test("a step says what it leads to from the status that the transfer has", () => {
  const deposit = { kind: "deposit", status: "recorded" } as const;
  expect(effectOf(deposit, "reject")).toBe("Nothing is credited.");
  expect(effectOf(deposit, "approve")).toBe("It is credited to the user.");
  const withdrawal = (status: ReviewedTransfer["status"]) =>
    ({ kind: "withdrawal", status }) as const;
  expect(effectOf(withdrawal("held"), "reject")).toBe(
    "What was held is released, its fee included.",
  );
  expect(effectOf(withdrawal("approved"), "reject")).toMatch(/nothing is released until a second/);
  expect(effectOf(withdrawal("rejectedOnce"), "reject")).toMatch(/^What was held is released/);
  expect(effectOf(withdrawal("held"), "approve")).toMatch(/a second administrator/);
  expect(effectOf(withdrawal("approvedOnce"), "approve")).toBe("It may then be paid.");
  expect(effectOf(withdrawal("returnedOnce"), "return")).not.toMatch(/second/);
});

test("what a step has led to is said by the status that followed", () => {
  expect(outcomeText("record", "credited")).toBe("It is credited.");
  expect(outcomeText("record", "recorded")).toMatch(/second administrator/);
  expect(outcomeText("approve", "approvedOnce")).toMatch(/second administrator/);
  expect(outcomeText("approve", "approved")).toBe("It is approved.");
  expect(outcomeText("pay", "paying")).toMatch(/^You are its payer/);
});

import { expect, test } from "vitest";
import { fieldChangeWords, labelFields } from "./entry-words.ts";

test.each([
  ["market", "priceBandBps", "500", "450", "Band for trades", "5.00%", "4.50%"],
  ["market", "fees.makerFeeBps", "none", "0", "Own maker fee", "none", "0.00%"],
  ["market", "breaker.windowMs", "300000", "90500", "Breaker window", "5 min", "1 min 30.5 s"],
  ["market", "largestOrder", "5000000", "12.5", "Largest order", "5,000,000", "12.5"],
  ["market", "status", "preOpen", "halted", "First state", "Pre-open", "Halted"],
  ["coin", "status", "listed", "depositOnly", "Status", "Listed", "Deposit only"],
  ["coin", "riskNote", "empty", "It may dry out.", "Risk note", "empty", "It may dry out."],
  ["plan", "place", "2", "3", "Place in the list", "2", "3"],
  ["plan", "features", "none", '["One","Two"]', "Features", "none", "One; Two"],
  [
    "plan",
    "volumeLadder",
    "none",
    '[{"makerFeeBps":18,"takerFeeBps":22,"volumeMin":"100000"}]',
    "Ladder",
    "none",
    "from 100,000: 0.18% maker, 0.22% taker",
  ],
  [
    "coin",
    "transfers.networks",
    "none",
    '[{"code":"SEPA","deposits":true,"name":"Bank transfer","withdrawals":false}]',
    "Networks",
    "none",
    "Bank transfer: deposits open, withdrawals closed",
  ],
] as const)(
  "%s: %s from %s to %s is in words",
  (kind, name, before, after, label, beforeWords, afterWords) => {
    expect(fieldChangeWords(kind, { name, before, after })).toEqual({
      name: label,
      before: beforeWords,
      after: afterWords,
    });
  },
);

test("a refusal names fields by their labels", () => {
  expect(labelFields("market", "largestOrder must be at least smallestOrder.")).toBe(
    "Largest order must be at least Smallest order.",
  );
  expect(labelFields("coin", "name is missing.")).toBe("name is missing.");
});

import { expect, test } from "vitest";
import { MARKET_STATUSES } from "#contract/types.ts";
import { nextStatusOf, stateSeconds, STATUSES } from "./market-texts.ts";

test("every state of a market can be chosen", () => {
  expect(STATUSES.toSorted()).toEqual([...MARKET_STATUSES].toSorted());
});

test("a halt and a pre-open lead to an auction, an auction to trading, the rest to nothing", () => {
  expect(MARKET_STATUSES.map((status) => [status, nextStatusOf(status)])).toEqual(
    expect.arrayContaining([
      ["halted", "auction"],
      ["preOpen", "auction"],
      ["auction", "trading"],
      ["trading", undefined],
      ["closed", undefined],
    ]),
  );
});

test.each([
  ["", null],
  ["  ", null],
  ["5", 300],
  ["525600", 31_536_000],
  ["1:30", 90],
  ["0:01", 1],
  ["0", "Enter at least 1 second"],
  ["525601", "At most a year"],
  ["0:01.5", "Enter minutes, such as 30 or 1:30, or nothing"],
  ["1.5", "Enter minutes, such as 30 or 1:30, or nothing"],
  ["1:60", "Enter minutes, such as 30 or 1:30, or nothing"],
  ["-1", "Enter minutes, such as 30 or 1:30, or nothing"],
])("minutes typed as %j are %j", (minutes, answer) => {
  expect(stateSeconds(minutes)).toBe(answer);
});

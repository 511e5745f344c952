import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { Side } from "#engine/commands.ts";
import type { EventOf } from "#engine/events.ts";
import { traded } from "#test/support/trades.ts";
import { Books } from "./books.ts";

const common = { sequence: 1, timestampMs: 1, orderId: 1, account: 16, marketId: 1 };

function rested(side: Side, priceTicks: number, remainingLots: number): EventOf<"orderRested"> {
  return {
    ...common,
    type: "orderRested",
    side,
    priceTicks: priceTicks as Ticks,
    remainingLots: remainingLots as Lots,
    visibleLots: remainingLots as Lots,
  };
}
function ended(
  side: Side,
  priceTicks: number,
  lots: number,
  wasResting = true,
): EventOf<"orderEnded"> {
  return {
    ...common,
    type: "orderEnded",
    status: "cancelled",
    reason: "byOwner",
    side,
    priceTicks: priceTicks as Ticks,
    remainingLots: lots as Lots,
    releasedAmount: 0 as Amount,
    wasResting,
    visibleLots: (wasResting ? lots : 0) as Lots,
  };
}

const show = (books: Books, side: Side, group = 1) =>
  books
    .levels(1, side, 100, group)
    .map(({ priceTicks, quantityLots }) => `${quantityLots}@${priceTicks}`);

describe("books", () => {
  const build = () => {
    const books = new Books();
    for (const price of [98, 100, 99, 100, 91]) books.foldRested(rested("buy", price, 5));
    for (const price of [103, 101, 102, 111, 101]) books.foldRested(rested("sell", price, 7));
    return books;
  };

  test("both sides are sorted from the best price and equal prices are one level", () => {
    expect(show(build(), "buy")).toEqual(["10@100", "5@99", "5@98", "5@91"]);
    expect(show(build(), "sell")).toEqual(["14@101", "7@102", "7@103", "7@111"]);
    expect(build().bestBid(1)).toBe(100);
    expect(build().bestAsk(1)).toBe(101);
  });

  test("grouped bids round down and asks up, so no price looks better than it is", () => {
    expect(show(build(), "buy", 10)).toEqual(["10@100", "15@90"]);
    expect(show(build(), "sell", 10)).toEqual(["28@110", "7@120"]);
  });

  test("a trade takes from the makers' side and an end takes what was left", () => {
    const books = build();
    books.foldTraded(
      traded({ timestampMs: 1, priceTicks: 101, quantityLots: 14, takerSide: "buy" }),
    );
    books.foldTraded(
      traded({ timestampMs: 1, priceTicks: 100, quantityLots: 4, takerSide: "sell" }),
    );
    expect(books.foldEnded(ended("buy", 91, 5))).toBe(true);
    expect(show(books, "buy")).toEqual(["6@100", "5@99", "5@98"]);
    expect(books.bestAsk(1)).toBe(102);
    expect(books.updateId(1)).toBe(13);
  });

  test("an order that never rested, or is filled, changes nothing when it ends", () => {
    const books = build();
    expect(books.foldEnded(ended("buy", 100, 5, false))).toBe(false);
    expect(books.foldEnded(ended("buy", 100, 0))).toBe(false);
    expect(books.updateId(1)).toBe(10);
  });

  test("taking away what is not there is refused loudly", () => {
    expect(() => build().foldEnded(ended("buy", 97, 1))).toThrow(/no 1 lots at 97/);
    expect(() => build().foldEnded(ended("buy", 99, 6))).toThrow(/no 6 lots at 99/);
  });

  test("an untouched market is empty", () => {
    const books = new Books();
    expect([books.bestBid(4), books.bestAsk(4), books.updateId(4)]).toEqual([0, 0, 0]);
    expect(books.levels(4, "buy", 5)).toEqual([]);
  });
});

test("any sequence of orders and cancels equals a naive book", () => {
  const order = fc.record({
    side: fc.constantFrom<Side>("buy", "sell"),
    price: fc.integer({ min: 1, max: 40 }),
    lots: fc.integer({ min: 1, max: 9 }),
    cancels: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(order, { maxLength: 200 }), (orders) => {
      const books = new Books();
      const naive = { buy: new Map<number, number>(), sell: new Map<number, number>() };
      for (const { side, price, lots, cancels } of orders) {
        const there = naive[side].get(price) ?? 0;
        if (cancels && there > 0) {
          const taken = Math.min(lots, there);
          books.foldEnded(ended(side, price, taken));
          if (taken === there) naive[side].delete(price);
          else naive[side].set(price, there - taken);
        } else {
          books.foldRested(rested(side, price, lots));
          naive[side].set(price, there + lots);
        }
      }
      for (const side of ["buy", "sell"] as const) {
        const sorted = [...naive[side]].toSorted(([a], [b]) => (side === "buy" ? b - a : a - b));
        expect(show(books, side)).toEqual(sorted.map(([price, lots]) => `${lots}@${price}`));
      }
    }),
  );
});

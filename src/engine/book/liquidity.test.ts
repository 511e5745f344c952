import { describe, expect, test, vi } from "vitest";
import type { RowFees } from "../accounts/packed-fees.ts";
import type { Amount, Lots } from "../amount.ts";
import { canFill, costToBuy, lotsToReceive } from "./liquidity.ts";
import { OrderBook } from "./order-book.ts";
import { OrderDetails, restingTerms } from "../orders/order-details.ts";
import { ASK, BID } from "./price-ladder.ts";
import { EngineState } from "../state.ts";

const LEVELS = 20;
const ORDERS_PER_LEVEL = 500;
const MAKER = 16;
const OWNER = 17;

interface Resting {
  readonly side: number;
  readonly priceTicks: number;
  readonly account: number;
  readonly visibleLots: number;
  readonly hiddenLots?: number;
}

/** A market whose lots and ticks are units, and a way to let orders rest in it. */
function scene() {
  const state = new EngineState();
  for (const userId of ["maker", "owner"]) state.accounts.open(userId, "participant", 1);
  const { details, levels, orders } = state;
  const market = {
    lotUnits: 1,
    tickLotUnits: 1,
    notionalMin: 1 as Amount,
    quantityLotsMax: 1_000_000 as Lots,
    status: "trading",
  } as const;
  const assets = { baseAssetId: 2, quoteAssetId: 1 };
  const book = new OrderBook(1, market, assets, orders, levels, details);
  state.books.push(book);
  const rest = ({ side, priceTicks, account, visibleLots, hiddenLots = 0 }: Resting) => {
    const orderId = state.nextOrderId++;
    const slot = orders.allocate(orderId);
    orders.setAccount(slot, account);
    orders.setFees(slot, 0 as RowFees);
    if (hiddenLots > 0) {
      const displayLots = visibleLots as Lots;
      const iceberg = new OrderDetails(orderId, restingTerms({ displayLots }));
      iceberg.hiddenLots = hiddenLots;
      book.icebergCount++;
      details.keep(slot, iceberg);
      orders.getsDetails(slot);
    }
    state.accounts.appendOpenOrder(account, slot);
    book.append(side, slot, priceTicks, visibleLots);
    return slot;
  };
  return { state, book, rest };
}

/** Twenty levels of five hundred orders of one lot; the first order of each level hides ten more. */
function crowded(side: number) {
  const made = scene();
  for (let level = 0; level < LEVELS; level++) {
    const priceTicks = side === ASK ? 1000 + level : 1000 - level;
    for (let order = 0; order < ORDERS_PER_LEVEL; order++) {
      const hiddenLots = order === 0 ? 10 : 0;
      made.rest({ side, priceTicks, account: MAKER, visibleLots: 1, hiddenLots });
    }
  }
  return made;
}

const LEVEL_LOTS = ORDERS_PER_LEVEL + 10;
const SIDE_LOTS = LEVELS * LEVEL_LOTS;

describe("what a book offers, asked of ten thousand orders on twenty levels", () => {
  test("a fill-or-kill one lot larger than its side looks at levels, not at orders", () => {
    const { state, book } = crowded(ASK);
    const ordersSeen = vi.spyOn(state.orders, "visibleLotsOf");
    const levelsSeen = vi.spyOn(state.levels, "totalLotsOf");
    expect(canFill(state, book, BID, 2000, SIDE_LOTS + 1, OWNER, false)).toBe(false);
    expect(canFill(state, book, BID, 2000, SIDE_LOTS, OWNER, false)).toBe(true);
    expect(ordersSeen).not.toHaveBeenCalled();
    expect(levelsSeen).toHaveBeenCalledTimes(2 * LEVELS);
  });

  test("a market buy counts what icebergs hide without a look at orders", () => {
    const { state, book } = crowded(ASK);
    const ordersSeen = vi.spyOn(state.orders, "visibleLotsOf");
    const { amount: cost } = costToBuy(state, book, 2 * LEVEL_LOTS, Infinity, 0);
    expect(cost).toBe(LEVEL_LOTS * 1000 + LEVEL_LOTS * 1001);
    expect(ordersSeen).not.toHaveBeenCalled();
  });

  test("a market sell to receive an amount counts what icebergs hide too", () => {
    const { state, book } = crowded(BID);
    const ordersSeen = vi.spyOn(state.orders, "visibleLotsOf");
    const received = LEVEL_LOTS * 1000 + 3 * 999;
    expect(lotsToReceive(state, book, received, 0, 0).amount).toBe(LEVEL_LOTS + 3);
    expect(ordersSeen).not.toHaveBeenCalled();
  });

  test("orders of the account itself are taken off without a look at those of others", () => {
    const { state, book, rest } = crowded(ASK);
    rest({ side: ASK, priceTicks: 1001, account: OWNER, visibleLots: 5, hiddenLots: 20 });
    rest({ side: ASK, priceTicks: 1001, account: OWNER, visibleLots: 2 });
    rest({ side: BID, priceTicks: 900, account: OWNER, visibleLots: 2 });
    const ordersSeen = vi.spyOn(state.orders, "visibleLotsOf");
    expect(canFill(state, book, BID, 2000, SIDE_LOTS, OWNER, true)).toBe(true);
    expect(canFill(state, book, BID, 2000, SIDE_LOTS + 1, OWNER, true)).toBe(false);
    const { amount: cost } = costToBuy(state, book, 2 * LEVEL_LOTS + 1, Infinity, OWNER);
    expect(cost).toBe(LEVEL_LOTS * 1000 + LEVEL_LOTS * 1001 + 1002);
    expect(ordersSeen).toHaveBeenCalledTimes(4 * 2);
  });

  test("an order of the account itself ends the count at its place in the queue", () => {
    const { state, book, rest } = crowded(ASK);
    rest({ side: ASK, priceTicks: 1001, account: OWNER, visibleLots: 5 });
    rest({ side: ASK, priceTicks: 1001, account: MAKER, visibleLots: 5 });
    // The hidden parts of icebergs come after the visible ones of the level.
    const ahead = LEVEL_LOTS + ORDERS_PER_LEVEL;
    expect(canFill(state, book, BID, 2000, ahead, OWNER, false)).toBe(true);
    expect(canFill(state, book, BID, 2000, ahead + 1, OWNER, false)).toBe(false);
  });
});

test("what lies behind as many levels as an order may look at is out of its reach", () => {
  const { state, book, rest } = crowded(ASK);
  state.levelsPerOrderMax = 3;
  expect(canFill(state, book, BID, 2000, 3 * LEVEL_LOTS, OWNER, false)).toBe(true);
  expect(canFill(state, book, BID, 2000, 3 * LEVEL_LOTS + 1, OWNER, false)).toBe(false);
  const within = costToBuy(state, book, 3 * LEVEL_LOTS, Infinity, 0);
  expect(within).toEqual({ amount: LEVEL_LOTS * 3003, worstTicks: Infinity });
  const beyond = costToBuy(state, book, 3 * LEVEL_LOTS + 1, Infinity, 0);
  expect(beyond).toEqual({ amount: LEVEL_LOTS * 3003, worstTicks: 1002 });
  rest({ side: ASK, priceTicks: 1000, account: OWNER, visibleLots: 1 });
  const ordersSeen = vi.spyOn(state.orders, "visibleLotsOf");
  expect(canFill(state, book, BID, 2000, ORDERS_PER_LEVEL, OWNER, false)).toBe(false);
  expect(ordersSeen.mock.calls.length).toBeLessThanOrEqual(1 + 3);
});

test("own orders out of reach take nothing off what is within", () => {
  const { state, book, rest } = crowded(ASK);
  for (const priceTicks of [1001, 1010]) {
    rest({ side: ASK, priceTicks, account: OWNER, visibleLots: 7 });
  }
  state.levelsPerOrderMax = 3;
  expect(canFill(state, book, BID, 2000, 3 * LEVEL_LOTS, OWNER, true)).toBe(true);
  expect(canFill(state, book, BID, 2000, 3 * LEVEL_LOTS + 1, OWNER, true)).toBe(false);
});

describe("a level's hidden lots", () => {
  test("leave the level with the iceberg that hid them", () => {
    const { state, book, rest } = scene();
    const slot = rest({ side: ASK, priceTicks: 10, account: MAKER, visibleLots: 1, hiddenLots: 9 });
    rest({ side: ASK, priceTicks: 10, account: MAKER, visibleLots: 1 });
    const hidden = () => state.levels.hiddenLotsOf(book.ladder.find(ASK, 10));
    expect(hidden()).toBe(9);
    book.reduceHidden(slot, 4);
    expect(hidden()).toBe(5);
    book.remove(ASK, slot);
    expect(hidden()).toBe(0);
    expect(canFill(state, book, BID, 10, 2, OWNER, false)).toBe(false);
  });
});

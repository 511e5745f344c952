import { expect, test, vi } from "vitest";
import type { EventOf } from "#engine/events.ts";
import { Books } from "./books.ts";
import { HiddenLots } from "./hidden-lots.ts";
import { IndicativeAuctions } from "./indicative-auctions.ts";

const MARKET = 1;

function start() {
  const books = new Books();
  const hiddenLots = new HiddenLots();
  const auctions = new IndicativeAuctions(books, hiddenLots);
  const readLevels = vi.spyOn(books, "crossingLevels");
  let orderId = 0;
  const rest = (
    side: "buy" | "sell",
    priceTicks: number,
    remainingLots: number,
    visibleLots: number,
  ) => {
    orderId += 1;
    const event = { marketId: MARKET, orderId, side, priceTicks, remainingLots, visibleLots };
    books.foldRested(event as EventOf<"orderRested">);
    hiddenLots.fold(event as EventOf<"orderRested">);
    return event;
  };
  return { auctions, hiddenLots, readLevels, rest };
}

test("the levels are read once for each change, whether it is shown or hidden", () => {
  const { auctions, hiddenLots, readLevels, rest } = start();
  const bid = rest("buy", 105, 10, 4);
  rest("sell", 100, 6, 6);
  for (let call = 0; call < 100; call++) {
    expect(auctions.of(MARKET, 0)).toMatchObject({ volumeLots: 6, surplusLots: 4 });
  }
  expect(readLevels).toHaveBeenCalledTimes(2);
  hiddenLots.fold({ ...bid, remainingLots: 5 } as EventOf<"quantityDecremented">);
  expect(auctions.of(MARKET, 0)).toMatchObject({ volumeLots: 5, surplusLots: -1 });
  rest("sell", 99, 1, 1);
  expect(auctions.of(MARKET, 0)).toMatchObject({ volumeLots: 5, surplusLots: -2 });
  expect(auctions.of(MARKET, 102)?.priceTicks).toBe(102);
  expect(readLevels).toHaveBeenCalledTimes(8);
});

test("only levels that cross are read", () => {
  const { auctions, readLevels, rest } = start();
  for (let away = 1; away <= 1_000; away++) {
    rest("buy", 10_000 - away, 1, 1);
    rest("sell", 10_000 + away, 1, 1);
  }
  expect(auctions.of(MARKET, 0)).toBeUndefined();
  rest("buy", 10_002, 1, 1);
  expect(auctions.of(MARKET, 0)).toMatchObject({ volumeLots: 1, surplusLots: 0 });
  const read = readLevels.mock.results.map(({ value }) => (value as unknown[]).length);
  expect(read).toEqual([0, 0, 1, 2]);
});

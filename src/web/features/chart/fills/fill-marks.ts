/** Groups the viewer's fills by candle, for marks on the chart. */
import { addDecimals, divideDecimals } from "#contract/decimal.ts";
import { candleOpenTime } from "#contract/candle-intervals.ts";
import type { CandleInterval, Decimal, Fill, Side } from "#contract/types.ts";

/** All fills of one side within one candle. */
export interface FillMark {
  readonly side: Side;
  readonly openTime: number;
  readonly fills: number;
  readonly quantity: Decimal;
  /** Average price of the fills, rounded to the market's decimals. */
  readonly averagePrice: Decimal;
}

export function fillMarks(
  fills: readonly Fill[],
  interval: CandleInterval,
  priceDecimals: number,
): FillMark[] {
  const groups = Map.groupBy(
    fills,
    ({ side, time }) => `${side} ${candleOpenTime(interval, time)}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const quantity = sum(group.map((fill) => fill.quantity));
    const value = sum(group.map((fill) => fill.quoteAmount));
    return [
      {
        side: first.side,
        openTime: candleOpenTime(interval, first.time),
        fills: group.length,
        quantity,
        averagePrice: divideDecimals(value, quantity, priceDecimals, "nearest"),
      },
    ];
  });
}

function sum(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce(addDecimals, "0");
}

/** Merges fills, newest first and without duplicates: a page of history may overlap with the live fills. */
export function mergeFills(live: readonly Fill[], history: readonly Fill[]): Fill[] {
  const byKey = new Map<string, Fill>();
  for (const fill of [...live, ...history]) {
    const key = `${fill.tradeId} ${fill.orderId}`;
    if (!byKey.has(key)) byKey.set(key, fill);
  }
  return [...byKey.values()];
}

/** Computes cumulative depth on both sides: exact decimals, and positions for drawing. */
import { addDecimals, multiplyDecimals } from "#contract/decimal.ts";
import type { Book, Decimal } from "#contract/types.ts";

export interface DepthLevel {
  readonly price: Decimal;
  /** Cumulative quantity of the base coin, from the best price to this one. */
  readonly quantity: Decimal;
  /** Value of the cumulative quantity in the quote coin, at the prices of its levels. */
  readonly value: Decimal;
}

export interface DepthView {
  /** Levels with the best price first. */
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
}

export type DepthSide = keyof DepthView;

/** Cumulates both sides; null if either is empty, since there is then no mid price to centre on. */
export function depthOf({ bids, asks }: Pick<Book, "bids" | "asks">): DepthView | null {
  const view = { bids: cumulate(bids), asks: cumulate(asks) };
  return view.bids.length === 0 || view.asks.length === 0 ? null : view;
}

function cumulate(flat: readonly Decimal[]): DepthLevel[] {
  const levels: DepthLevel[] = [];
  let quantity = "0";
  let value = "0";
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const price = flat[index] ?? "0";
    const size = flat[index + 1] ?? "0";
    quantity = addDecimals(quantity, size);
    value = addDecimals(value, multiplyDecimals(price, size));
    levels.push({ price, quantity, value });
  }
  return levels;
}

/** Positions between 0 and 1, for drawing only, hence floats: x by price, y by quantity, 0 at the top. */
export interface DepthScale {
  readonly x: (price: Decimal) => number;
  readonly y: (quantity: Decimal) => number;
  readonly priceAt: (x: number) => number;
}

/** Share of a side's quantity that is drawn: orders further away would flatten the curve. */
const SHARE_SHOWN = 0.95;

/** Scales the chart to centre on the mid price, with nearly all of each side in view. */
export function depthScale({ bids, asks }: DepthView): DepthScale {
  const bid = Number(bids[0]?.price);
  const ask = Number(asks[0]?.price);
  const midPrice = (bid + ask) / 2;
  const reach = Math.max(midPrice - edgeOf(bids), edgeOf(asks) - midPrice, Number.EPSILON);
  const left = Math.max(0, midPrice - reach);
  const width = midPrice + reach - left;
  const isShown = ({ price }: DepthLevel) => Math.abs(Number(price) - midPrice) <= reach;
  const deepest = [bids.findLast(isShown), asks.findLast(isShown)]
    .map((level) => Number(level?.quantity ?? 0))
    .reduce((most, quantity) => Math.max(most, quantity), 0);
  return {
    x: (price) => (Number(price) - left) / width,
    y: (quantity) => (deepest === 0 ? 1 : 1 - Number(quantity) / deepest),
    priceAt: (x) => left + x * width,
  };
}

/** The first price up to which the drawn share of the side is reached. */
function edgeOf(levels: readonly DepthLevel[]): number {
  const all = Number(levels.at(-1)?.quantity ?? 0);
  const edge = levels.find(({ quantity }) => Number(quantity) >= all * SHARE_SHOWN);
  return Number(edge?.price);
}

/** The outline of one side as steps from the mid price outwards, closed along the bottom. */
export function depthPath(
  view: DepthView,
  side: DepthSide,
  { x, y }: DepthScale,
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const levels = view[side];
  const [best] = levels;
  if (best === undefined) return "";
  const parts = [`M${round(x(best.price) * width)} ${height}`];
  for (const { price, quantity } of levels) {
    parts.push(`H${round(x(price) * width)}`, `V${round(y(quantity) * height)}`);
  }
  parts.push(`H${side === "bids" ? 0 : width}`, `V${height}`, "Z");
  return parts.join("");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The level that an order to this price would reach; null within the spread. */
export function levelAt(
  view: DepthView,
  price: number,
): { readonly side: DepthSide; readonly index: number } | null {
  const bid = view.bids.findLastIndex((level) => Number(level.price) >= price);
  if (bid >= 0) return { side: "bids", index: bid };
  const ask = view.asks.findLastIndex((level) => Number(level.price) <= price);
  return ask >= 0 ? { side: "asks", index: ask } : null;
}

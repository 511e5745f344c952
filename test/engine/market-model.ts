/**
 * A market of the independent model: its state, its price limits, and an auction price found by trying
 * every candidate. Written from docs/order-types.md.
 */
import type { MarketDefinition, MarketStatus, Side } from "#engine/commands.ts";
import { EXACT_MAX } from "./model-parts.ts";

export interface ModelMarket {
  readonly id: number;
  readonly base: number;
  readonly quote: number;
  terms: MarketDefinition;
  version: number;
  status: MarketStatus;
  /** When the state ends by itself; 0 if it does not. */
  untilMs: number;
  last: bigint;
  trades: number;
  /** Index of the breaker's window since 1970, and the price at its start. */
  window: number | undefined;
  windowPrice: bigint;
}

/** Total quantity at a price, including hidden lots. */
export interface ModelLevel {
  readonly price: bigint;
  readonly lots: bigint;
}

export function modelMarket(id: number, terms: MarketDefinition): ModelMarket {
  return {
    id,
    base: id + 1,
    quote: 1,
    terms,
    version: 1,
    status: terms.status,
    untilMs: 0,
    last: 0n,
    trades: 0,
    window: undefined,
    windowPrice: 0n,
  };
}

export const opposite = (side: Side): Side => (side === "buy" ? "sell" : "buy");
export const tickOf = (market: ModelMarket): bigint => BigInt(market.terms.tickLotUnits);
export const lotOf = (market: ModelMarket): bigint => BigInt(market.terms.lotUnits);
export const spentOf = (side: Side, market: ModelMarket): number =>
  side === "buy" ? market.quote : market.base;
export const reaches = (side: Side, limit: bigint, price: bigint): boolean =>
  side === "buy" ? price <= limit : price >= limit;

export const isGathering = ({ status }: ModelMarket): boolean =>
  status === "preOpen" || status === "auction";
export const neverCrosses = (status: MarketStatus): boolean =>
  status === "trading" || status === "postOnly";

/** The state that follows one which ends by itself. */
export function followerOf(status: MarketStatus): MarketStatus | undefined {
  if (status === "preOpen" || status === "halted") return "auction";
  return status === "auction" ? "trading" : undefined;
}

/** The last price; before the first trade, the market's reference price; 0 if there is neither. */
export function centreOf({ last, terms }: ModelMarket): bigint {
  return last === 0n ? BigInt(terms.referenceTicks ?? 0) : last;
}

/** The price a distance in basis points above the centre for buys, below it for sells. */
function away(centre: bigint, bps: number, side: Side): bigint {
  const distance = (centre * BigInt(bps)) / 10_000n;
  return side === "buy" ? centre + distance : centre - distance;
}

/** The best prices of both sides; undefined if a side is empty. */
export interface Touch {
  readonly bid: bigint | undefined;
  readonly ask: bigint | undefined;
}

/** The last price; in markets with a separate band for resting orders, moved into the spread. */
function bandCentre(market: ModelMarket, { bid, ask }: Touch): bigint {
  const centre = centreOf(market);
  if (market.terms.passiveBandBps === undefined) return centre;
  if (centre === 0n || market.status !== "trading") return centre;
  if (ask !== undefined && ask < centre) return ask;
  return bid !== undefined && bid > centre ? bid : centre;
}

export function isInBand(market: ModelMarket, side: Side, price: bigint, touch: Touch): boolean {
  const centre = bandCentre(market, touch);
  const bps = market.terms.priceBandBps;
  if (bps === undefined || centre === 0n) return true;
  const passive = market.terms.passiveBandBps ?? bps;
  return (
    price >= away(centre, side === "sell" ? bps : passive, "sell") &&
    price <= away(centre, side === "buy" ? bps : passive, "buy")
  );
}

/** The worst price at which an order of the side may trade; undefined if there is no band. */
export function bandEdge(market: ModelMarket, side: Side, touch: Touch): bigint | undefined {
  const met = side === "buy" ? touch.ask : touch.bid;
  const centre = bandCentre(market, touch) || (met ?? 0n);
  const bps = market.terms.priceBandBps;
  return bps === undefined || centre === 0n ? undefined : away(centre, bps, side);
}

/** Starts a window of the breaker at the first order in it that finds a price. */
export function beginWindow(market: ModelMarket, nowMs: number, met: bigint | undefined): void {
  if (market.terms.breaker === undefined || isInWindow(market, nowMs)) return;
  market.window = windowAt(market, nowMs);
  market.windowPrice = centreOf(market) || (met ?? 0n);
}

/** The worst price at which an order of the side may trade without halting the market. */
export function breakerEdge(
  market: ModelMarket,
  side: Side,
  nowMs: number,
  met: bigint | undefined,
): bigint | undefined {
  const { breaker } = market.terms;
  if (breaker === undefined) return undefined;
  const centre = isInWindow(market, nowMs) ? market.windowPrice : centreOf(market) || (met ?? 0n);
  return centre === 0n ? undefined : away(centre, breaker.bps, side);
}

function isInWindow(market: ModelMarket, nowMs: number): boolean {
  return market.windowPrice !== 0n && market.window === windowAt(market, nowMs);
}

function windowAt({ terms }: ModelMarket, nowMs: number): number {
  return Math.floor(nowMs / (terms.breaker?.windowMs ?? 1));
}

/** The stricter of two limit prices. */
export function tighter(
  side: Side,
  limit: bigint | undefined,
  edge: bigint | undefined,
): bigint | undefined {
  if (limit === undefined || edge === undefined) return limit ?? edge;
  return limit < edge === (side === "buy") ? limit : edge;
}

/**
 * The price of an auction. Nothing changes between two orders' prices, so these, their neighbours and
 * the reference price are the only candidates.
 */
export function auctionPrice(
  bids: readonly ModelLevel[],
  asks: readonly ModelLevel[],
  reference: bigint,
): { price: bigint; volume: bigint; surplus: bigint } | undefined {
  const highest = bids.reduce((most, { price }) => (price > most ? price : most), 0n);
  const lowest = asks.reduce((least, { price }) => (price < least ? price : least), EXACT_MAX);
  const prices = [...bids, ...asks].flatMap(({ price }) => [price - 1n, price, price + 1n]);
  const tried = [...new Set([...prices, reference])]
    .filter((price) => price >= lowest && price <= highest)
    .map((price) => {
      const wanted = sum(bids.filter((level) => level.price >= price));
      const offered = sum(asks.filter((level) => level.price <= price));
      const volume = wanted < offered ? wanted : offered;
      return { price, volume, surplus: wanted - offered, distance: size(price - reference) };
    });
  const [best] = tried.toSorted(
    (a, b) =>
      Number(b.volume - a.volume) ||
      Number(size(a.surplus) - size(b.surplus)) ||
      (reference === 0n ? 0 : Number(a.distance - b.distance)) ||
      Number(a.price - b.price),
  );
  return best;
}

const size = (value: bigint): bigint => (value < 0n ? -value : value);
const sum = (levels: readonly ModelLevel[]): bigint =>
  levels.reduce((total, { lots }) => total + lots, 0n);

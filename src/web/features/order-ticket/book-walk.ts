/**
 * Simulates how an order would fill against the levels that the page has: an estimate. Integers only:
 * prices, quantities and quote amounts at the scales of {@link TicketScales}.
 */
import { divide } from "#contract/decimal.ts";

/** Number of decimals of each kind of integer; the quote scale represents price × quantity exactly. */
export interface TicketScales {
  readonly price: number;
  readonly quantity: number;
  /** Ledger decimals of the base coin, in which a buyer's fee is rounded. */
  readonly base: number;
  /** Ledger decimals of the quote coin, in which a seller's fee is rounded. */
  readonly quote: number;
}

export interface Level {
  readonly price: bigint;
  readonly quantity: bigint;
}

export interface Walk {
  readonly fills: readonly Level[];
  readonly quantity: bigint;
  /** Quote amount traded, in quote units. */
  readonly quote: bigint;
  /** Price of the last fill; null if nothing filled. */
  readonly worstPrice: bigint | null;
  /** Whether the levels sufficed. */
  readonly complete: boolean;
}

/** The quote amount of price × quantity, in quote units. */
export function notional(price: bigint, quantity: bigint, scales: TicketScales): bigint {
  return price * quantity * 10n ** BigInt(scales.quote - scales.price - scales.quantity);
}

/** The largest multiple of `lot` whose notional at `price` is at most `quote`. */
export function affordable(
  quote: bigint,
  price: bigint,
  lot: bigint,
  scales: TicketScales,
): bigint {
  const perLot = notional(price, lot, scales);
  return perLot <= 0n || quote <= 0n ? 0n : (quote / perLot) * lot;
}

/** Fills `quantity` from the book, at prices no worse than `limit`, if any. */
export function walkQuantity(
  levels: readonly Level[],
  quantity: bigint,
  scales: TicketScales,
  limit?: { readonly price: bigint; readonly side: "buy" | "sell" },
): Walk {
  const fills: Level[] = [];
  let open = quantity;
  for (const level of levels) {
    if (open <= 0n || (limit !== undefined && isWorse(level.price, limit))) break;
    const taken = level.quantity < open ? level.quantity : open;
    fills.push({ price: level.price, quantity: taken });
    open -= taken;
  }
  return walkOf(fills, open <= 0n, scales);
}

/** Buys or sells whole lots for at most `quote`. */
export function walkQuote(
  levels: readonly Level[],
  quote: bigint,
  lot: bigint,
  scales: TicketScales,
): Walk {
  const fills: Level[] = [];
  let open = quote;
  for (const level of levels) {
    const within = affordable(open, level.price, lot, scales);
    if (within <= 0n) return walkOf(fills, true, scales);
    const taken = level.quantity < within ? level.quantity : within;
    fills.push({ price: level.price, quantity: taken });
    open -= notional(level.price, taken, scales);
    if (taken === within) return walkOf(fills, true, scales);
  }
  return walkOf(fills, open <= 0n, scales);
}

/** The fee of all fills in the coin received; each fill's fee is rounded up separately. */
export function feeOf(
  fills: readonly Level[],
  side: "buy" | "sell",
  feeBps: number,
  scales: TicketScales,
): bigint {
  let fee = 0n;
  for (const fill of fills) {
    const received =
      side === "buy"
        ? fill.quantity * 10n ** BigInt(scales.base - scales.quantity)
        : notional(fill.price, fill.quantity, scales);
    fee += divide(received * BigInt(feeBps), 10_000n, "up");
  }
  return fee;
}

/** Parses levels from the server's flat list [price, quantity, …]. */
export function parseLevels(flat: readonly bigint[]): Level[] {
  const levels: Level[] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) {
    levels.push({ price: flat[index] ?? 0n, quantity: flat[index + 1] ?? 0n });
  }
  return levels;
}

function isWorse(price: bigint, limit: { price: bigint; side: "buy" | "sell" }): boolean {
  return limit.side === "buy" ? price > limit.price : price < limit.price;
}

function walkOf(fills: Level[], complete: boolean, scales: TicketScales): Walk {
  let quantity = 0n;
  let quote = 0n;
  for (const fill of fills) {
    quantity += fill.quantity;
    quote += notional(fill.price, fill.quantity, scales);
  }
  return { fills, quantity, quote, worstPrice: fills.at(-1)?.price ?? null, complete };
}

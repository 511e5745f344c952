/**
 * Recomputes a fill from its owner's order and the trade alone, in exact integers: the amounts
 * exchanged, the fee with its rounding, and the entries that the ledger must have. Pure; it shares
 * no code with the engine, so that a difference would show.
 */
import { divide, formatDecimal, parseDecimal } from "./decimal.ts";
import type { CoinScale, FillProof } from "./fill-proof.ts";
import type { Decimal, LedgerEntry } from "./types.ts";

/** One basis point is a ten-thousandth. */
const BPS_ONE = 10_000n;
const BPS_DECIMALS = 4;

/** A change of one of the owner's balances, as expected and as recorded. */
export interface PostingCheck {
  readonly reason: LedgerEntry["reason"];
  readonly balance: LedgerEntry["balance"];
  readonly coin: string;
  /** The expected change, signed; "0" if nothing is due. */
  readonly expected: Decimal;
  readonly recorded: Decimal;
  readonly agrees: boolean;
}

export interface Recomputation {
  /** The notional: price times quantity. */
  readonly total: Decimal;
  readonly totalAgrees: boolean;
  readonly paid: Decimal;
  readonly paidCoin: string;
  /** The amount received before the fee. */
  readonly received: Decimal;
  readonly receivedCoin: string;
  /** The fee before rounding: exact, with as many decimals as necessary. */
  readonly feeExact: Decimal;
  readonly fee: Decimal;
  readonly feeAgrees: boolean;
  /** The amount added by rounding up to a whole unit; "0" if the fee was exact. */
  readonly roundingAdded: Decimal;
  /** The coin's smallest unit. */
  readonly smallestUnit: Decimal;
  /** The amount received after the fee. */
  readonly net: Decimal;
  /**
   * The amount that a buyer's limit price held for this quantity above the trade's price, in quote
   * coins; its release is among the order's own postings. "0" without a limit price.
   */
  readonly spared: Decimal;
  readonly postings: readonly PostingCheck[];
  /** Whether the exchange's record agrees with everything above. */
  readonly agrees: boolean;
}

/**
 * Recomputes a fill and compares the record with the result.
 * @throws DecimalError if the record is not that of a fill
 */
export function recomputeFill(record: FillProof): Recomputation {
  const { fill, order, base, quote } = record;
  const buys = fill.side === "buy";
  const quantity = parseDecimal(fill.quantity, base.scale);
  const total = multiply(fill.price, fill.quantity, quote.scale);
  const [paid, paidIn] = buys ? [total, quote] : [quantity, base];
  const [received, receivedIn] = buys ? [quantity, base] : [total, quote];

  const feeTimesBps = received * BigInt(fill.feeBps);
  const fee = divide(feeTimesBps, BPS_ONE, "up");
  const spared =
    buys && order.price !== null ? multiply(order.price, fill.quantity, quote.scale) - total : 0n;

  const feeReason = fill.role === "maker" ? "makerFee" : "takerFee";
  const check = (
    reason: LedgerEntry["reason"],
    balance: LedgerEntry["balance"],
    { coin, scale }: CoinScale,
    expected: bigint,
  ): PostingCheck => {
    const recorded = record.postings
      .filter((entry) => entry.reason === reason && entry.balance === balance)
      .filter((entry) => entry.coin === coin)
      .reduce((sum, entry) => sum + parseDecimal(entry.amount, scale), 0n);
    return {
      reason,
      balance,
      coin,
      expected: formatDecimal(expected, scale),
      recorded: formatDecimal(recorded, scale),
      agrees: recorded === expected,
    };
  };
  const postings = [
    check("trade", "held", paidIn, -paid),
    check("trade", "available", receivedIn, received),
    check(feeReason, "available", receivedIn, -fee),
  ].filter(({ expected, agrees }) => !agrees || /[1-9]/.test(expected));
  const isComplete = record.postings.every((entry) =>
    postings.some((check) => check.reason === entry.reason && check.balance === entry.balance),
  );

  const totalAgrees = parseDecimal(fill.quoteAmount, quote.scale) === total;
  const feeAgrees =
    fill.feeCoin === receivedIn.coin && parseDecimal(fill.fee, receivedIn.scale) === fee;
  return {
    total: formatDecimal(total, quote.scale),
    totalAgrees,
    paid: formatDecimal(paid, paidIn.scale),
    paidCoin: paidIn.coin,
    received: formatDecimal(received, receivedIn.scale),
    receivedCoin: receivedIn.coin,
    feeExact: formatDecimal(feeTimesBps, receivedIn.scale + BPS_DECIMALS),
    fee: formatDecimal(fee, receivedIn.scale),
    feeAgrees,
    roundingAdded: formatDecimal(fee * BPS_ONE - feeTimesBps, receivedIn.scale + BPS_DECIMALS),
    smallestUnit: formatDecimal(1n, receivedIn.scale),
    net: formatDecimal(received - fee, receivedIn.scale),
    spared: formatDecimal(spared, quote.scale),
    postings,
    agrees: totalAgrees && feeAgrees && isComplete && postings.every(({ agrees }) => agrees),
  };
}

/**
 * The product of two decimals at a scale.
 * @throws DecimalError if the product has more decimals
 */
function multiply(left: Decimal, right: Decimal, scale: number): bigint {
  const [leftUnits, leftScale] = unitsAndScale(left);
  const [rightUnits, rightScale] = unitsAndScale(right);
  return parseDecimal(formatDecimal(leftUnits * rightUnits, leftScale + rightScale), scale);
}

function unitsAndScale(text: Decimal): [units: bigint, scale: number] {
  const scale = text.includes(".") ? text.length - text.indexOf(".") - 1 : 0;
  return [parseDecimal(text, scale), scale];
}

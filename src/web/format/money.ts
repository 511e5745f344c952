/** Prices, quantities, amounts of money and percentages as text. `null` prints as {@link NO_VALUE}. */
import type { CoinAmount, Decimal } from "#contract/types.ts";
import {
  formatCompact,
  formatDecimal,
  formatExact,
  formatSigned,
  NO_VALUE,
} from "./decimal-text.ts";

/** British English, which has no comma before "and". */
const COIN_LIST = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** A price with the decimals of its market: "64,123.50". */
export function formatPrice(price: Decimal | null, decimals: number): string {
  return price === null ? NO_VALUE : formatDecimal(price, decimals);
}

/** A quantity with the decimals of its market: "0.1250". */
export function formatQuantity(quantity: Decimal | null, decimals: number): string {
  return quantity === null ? NO_VALUE : formatDecimal(quantity, decimals);
}

const NARROW_WHOLE_DIGITS = 6;

/** A quantity for a narrow column: exact below a million, abbreviated above: "1.62B". */
export function formatNarrowQuantity(quantity: Decimal, decimals: number): string {
  const whole = quantity.split(".")[0] ?? "";
  return whole.length > NARROW_WHOLE_DIGITS
    ? formatCompact(quantity)
    : formatDecimal(quantity, decimals);
}

/**
 * A balance: truncated, so that the page never shows more than there is. With `coin` its symbol
 * follows: "1,250.00 USD".
 */
export function formatAmount(amount: Decimal | null, decimals: number, coin?: string): string {
  return withCoin(amount === null ? NO_VALUE : formatDecimal(amount, decimals, "down"), coin);
}

/** A cost: rounded up, so that the page never promises a lower one. */
export function formatCost(amount: Decimal | null, decimals: number, coin?: string): string {
  return withCoin(amount === null ? NO_VALUE : formatDecimal(amount, decimals, "up"), coin);
}

/** A value in the settlement currency, rounded to the nearest: "1,250.00 USD". */
export function formatMoney(amount: Decimal | null, decimals = 2, coin?: string): string {
  return withCoin(amount === null ? NO_VALUE : formatDecimal(amount, decimals), coin);
}

/** A profit or loss, always with its sign: "+12.50 USD". */
export function formatProfit(amount: Decimal | null, decimals = 2, coin?: string): string {
  return withCoin(amount === null ? NO_VALUE : formatSigned(amount, decimals), coin);
}

/** Amounts of several coins within a sentence: "100,000 USD, 1 BTC and 10 ETH". */
export function formatCoinAmounts(amounts: readonly CoinAmount[]): string {
  return COIN_LIST.format(amounts.map(({ amount, coin }) => `${formatExact(amount)} ${coin}`));
}

/** A large amount in few characters: "12.3M USD". */
export function formatVolume(amount: Decimal | null, coin?: string): string {
  return withCoin(amount === null ? NO_VALUE : formatCompact(amount), coin);
}

/** A change in percent, always with its sign: "+1.25%". */
export function formatPercent(percent: Decimal | null, decimals = 2): string {
  return percent === null ? NO_VALUE : `${formatSigned(percent, decimals)}%`;
}

/** A share or rate in percent without a sign: "12.50%". */
export function formatShare(percent: Decimal | null, decimals = 2): string {
  return percent === null ? NO_VALUE : `${formatDecimal(percent, decimals)}%`;
}

/** Basis points as percent: 25 → "0.25%". */
export function formatBps(bps: number): string {
  const digits = Math.abs(Math.trunc(bps)).toString().padStart(3, "0");
  return formatShare(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

/** A number on a chart's axis or tooltip. */
export function formatChartNumber(value: number, decimals: number): string {
  return Number.isFinite(value) ? formatDecimal(value.toFixed(decimals), decimals) : NO_VALUE;
}

/** The sign of a value, for colour, arrow and text. */
export function directionOf(value: Decimal | null): "up" | "down" | "flat" {
  if (value === null || !/[1-9]/.test(value)) return "flat";
  return value.startsWith("-") ? "down" : "up";
}

function withCoin(text: string, coin: string | undefined): string {
  return coin === undefined || text === NO_VALUE ? text : `${text} ${coin}`;
}

/**
 * Practice funds for a user per grant, in the operator's notation: `USD:100000,BTC:1`; an amount
 * without a coin is in the settlement coin.
 */
import { z } from "zod";
import { AMOUNT_MAX } from "#engine/amount.ts";
import { DecimalError, formatDecimal, parseDecimal } from "#contract/decimal.ts";
import type { CoinAmount } from "#contract/types.ts";
import { SETTLEMENT_COIN } from "./coins.ts";
import type { DeclaredCatalogue } from "./declared-catalogue.ts";

export const DEFAULT_PRACTICE_FUNDS: readonly CoinAmount[] = [
  { coin: SETTLEMENT_COIN, amount: "100000" },
];

const FUNDS_PATTERN = /^(?:([A-Z0-9]+) *: *)?(\d+(?:\.\d+)?)$/;

/** An amount without a coin is in the settlement coin. */
export interface WrittenFunds {
  readonly coin: string | undefined;
  readonly amount: string;
}

export const practiceFunds = z.string().transform((text, context): readonly WrittenFunds[] => {
  const parts = text.split(",").map((part) => FUNDS_PATTERN.exec(part.trim()));
  if (parts.every((part) => part !== null)) {
    return parts.map(([, coin, amount]) => ({ coin, amount }));
  }
  context.addIssue({
    code: "custom",
    message: "must be an amount such as 100000, or USD:100000,BTC:1",
  });
  return z.NEVER;
});

/** The funds in coins of the catalogue, or the reason why they cannot be granted. */
export function fundsIn(
  catalogue: Pick<DeclaredCatalogue, "coins" | "settlementCoin">,
  written: readonly WrittenFunds[],
): readonly CoinAmount[] | string {
  const funds: CoinAmount[] = [];
  for (const { coin: symbol = catalogue.settlementCoin, amount } of written) {
    if (funds.some(({ coin }) => coin === symbol)) return `names ${symbol} twice`;
    const coin = catalogue.coins.find((each) => each.symbol === symbol);
    if (coin === undefined) return `no coin ${symbol} is listed`;
    const units = unitsOf(amount, coin.scale);
    if (typeof units === "string") return `the amount of ${symbol} ${units}`;
    if (units === 0n) return `the amount of ${symbol} must be more than 0`;
    if (units > AMOUNT_MAX) {
      return `the amount of ${symbol} must be at most ${formatDecimal(AMOUNT_MAX, coin.scale)}`;
    }
    funds.push({ coin: symbol, amount });
  }
  return funds;
}

function unitsOf(amount: string, scale: number): bigint | string {
  try {
    return parseDecimal(amount, scale);
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
    return error.message;
  }
}

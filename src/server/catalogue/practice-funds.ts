/**
 * The practice funds that a user receives at a time, as the operator writes them:
 * `USD:100000,BTC:1`; an amount alone is of the settlement coin.
 */
import { z } from "zod";
import { AMOUNT_MAX } from "#engine/amount.ts";
import { DecimalError, formatDecimal, parseDecimal } from "#contract/decimal.ts";
import type { CoinAmount } from "#contract/types.ts";
import { COINS, SETTLEMENT_COIN } from "./coins.ts";

export const DEFAULT_PRACTICE_FUNDS: readonly CoinAmount[] = [
  { coin: SETTLEMENT_COIN, amount: "100000" },
];

const PART = /^(?:([A-Z0-9]+) *: *)?(\d+(?:\.\d+)?)$/;

class PracticeFundsError extends Error {}

export const practiceFunds = z.string().transform((text, context) => {
  try {
    return readPracticeFunds(text);
  } catch (error) {
    if (!(error instanceof PracticeFundsError)) throw error;
    context.addIssue({ code: "custom", message: error.message });
    return z.NEVER;
  }
});

/** @throws PracticeFundsError */
function readPracticeFunds(text: string): readonly CoinAmount[] {
  const funds = text.split(",").map((part) => readPart(part.trim()));
  const twice = funds.find(({ coin }, at) => funds.findIndex((one) => one.coin === coin) < at);
  if (twice !== undefined) throw new PracticeFundsError(`names ${twice.coin} twice`);
  return funds;
}

function readPart(part: string): CoinAmount {
  const [, symbol = SETTLEMENT_COIN, amount] = PART.exec(part) ?? [];
  if (amount === undefined) {
    throw new PracticeFundsError("must be an amount such as 100000, or USD:100000,BTC:1");
  }
  const coin = COINS.find((each) => each.symbol === symbol);
  if (coin === undefined) throw new PracticeFundsError(`no coin ${symbol} is listed`);
  const units = unitsOf(amount, coin.scale, `the amount of ${symbol}`);
  if (units === 0n) throw new PracticeFundsError(`the amount of ${symbol} must be more than 0`);
  if (units > AMOUNT_MAX) {
    const most = formatDecimal(AMOUNT_MAX, coin.scale);
    throw new PracticeFundsError(`the amount of ${symbol} must be at most ${most}`);
  }
  return { coin: symbol, amount };
}

function unitsOf(amount: string, scale: number, subject: string): bigint {
  try {
    return parseDecimal(amount, scale);
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
    throw new PracticeFundsError(`${subject} ${error.message}`, { cause: error });
  }
}

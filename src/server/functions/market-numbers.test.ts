import { describe, expect, test } from "vitest";
import { parseDecimal } from "#contract/decimal.ts";
import type { Amount, Lots } from "#engine/amount.ts";
import type { CoinDefinition } from "#engine/commands.ts";
import { Catalogue, type MarketView } from "../views/catalogue.ts";
import {
  formatPrice,
  formatQuantity,
  parseGrouping,
  parsePrice,
  parseQuantity,
  parseQuoteAmount,
} from "./market-numbers.ts";
import { presentCandle } from "./present-market.ts";
import { candleWith } from "#test/support/trades.ts";

function marketWith(terms: {
  baseScale: number;
  quoteScale: number;
  lotUnits: number;
  tickLotUnits: number;
}): MarketView {
  const catalogue = new Catalogue();
  const stamp = { sequence: 1, timestampMs: 1 };
  const coin = (symbol: string, scale: number): CoinDefinition => ({
    symbol,
    name: symbol,
    kind: "crypto",
    status: "listed",
    scale,
    displayDecimals: 2,
    description: "",
    website: "",
    riskNote: "",
  });
  const base = coin("AAA", terms.baseScale);
  const quote = coin("USD", terms.quoteScale);
  catalogue.fold({ ...stamp, type: "coinListed", assetId: 1, coin: base });
  catalogue.fold({ ...stamp, type: "coinListed", assetId: 2, coin: quote });
  catalogue.fold({
    ...stamp,
    type: "marketListed",
    marketId: 1,
    baseAssetId: 1,
    quoteAssetId: 2,
    market: {
      symbol: "AAA-USD",
      base: "AAA",
      quote: "USD",
      lotUnits: terms.lotUnits,
      tickLotUnits: terms.tickLotUnits,
      notionalMin: 1 as Amount,
      quantityLotsMax: 1_000 as Lots,
      status: "trading",
      simulated: false,
    },
  });
  return catalogue.market(1);
}

/** Prices in tens, quantities in quarters. */
const coarse = marketWith({
  baseScale: 8,
  quoteScale: 6,
  lotUnits: 25_000_000,
  tickLotUnits: 2_500_000,
});
const fine = marketWith({ baseScale: 8, quoteScale: 6, lotUnits: 10_000, tickLotUnits: 1 });

describe("a market whose price step is above one and whose lot is no power of ten", () => {
  test("knows its steps", () => {
    expect(coarse).toMatchObject({
      tickSize: "10",
      lotSize: "0.25",
      priceDecimals: 0,
      quantityDecimals: 2,
      tickStep: 10,
      lotStep: 25,
    });
  });

  test("reads and writes exact multiples", () => {
    expect(parsePrice("64250", coarse)).toBe(6_425);
    expect(parsePrice("64250.000", coarse)).toBe(6_425);
    expect(parseQuantity("1.75", coarse)).toBe(7);
    expect(formatPrice(6_425, coarse)).toBe("64250");
    expect(formatQuantity(7, coarse)).toBe("1.75");
    expect(parseGrouping("1000", coarse)).toBe(100);
  });

  test("refuses what lies between two steps", () => {
    expect(() => parsePrice("64255", coarse)).toThrow("price must be a multiple of 10.");
    expect(() => parsePrice("64250.5", coarse)).toThrow("price must be a multiple of 10.");
    expect(() => parseQuantity("1.8", coarse)).toThrow("quantity must be a multiple of 0.25.");
    expect(() => parseGrouping("20", coarse)).toThrow("a power of ten times 10, up to the fourth.");
  });

  test("draws candles in whole coins", () => {
    const candle = presentCandle(
      candleWith({
        openTime: 0,
        openTicks: 1,
        highTicks: 3,
        lowTicks: 1,
        closeTicks: 2,
        volumeLots: 5,
      }),
      coarse,
    );
    expect(candle).toEqual({ openTime: 0, open: 10, high: 30, low: 10, close: 20, volume: 1.25 });
  });
});

/** Short and long decimals, zeros, and texts that are not decimals. */
const TEXTS =
  "1|1.5|1.50|1.500|007.25|0.01|0.001|0|0.00|12345678901.23|1234567890123|12345678901234|" +
  "123456789012345.6|1234567890123456789||.|1.|.1|1..2|1.2.3|-1|+1|1e3| 1|1 |0x1|١|1,5";

test.each(TEXTS.split("|"))("%j is the price that the decimal is, or none", (text) => {
  const read = () => {
    const units = parseDecimal(text, 2);
    if (units <= 0n) throw new RangeError("not a price");
    return Number(units);
  };
  let expected: number | undefined;
  try {
    expected = read();
  } catch {
    expect(() => parsePrice(text, fine)).toThrow("price ");
    return;
  }
  if (expected > Number.MAX_SAFE_INTEGER) {
    expect(() => parsePrice(text, fine)).toThrow("price is too large.");
  } else expect(parsePrice(text, fine)).toBe(expected);
});

test("numbers beyond 53 bits are refused, the largest inside them is exact", () => {
  expect(fine).toMatchObject({ tickSize: "0.01", lotSize: "0.0001" });
  expect(parsePrice("90071992547409.91", fine)).toBe(Number.MAX_SAFE_INTEGER);
  expect(() => parsePrice("90071992547409.92", fine)).toThrow("price is too large.");
  expect(formatPrice(Number.MAX_SAFE_INTEGER, fine)).toBe("90071992547409.91");
  expect(parseQuoteAmount("0.000001", fine)).toBe(1);
  expect(() => parseQuoteAmount("9007199254.740992", fine)).toThrow("quoteAmount is too large.");
});

test("candle prices are the nearest floats of their decimals", () => {
  const candle = { openTime: 0, openTicks: 7, highTicks: 110, lowTicks: 7, closeTicks: 29 };
  expect(presentCandle(candleWith({ ...candle, volumeLots: 3 }), fine)).toMatchObject({
    open: 0.07,
    high: 1.1,
    close: 0.29,
    volume: 0.0003,
  });
});

test("a price step that is no power of ten cannot be listed", () => {
  const terms = { baseScale: 8, quoteScale: 6, lotUnits: 10_000, tickLotUnits: 3 };
  expect(() => marketWith(terms)).toThrow("not a power of ten");
});

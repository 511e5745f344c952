import { expect, test } from "vitest";
import {
  directionOf,
  formatAmount,
  formatBps,
  formatChartNumber,
  formatCoinAmounts,
  formatCost,
  formatMoney,
  formatNarrowQuantity,
  formatPercent,
  formatPrice,
  formatProfit,
  formatVolume,
} from "./money.ts";

test("what one owns is cut and what one pays is raised", () => {
  expect(formatAmount("0.129999", 2, "USD")).toBe("0.12 USD");
  expect(formatCost("0.120001", 2, "USD")).toBe("0.13 USD");
  expect(formatMoney("0.125")).toBe("0.13");
});

test("amounts of several coins read as a part of a sentence", () => {
  const usd = { coin: "USD", amount: "100000.000000" };
  const btc = { coin: "BTC", amount: "1.50000000" };
  expect(formatCoinAmounts([usd])).toBe("100,000 USD");
  expect(formatCoinAmounts([usd, btc])).toBe("100,000 USD and 1.5 BTC");
  const eth = { coin: "ETH", amount: "10" };
  expect(formatCoinAmounts([usd, btc, eth])).toBe("100,000 USD, 1.5 BTC and 10 ETH");
});

test("a missing value prints as a dash without a coin", () => {
  expect(formatPrice(null, 2)).toBe("–");
  expect(formatAmount(null, 2, "USD")).toBe("–");
  expect(formatPercent(null)).toBe("–");
});

test("quantities in narrow columns are exact below a million", () => {
  expect(formatNarrowQuantity("0.12345", 5)).toBe("0.12345");
  expect(formatNarrowQuantity("999999.5", 1)).toBe("999,999.5");
  expect(formatNarrowQuantity("1619168854", 0)).toBe("1.62B");
});

test("changes carry their sign", () => {
  expect(formatPercent("1.25")).toBe("+1.25%");
  expect(formatPercent("-0.3")).toBe("−0.30%");
  expect(formatPercent("0.00")).toBe("0.00%");
  expect(formatProfit("-5", 2, "USD")).toBe("−5.00 USD");
});

test("basis points print as percent", () => {
  expect([0, 4, 25, 100, 1250].map(formatBps)).toEqual([
    "0.00%",
    "0.04%",
    "0.25%",
    "1.00%",
    "12.50%",
  ]);
});

test("direction follows the digits, not the text", () => {
  expect(["0.00", "-0.00", "-0.01", "3", null].map(directionOf)).toEqual([
    "flat",
    "flat",
    "down",
    "up",
    "flat",
  ]);
});

test("volume and chart numbers stay short", () => {
  expect(formatVolume("123456789.12", "USD")).toBe("123.46M USD");
  expect(formatChartNumber(64000.123, 2)).toBe("64,000.12");
  expect(formatChartNumber(Number.NaN, 2)).toBe("–");
});

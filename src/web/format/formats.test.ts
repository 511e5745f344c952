import { ConvexError } from "convex/values";
import { afterEach, expect, test } from "vitest";
import { DEFAULT_FORMATS, type Formats } from "#contract/formats.ts";
import { formatDecimal, formatExact, formatPlainNumber, formatSigned } from "./decimal-text.ts";
import { formatNumbersIn } from "./number-sentence.ts";
import { conditionWords } from "./alert-words.ts";
import { orderChips, orderName, orderTitle, orderWait } from "./order-words.ts";
import { errorSentence } from "../session/error-sentence.ts";
import { followFormats } from "./formats.ts";
import { formatCost, formatPercent, formatVolume } from "./money.ts";
import { formatDate, formatDateTime, formatMinute, formatMonth, formatTime } from "./time.ts";

function use(formats: Partial<Formats>): void {
  followFormats(() => ({ ...DEFAULT_FORMATS, ...formats }));
}
afterEach(() => followFormats(() => DEFAULT_FORMATS));

test("numbers have the viewer's separators, in every way that they are printed", () => {
  use({ numbers: "pointComma" });
  expect(formatDecimal("1234567.5", 2)).toBe("1.234.567,50");
  expect(formatExact("-0.10500000")).toBe("−0,105");
  expect(formatSigned("1000", 0)).toBe("+1.000");
  expect(formatCost("1234.001", 2, "USD")).toBe("1.234,01 USD");
  expect(formatPercent("1.25")).toBe("+1,25%");
  expect(formatVolume("1234567.89")).toBe("1,23M");
  expect(["1234.50", 0.5, "-1.5M", "n/a"].map(formatPlainNumber)).toEqual([
    "1.234,50",
    "0,5",
    "−1,5M",
    "n/a",
  ]);
  use({ numbers: "spaceComma" });
  expect(formatDecimal("1234567.5", 2)).toBe("1\u00a0234\u00a0567,50");
});

test("the numbers of a sentence follow, its names and identifiers do not", () => {
  const sentence =
    "Bought 1,234.5 BTC at 64,000.00: order 4711, v1.2, a1,000b 2026-11-21, 10.0.0.1.";
  expect(formatNumbersIn(sentence)).toBe(sentence);
  use({ numbers: "pointComma" });
  expect(formatNumbersIn(sentence)).toBe(
    "Bought 1.234,5 BTC at 64.000,00: order 4711, v1.2, a1,000b 2026-11-21, 10.0.0.1.",
  );
});

test("orders and alerts are named with the viewer's numbers", () => {
  use({ numbers: "pointComma" });
  const order = { ...LIMIT, market: "BTC-USD", quantity: "1000.50", quoteAmount: null };
  expect(orderTitle(order)).toBe("Buy 1.000,5 BTC · Limit 64.000,00");
  const trailing = { type: "trailingStop", trailBps: 250 } as const;
  expect(orderName({ ...LIMIT, price: null, special: { trigger: trailing } })).toBe(
    "Trailing 2,5 % → market",
  );
  const stop = { waitsFor: "trigger", trigger: { type: "stop", price: "65000.00" } } as const;
  expect(orderWait({ ...LIMIT, special: stop })).toBe("Waits for the price to rise to 65.000,00.");
  const special = { display: "1234.50", expiresAt: 0 };
  expect(orderChips({ ...LIMIT, special }, () => "03.11. 04:05").map(({ text }) => text)).toEqual([
    "Iceberg 1.234,5",
    "GTD 03.11. 04:05",
  ]);
  expect(conditionWords({ kind: "price", price: "65000.00" })).toBe("Crosses 65.000,00");
});

test("a refusal's numbers are the viewer's", () => {
  use({ numbers: "pointComma" });
  const message = "Price must be a multiple of 0.01 USD, at most 1,250.00.";
  expect(errorSentence(new ConvexError({ code: "invalidPrice", message }))).toBe(
    "Price must be a multiple of 0,01 USD, at most 1.250,00.",
  );
});

const LIMIT = {
  side: "buy",
  type: "limit",
  price: "64000.00",
  timeInForce: "gtc",
  postOnly: false,
} as const;

const AT = Date.UTC(2026, 10, 3, 4, 5, 9);

test.each([
  ["dayMonth", "03 Nov 2026", "03 Nov 2026, 04:05:09", "03 Nov, 04:05"],
  ["monthDay", "Nov 03, 2026", "Nov 03, 2026, 04:05:09", "Nov 03, 04:05"],
  ["iso", "2026-11-03", "2026-11-03 04:05:09", "11-03 04:05"],
  ["dotted", "03.11.2026", "03.11.2026 04:05:09", "03.11. 04:05"],
] as const)("dates as %s", (dates, date, dateTime, minute) => {
  use({ dates });
  expect(formatDate(AT, "UTC")).toBe(date);
  expect(formatDateTime(AT, "UTC")).toBe(dateTime);
  expect(formatMinute(AT, "UTC")).toBe(minute);
  expect(formatTime(AT, "UTC")).toBe("04:05:09");
  expect(formatMonth(AT, "UTC")).toBe("November 2026");
});

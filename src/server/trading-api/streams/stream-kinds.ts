/** The market streams by kind, for the documents; `stream-name.ts` parses their names. */
import type { ParsedStream } from "./stream-name.ts";

export type StreamKind = ParsedStream["stream"]["kind"];

interface DescribedStream {
  /** Parameters are in braces. */
  readonly names: readonly string[];
  readonly summary: string;
}

export const STREAM_KINDS: Readonly<Record<StreamKind, DescribedStream>> = {
  aggTrade: {
    names: ["{symbol}@aggTrade"],
    summary: "Trades of one order at one price together.",
  },
  allMiniTickers: {
    names: ["!miniTicker@arr"],
    summary: "Short tickers of all markets in which something changed, each second.",
  },
  allTickers: {
    names: ["!ticker@arr"],
    summary: "Tickers of all markets in which something changed, each second.",
  },
  allWindowTickers: {
    names: ["!ticker_{window}@arr"],
    summary: "Tickers of a window of all markets in which something traded, each second.",
  },
  avgPrice: {
    names: ["{symbol}@avgPrice"],
    summary: "The last price, each second in which it changed.",
  },
  bookTicker: {
    names: ["{symbol}@bookTicker"],
    summary: "The best level of both sides when it changes.",
  },
  depth: {
    names: ["{symbol}@depth", "{symbol}@depth@100ms"],
    summary: "Every level that has changed, each second or ten times a second.",
  },
  kline: {
    names: ["{symbol}@kline_{interval}"],
    summary: "The newest candle, each second in which it changed, and once more when it is closed.",
  },
  miniTicker: {
    names: ["{symbol}@miniTicker"],
    summary: "A short ticker of the last 24 hours, each second in which something changed.",
  },
  partialDepth: {
    names: ["{symbol}@depth{levels}", "{symbol}@depth{levels}@100ms"],
    summary: "The best levels, each second or ten times a second.",
  },
  ticker: {
    names: ["{symbol}@ticker"],
    summary: "The ticker of the last 24 hours, each second in which something changed.",
  },
  windowTicker: {
    names: ["{symbol}@ticker_{window}"],
    summary: "The ticker of the last hour, four hours or day, each second in which it changed.",
  },
  trade: { names: ["{symbol}@trade"], summary: "Each trade." },
};

/** Numbers of levels that partial books may have. */
export const PARTIAL_LEVELS = ["5", "10", "20"] as const;

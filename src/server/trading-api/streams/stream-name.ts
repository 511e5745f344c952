/** Parses the name of a stream, such as "btcusd@depth5@100ms" or "!miniTicker@arr". */
import { CANDLE_INTERVALS, type CandleInterval } from "#contract/enumerations.ts";

export type Speed = 100 | 1_000;

export type StreamOfMarket =
  | { readonly kind: "trade" | "aggTrade" | "miniTicker" | "ticker" | "bookTicker" | "avgPrice" }
  | { readonly kind: "windowTicker"; readonly window: TickerWindow }
  | { readonly kind: "kline"; readonly interval: CandleInterval }
  | { readonly kind: "depth"; readonly everyMs: Speed }
  | { readonly kind: "partialDepth"; readonly everyMs: Speed; readonly levels: number };

/** Streams of all markets together. */
export type StreamOfAll =
  | { readonly kind: "allMiniTickers" | "allTickers" }
  | { readonly kind: "allWindowTickers"; readonly window: TickerWindow };

/** Window lengths of tickers. */
export const TICKER_WINDOWS = ["1h", "4h", "1d"] as const;
export type TickerWindow = (typeof TICKER_WINDOWS)[number];

export type ParsedStream =
  | { readonly symbol: string; readonly stream: StreamOfMarket }
  | { readonly symbol: undefined; readonly stream: StreamOfAll };

const LENGTH_MAX = 60;
const SIMPLE: ReadonlySet<string> = new Set([
  "trade",
  "aggTrade",
  "miniTicker",
  "ticker",
  "bookTicker",
  "avgPrice",
]);
const DEPTH = /^depth(5|10|20)?(?:@(100|1000)ms)?$/;
const WINDOW_TICKER = /^ticker_(1h|4h|1d)$/;
const ALL_WINDOW_TICKERS = /^!ticker_(1h|4h|1d)@arr$/;
const KLINE = /^kline_(.{2,3})$/;

/** Undefined if there is no such stream. Does not check whether the market exists. */
export function parseStreamName(name: string): ParsedStream | undefined {
  if (name.length > LENGTH_MAX) return undefined;
  if (name === "!miniTicker@arr") return { symbol: undefined, stream: { kind: "allMiniTickers" } };
  if (name === "!ticker@arr") return { symbol: undefined, stream: { kind: "allTickers" } };
  const window = ALL_WINDOW_TICKERS.exec(name)?.[1];
  if (window !== undefined) {
    const ofAll = { kind: "allWindowTickers", window: window as TickerWindow } as const;
    return { symbol: undefined, stream: ofAll };
  }
  const at = name.indexOf("@");
  const symbol = name.slice(0, at);
  // Symbols are in lower case, as at Binance. So that each stream has one name, letters beyond
  // ASCII that become ASCII in upper case are refused too.
  if (at < 1 || symbol !== symbol.toUpperCase().toLowerCase()) return undefined;
  const stream = ofMarket(name.slice(at + 1));
  return stream === undefined ? undefined : { symbol: symbol.toUpperCase(), stream };
}

function ofMarket(text: string): StreamOfMarket | undefined {
  if (SIMPLE.has(text)) return { kind: text } as StreamOfMarket;
  const window = WINDOW_TICKER.exec(text)?.[1];
  if (window !== undefined) return { kind: "windowTicker", window: window as TickerWindow };
  const interval = KLINE.exec(text)?.[1];
  if (interval !== undefined) {
    const known = CANDLE_INTERVALS.find((candidate) => candidate === interval);
    return known === undefined ? undefined : { kind: "kline", interval: known };
  }
  const depth = DEPTH.exec(text);
  if (depth === null) return undefined;
  const [, levels, speed] = depth;
  const everyMs = speed === "100" ? 100 : 1_000;
  return levels === undefined
    ? { kind: "depth", everyMs }
    : { kind: "partialDepth", everyMs, levels: Number(levels) };
}

/** Streams of 24-hour tickers, of the last price and of candles. */
import { nextCandleOpenTime } from "#contract/candle-intervals.ts";
import type { CandleInterval } from "#contract/types.ts";
import type { MarketView } from "../../views/catalogue.ts";
import type { Views } from "../../views/views.ts";
import { describeCandle } from "../candles.ts";
import { symbolOf } from "../symbols.ts";
import { fullDay, lastPrice, miniDay } from "../tickers.ts";
import type { StreamSource } from "./stream-source.ts";

const EVERY_MS = 1_000;

type Describe = (views: Views, market: MarketView) => object;

function miniTicker(views: Views, market: MarketView) {
  const {
    openPrice,
    highPrice,
    lowPrice,
    lastPrice: close,
    volume,
    quoteVolume,
  } = miniDay(views, market);
  return {
    e: "24hrMiniTicker",
    E: views.nowMs(),
    s: symbolOf(market),
    c: close,
    o: openPrice,
    h: highPrice,
    l: lowPrice,
    v: volume,
    q: quoteVolume,
  };
}

function fullTicker(views: Views, market: MarketView) {
  const day = fullDay(views, market);
  return {
    e: "24hrTicker",
    E: views.nowMs(),
    s: day.symbol,
    p: day.priceChange,
    P: day.priceChangePercent,
    w: day.weightedAvgPrice,
    x: day.prevClosePrice,
    c: day.lastPrice,
    Q: day.lastQty,
    b: day.bidPrice,
    B: day.bidQty,
    a: day.askPrice,
    A: day.askQty,
    o: day.openPrice,
    h: day.highPrice,
    l: day.lowPrice,
    v: day.volume,
    q: day.quoteVolume,
    O: day.openTime,
    C: day.closeTime,
    F: day.firstId,
    L: day.lastId,
    n: day.count,
  };
}

/** Changes with the market's trades, its book and, as trades leave the window, with time. */
function versionOf(views: Views, { marketId }: MarketView): string {
  const ticker = views.tickers.ticker(marketId, views.nowMs());
  const [trade] = views.trades.latest(marketId, 1);
  return [trade?.tradeId, views.books.updateId(marketId), ticker?.baseVolume].join();
}

function changedSince(views: Views) {
  const sent = new Map<number, string>();
  return (market: MarketView): boolean => {
    const version = versionOf(views, market);
    if (sent.get(market.marketId) === version) return false;
    sent.set(market.marketId, version);
    return true;
  };
}

function tickerOf(views: Views, market: MarketView, describe: Describe): StreamSource {
  const hasChanged = changedSince(views);
  return {
    everyMs: EVERY_MS,
    tick(emit) {
      if (hasChanged(market)) emit(describe(views, market));
    },
  };
}

/** The tickers of the markets that have changed. */
function tickersOfAll(views: Views, describe: Describe): StreamSource {
  const hasChanged = changedSince(views);
  return {
    everyMs: EVERY_MS,
    tick(emit) {
      const changed = views.catalogue.markets().filter(hasChanged);
      if (changed.length > 0) emit(changed.map((market) => describe(views, market)));
    },
  };
}

export const miniTickerStream = (views: Views, market: MarketView): StreamSource =>
  tickerOf(views, market, miniTicker);
export const tickerStream = (views: Views, market: MarketView): StreamSource =>
  tickerOf(views, market, fullTicker);
export const allMiniTickersStream = (views: Views): StreamSource => tickersOfAll(views, miniTicker);
export const allTickersStream = (views: Views): StreamSource => tickersOfAll(views, fullTicker);

/** The last price, as an average over 0 minutes. */
export function averagePriceStream(views: Views, market: MarketView): StreamSource {
  return tickerOf(views, market, () => {
    const [trade] = views.trades.latest(market.marketId, 1);
    return {
      e: "avgPrice",
      E: views.nowMs(),
      s: symbolOf(market),
      i: "0m",
      w: lastPrice(views, market),
      T: trade?.timestampMs ?? 0,
    };
  });
}

/** The newest candle after each change and, closed, once the next has begun or its time is over. */
export function candleStream(
  views: Views,
  market: MarketView,
  interval: CandleInterval,
): StreamSource {
  const { marketId } = market;
  let sentOpenTime = -1;
  let sentKey = "";
  let isClosed = true;

  function describe(candle: NonNullable<ReturnType<typeof candleAt>>, isClosedNow: boolean) {
    const [t, o, h, l, c, v, T, q, n, V, Q, B] = describeCandle(candle, interval, market);
    // The ids of a candle's first and last trade are not stored.
    const k = { t, T, s: symbolOf(market), i: interval, f: -1, L: -1, o, c, h, l, v, n };
    return {
      e: "kline",
      E: views.nowMs(),
      s: symbolOf(market),
      k: { ...k, x: isClosedNow, q, V, Q, B },
    };
  }

  /** The newest candle that opened at or before a time. */
  function candleAt(openTime: number) {
    const [candle] = views.candles.read(marketId, interval, openTime + 1, 1);
    return candle;
  }

  return {
    everyMs: EVERY_MS,
    tick(emit) {
      const nowMs = views.nowMs();
      const newest = candleAt(nowMs);
      if (newest === undefined) return;
      if (!isClosed && newest.openTime !== sentOpenTime) {
        const before = candleAt(sentOpenTime);
        if (before?.openTime === sentOpenTime) emit(describe(before, true));
      }
      const isOver = nextCandleOpenTime(interval, newest.openTime) <= nowMs;
      const { openTime } = newest;
      const key = [...Object.values(newest), isOver].join();
      if (key === sentKey) return;
      sentKey = key;
      sentOpenTime = openTime;
      isClosed = isOver;
      emit(describe(newest, isOver));
    },
  };
}

/** Streams of tickers over the last hour, four hours or day: full minutes and the current one. */
import type { MarketView } from "../../views/catalogue.ts";
import type { Views } from "../../views/views.ts";
import { describeTraded } from "../window-ticker.ts";
import type { TickerWindow } from "./stream-name.ts";
import type { StreamSource } from "./stream-source.ts";

const EVERY_MS = 1_000;
const MINUTE_MS = 60_000;
const MINUTES: Readonly<Record<TickerWindow, number>> = { "1h": 60, "4h": 240, "1d": 1_440 };

export function windowTickerStream(
  views: Views,
  market: MarketView,
  window: TickerWindow,
): StreamSource {
  const changeOf = windowChanges(views, window);
  return {
    everyMs: EVERY_MS,
    tick(emit) {
      const changed = changeOf(market);
      if (changed !== undefined) emit(changed);
    },
  };
}

/** The tickers of the markets that have changed. */
export function allWindowTickersStream(views: Views, window: TickerWindow): StreamSource {
  const changeOf = windowChanges(views, window);
  return {
    everyMs: EVERY_MS,
    tick(emit) {
      const changed = views.catalogue.markets().flatMap((market) => changeOf(market) ?? []);
      if (changed.length > 0) emit(changed);
    },
  };
}

/** A market's ticker, if the trades in the window differ from those of the last message. */
function windowChanges(views: Views, window: TickerWindow) {
  const minutes = MINUTES[window];
  const sent = new Map<number, string>();
  return (market: MarketView): object | undefined => {
    const { marketId } = market;
    const nowMs = views.nowMs();
    const traded = views.tickers.window(marketId, nowMs, minutes);
    const version = traded === undefined ? "" : Object.values(traded).join();
    if (sent.get(marketId) === version) return undefined;
    sent.set(marketId, version);
    const openTime = (Math.floor(nowMs / MINUTE_MS) - minutes + 1) * MINUTE_MS;
    const times = { openTime, closeTime: nowMs };
    const lastTicks = views.tickers.lastTicks(marketId);
    const { mini, full } = describeTraded(market, times, traded, lastTicks);
    const { priceChange, priceChangePercent, weightedAvgPrice } = full();
    return {
      e: `${window}Ticker`,
      E: nowMs,
      s: mini.symbol,
      p: priceChange,
      P: priceChangePercent,
      o: mini.openPrice,
      h: mini.highPrice,
      l: mini.lowPrice,
      c: mini.lastPrice,
      w: weightedAvgPrice,
      v: mini.volume,
      q: mini.quoteVolume,
      O: mini.openTime,
      C: mini.closeTime,
      F: mini.firstId,
      L: mini.lastId,
      n: mini.count,
    };
  };
}

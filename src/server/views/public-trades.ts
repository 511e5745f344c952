/** The newest trades of every market, without the parties. */
import type { EventOf } from "#engine/events.ts";
import type { PublicTradeRecord } from "../records/trades.ts";

const TRADES_KEPT = 100;

export class PublicTrades {
  #trades: PublicTradeRecord[][] = [];

  /** Up to `count` (at most 100) trades, newest first. */
  latest(marketId: number, count: number): PublicTradeRecord[] {
    return (this.#trades[marketId] ?? []).slice(-Math.min(count, TRADES_KEPT)).toReversed();
  }

  state() {
    return this.#trades;
  }

  restore(trades: ReturnType<PublicTrades["state"]>): void {
    this.#trades = trades;
  }

  foldTraded(event: EventOf<"traded">): void {
    const trades = (this.#trades[event.marketId] ??= []);
    const { tradeId, priceTicks, quantityLots, takerSide, timestampMs } = event;
    trades.push({ tradeId, priceTicks, quantityLots, takerSide, timestampMs });
    // Removed in blocks, so that most trades only append.
    if (trades.length >= 2 * TRADES_KEPT) trades.splice(0, trades.length - TRADES_KEPT);
  }
}

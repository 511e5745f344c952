/**
 * A match of two orders of one person that did not happen. The trade that was prevented is described
 * by the decrement of each order.
 */
import type { SelfTradePrevention } from "#engine/commands.ts";
import type { EventOf } from "#engine/events.ts";
import { fixed, RecordKind, type RecordOf } from "./record-kind.ts";

export const PREVENTED_MATCHES = new RecordKind({
  account: fixed("account").integer(),
  marketId: fixed("market_id").integer(),
  matchId: fixed("match_id").integer(),
  takerOrderId: fixed("taker_order_id").integer(),
  makerOrderId: fixed("maker_order_id").integer(),
  mode: fixed("mode").text<SelfTradePrevention>(),
  priceTicks: fixed("price_ticks").integer(),
  takerLots: fixed("taker_lots").integer(),
  makerLots: fixed("maker_lots").integer(),
  timestampMs: fixed("time").integer(),
});
export type PreventedMatchRecord = RecordOf<typeof PREVENTED_MATCHES.fields>;

export function preventedMatchOf(event: EventOf<"selfTradePrevented">): PreventedMatchRecord {
  const { account, makerLots, makerOrderId, marketId, mode, priceTicks, timestampMs } = event;
  const { matchId, takerLots, takerOrderId } = event;
  return {
    account,
    marketId,
    matchId,
    takerOrderId,
    makerOrderId,
    mode,
    priceTicks,
    takerLots,
    makerLots,
    timestampMs,
  };
}

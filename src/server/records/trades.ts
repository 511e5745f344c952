/** Trades, as published, and fills, as each party sees them. */
import type { Side } from "#engine/commands.ts";
import type { EventOf, FeeSource } from "#engine/events.ts";
import type { MarketAssets } from "#engine/accounts/postings.ts";
import type { OrderRecord } from "./orders.ts";
import { fixed, RecordKind, type RecordOf } from "./record-kind.ts";

export const TRADES = new RecordKind({
  marketId: fixed("market_id").integer(),
  tradeId: fixed("trade_id").integer(),
  sequence: fixed("sequence").integer(),
  priceTicks: fixed("price_ticks").integer(),
  quantityLots: fixed("quantity_lots").integer(),
  takerSide: fixed("taker_side").text<Side>(),
  timestampMs: fixed("time").integer(),
});
export type TradeRecord = RecordOf<typeof TRADES.fields>;
/** A trade without its market and its place in the journal. */
export type PublicTradeRecord = Omit<TradeRecord, "marketId" | "sequence">;

export const FILLS = new RecordKind({
  tradeId: fixed("trade_id").integer(),
  orderId: fixed("order_id").integer(),
  account: fixed("account").integer(),
  marketId: fixed("market_id").integer(),
  side: fixed("side").text<Side>(),
  priceTicks: fixed("price_ticks").integer(),
  quantityLots: fixed("quantity_lots").integer(),
  /** The notional, in quote units. */
  notional: fixed("quote_amount").integer(),
  /** The fee in units of its asset: base for a buyer, quote for a seller. */
  fee: fixed("fee").integer(),
  feeAssetId: fixed("fee_asset_id").integer(),
  feeBps: fixed("fee_bps").integer(),
  feeSource: fixed("fee_source").text<FeeSource>(),
  role: fixed("role").text<"maker" | "taker">(),
  timestampMs: fixed("time").integer(),
  sequence: fixed("sequence").integer(),
});
/** One party's view of a trade. */
export type FillRecord = RecordOf<typeof FILLS.fields>;

export function tradeOf(event: EventOf<"traded">): TradeRecord {
  return {
    marketId: event.marketId,
    tradeId: event.tradeId,
    sequence: event.sequence,
    priceTicks: event.priceTicks,
    quantityLots: event.quantityLots,
    takerSide: event.takerSide,
    timestampMs: event.timestampMs,
  };
}

export function fillOf(
  event: EventOf<"traded">,
  order: OrderRecord,
  role: FillRecord["role"],
  market: MarketAssets,
): FillRecord {
  return {
    tradeId: event.tradeId,
    orderId: order.orderId,
    account: order.account,
    marketId: event.marketId,
    side: order.side,
    priceTicks: event.priceTicks,
    quantityLots: event.quantityLots,
    notional: event.notional,
    fee: role === "maker" ? event.makerFee : event.takerFee,
    feeAssetId: order.side === "buy" ? market.baseAssetId : market.quoteAssetId,
    // In an auction both parties pay maker fees.
    feeBps: role === "maker" || event.auction !== undefined ? order.makerFeeBps : order.takerFeeBps,
    feeSource: order.feeSource,
    role,
    timestampMs: event.timestampMs,
    sequence: event.sequence,
  };
}

/** Rows as the records that the read models in memory have too: one shape of an order everywhere. */
import type { OrderConditions } from "#engine/commands.ts";
import type {
  FillRecord,
  LedgerEntryRecord,
  OrderRecord,
  PublicTradeRecord,
} from "../records/records.ts";
import type {
  FillsTable,
  LedgerEntriesTable,
  OrdersTable,
  TradesTable,
} from "../database/history-tables.ts";

export function orderRecord(row: OrdersTable): OrderRecord {
  return {
    orderId: row.order_id,
    account: row.account,
    marketId: row.market_id,
    clientOrderId: row.client_order_id,
    side: row.side,
    orderType: row.order_type,
    timeInForce: row.time_in_force,
    postOnly: row.post_only === 1,
    priceTicks: row.price_ticks,
    quantityLots: row.quantity_lots,
    quoteAmount: row.quote_amount,
    makerFeeBps: row.maker_fee_bps,
    takerFeeBps: row.taker_fee_bps,
    feeSource: row.fee_source,
    ...(row.conditions !== "" && { conditions: JSON.parse(row.conditions) as OrderConditions }),
    listId: row.list_id,
    waitsFor: row.waits_for,
    triggerTicks: row.trigger_ticks,
    placedAtMs: row.placed_at,
    placedSequence: row.placed_sequence,
    status: row.status,
    endReason: row.end_reason,
    filledLots: row.filled_lots,
    filledNotional: row.filled_quote,
    updatedAtMs: row.updated_at,
    updatedSequence: row.updated_sequence,
  };
}

export function fillRecord(row: FillsTable): FillRecord {
  return {
    tradeId: row.trade_id,
    orderId: row.order_id,
    account: row.account,
    marketId: row.market_id,
    side: row.side,
    priceTicks: row.price_ticks,
    quantityLots: row.quantity_lots,
    notional: row.quote_amount,
    fee: row.fee,
    feeAssetId: row.fee_asset_id,
    feeBps: row.fee_bps,
    feeSource: row.fee_source,
    role: row.role,
    timestampMs: row.time,
    sequence: row.sequence,
  };
}

export function ledgerEntryRecord(row: LedgerEntriesTable): LedgerEntryRecord {
  return {
    sequence: row.sequence,
    position: row.position,
    account: row.account,
    assetId: row.asset_id,
    amount: row.amount,
    balance: row.balance,
    reason: row.reason,
    orderId: row.order_id,
    timestampMs: row.time,
  };
}

export function publicTradeRecord(row: TradesTable): PublicTradeRecord {
  return {
    tradeId: row.trade_id,
    priceTicks: row.price_ticks,
    quantityLots: row.quantity_lots,
    takerSide: row.taker_side,
    timestampMs: row.time,
  };
}

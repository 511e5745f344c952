/**
 * Binance's report to an order's owner of an event of the order
 * (https://developers.binance.com/docs/binance-spot-api-docs/user-data-stream).
 */
import { formatDecimal } from "#contract/decimal.ts";
import type { EventOf } from "#engine/events.ts";
import { formatPrice, formatQuantity } from "../../functions/market-numbers.ts";
import type { OrderRecord } from "../../records/orders.ts";
import type { FillRecord } from "../../records/trades.ts";
import type { MarketView } from "../../views/catalogue.ts";
import { symbolOf } from "../symbols.ts";
import {
  describeFill,
  describeProgress,
  identityOf,
  type OrderStatus,
} from "../orders/describe-order.ts";

export type ExecutionType =
  | "NEW"
  | "CANCELED"
  | "REPLACED"
  | "TRADE"
  | "EXPIRED"
  | "TRADE_PREVENTION";

export interface Execution {
  readonly type: ExecutionType;
  /** The order right after the event. */
  readonly order: OrderRecord;
  /** Undefined unless the event is a trade. */
  readonly fill?: FillRecord;
  /** The prevented self-trade that changed or ended the order; undefined if none did. */
  readonly prevented?: EventOf<"selfTradePrevented"> | undefined;
  /** The status to report if it differs from the order's. */
  readonly status?: OrderStatus;
  /** The sequence of the event's command, which serves as the execution id. */
  readonly sequence: number;
  readonly timestampMs: number;
}

const NONE = -1;

export function executionReport(execution: Execution, market: MarketView) {
  const { fill, order, sequence, status, timestampMs, type } = execution;
  const { clientOrderId, orderId, orderListId, symbol } = identityOf(order, market);
  const progress = describeProgress(order, market);
  const described = fill && describeFill(fill, market);
  const { waitsFor } = order;
  return {
    e: "executionReport" as const,
    E: timestampMs,
    s: symbol,
    c: clientOrderId,
    S: progress.side,
    o: progress.type,
    f: progress.timeInForce,
    q: progress.origQty,
    p: progress.price,
    P: progress.stopPrice ?? formatPrice(0, market),
    ...(progress.trailingDelta !== undefined && { d: progress.trailingDelta }),
    ...(progress.trailingTime !== undefined && { D: progress.trailingTime }),
    ...(progress.strategyId !== undefined && { j: progress.strategyId }),
    ...(progress.strategyType !== undefined && { J: progress.strategyType }),
    F: progress.icebergQty ?? formatQuantity(0, market),
    g: orderListId,
    C: type === "CANCELED" ? clientOrderId : "",
    x: type,
    X: status ?? progress.status,
    r: "NONE",
    i: orderId,
    l: described?.qty ?? formatQuantity(0, market),
    z: progress.executedQty,
    L: described?.price ?? formatPrice(0, market),
    n: described?.commission ?? "0",
    N: described?.commissionAsset ?? null,
    T: timestampMs,
    t: fill?.tradeId ?? NONE,
    I: sequence,
    w: order.status === "open" && waitsFor === "nothing" && order.orderType === "limit",
    m: fill?.role === "maker",
    M: false,
    O: order.placedAtMs,
    Z: progress.cummulativeQuoteQty,
    Y: formatDecimal(fill?.notional ?? 0, market.quote.scale),
    Q: progress.origQuoteOrderQty,
    ...(order.workingSinceMs !== 0 && { W: order.workingSinceMs }),
    V: progress.selfTradePreventionMode,
    ...(execution.prevented !== undefined && describePrevented(execution, market)),
    ...(progress.expiryReason !== undefined && { eR: progress.expiryReason }),
  };
}

/** The order that this one met instead of trading with it, and this one's decrement. */
function describePrevented({ order, prevented }: Execution, market: MarketView) {
  if (prevented === undefined) return {};
  const { makerLots, makerOrderId, matchId, priceTicks, takerLots, takerOrderId } = prevented;
  const isTaker = order.orderId === takerOrderId;
  const quantity = formatQuantity(isTaker ? takerLots : makerLots, market);
  return {
    v: matchId,
    A: quantity,
    B: quantity,
    // Each account is a group of its own.
    u: -1,
    U: isTaker ? makerOrderId : takerOrderId,
    Cs: symbolOf(market),
    pL: formatPrice(priceTicks, market),
  };
}

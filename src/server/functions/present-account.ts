/** Converts a person's records in the read models and the history to the values of the contract. */
import { divide, formatDecimal, groupThousands, trimDecimal } from "#contract/decimal.ts";
import { orderTitle } from "#contract/order-words.ts";
import type {
  Balance,
  Fill,
  LedgerEntry,
  LedgerReason,
  Order,
  OrderStatus,
} from "#contract/types.ts";
import type { ActivityItem } from "#contract/users.ts";
import type { PostingReason } from "#engine/accounts/postings.ts";
import type { CoinView, MarketView } from "../views/catalogue.ts";
import {
  hasMoved,
  hasPostings,
  type ActivityRecord,
  type PlanChangeRecord,
  type TransferRecord,
} from "../records/activity.ts";
import type { LedgerEntryRecord } from "../records/ledger-entries.ts";
import type { OrderRecord } from "../records/orders.ts";
import type { FillRecord } from "../records/trades.ts";
import type { Views } from "../views/views.ts";
import { formatPrice, formatQuantity } from "./market-numbers.ts";
import { presentSpecial } from "./order-conditions.ts";
import { formatSettlement } from "./present-market.ts";

export function presentBalance(views: Views, account: number, coin: CoinView): Balance {
  const { assetId, definition } = coin;
  const available = views.accounts.available(account, assetId);
  const held = views.accounts.held(account, assetId);
  const value = views.valuation.valueOf(assetId, available + held);
  return {
    coin: definition.symbol,
    displayDecimals: definition.displayDecimals,
    available: formatDecimal(available, definition.scale),
    held: formatDecimal(held, definition.scale),
    total: formatDecimal(available + held, definition.scale),
    value: value === undefined ? null : formatSettlement(views, value),
  };
}

export function presentOrder(order: OrderRecord, market: MarketView): Order {
  const { quote } = market;
  return {
    orderId: order.orderId.toString(),
    clientOrderId: order.clientOrderId,
    market: market.definition.symbol,
    side: order.side,
    type: order.orderType,
    timeInForce: order.timeInForce,
    postOnly: order.postOnly,
    price: order.priceTicks === 0 ? null : formatPrice(order.priceTicks, market),
    quantity: order.quantityLots === 0 ? null : formatQuantity(order.quantityLots, market),
    quoteAmount: order.quoteAmount === 0 ? null : formatDecimal(order.quoteAmount, quote.scale),
    filledQuantity: formatQuantity(order.filledLots, market),
    filledQuote: formatDecimal(order.filledNotional, quote.scale),
    averagePrice: averagePrice(order, market),
    status: statusOf(order),
    makerFeeBps: order.makerFeeBps,
    takerFeeBps: order.takerFeeBps,
    feeSource: order.feeSource,
    placedAt: order.placedAtMs,
    updatedAt: order.updatedAtMs,
    ...(order.endReason !== "" && { endReason: order.endReason }),
    ...((order.conditions !== undefined || order.listId !== 0) && {
      special: presentSpecial(order, market),
    }),
  };
}

export function statusOf(order: Pick<OrderRecord, "status" | "filledLots">): OrderStatus {
  return order.status === "open" && order.filledLots > 0 ? "partiallyFilled" : order.status;
}

/** The average price, to the nearest hundredth of a tick, because an average rarely lies on one. */
function averagePrice(order: OrderRecord, market: MarketView): string | null {
  if (order.filledLots === 0) return null;
  const { base, quote, definition } = market;
  const decimals = market.priceDecimals + 2;
  const baseUnits = BigInt(order.filledLots) * BigInt(definition.lotUnits);
  const numerator = BigInt(order.filledNotional) * 10n ** BigInt(base.scale + decimals);
  const units = divide(numerator, baseUnits * 10n ** BigInt(quote.scale), "nearest");
  return formatDecimal(units, decimals);
}

export function presentFill(views: Views, fill: FillRecord): Fill {
  const market = views.catalogue.market(fill.marketId);
  const feeCoin = views.catalogue.coin(fill.feeAssetId).definition;
  return {
    tradeId: fill.tradeId,
    orderId: fill.orderId.toString(),
    market: market.definition.symbol,
    side: fill.side,
    price: formatPrice(fill.priceTicks, market),
    quantity: formatQuantity(fill.quantityLots, market),
    quoteAmount: formatDecimal(fill.notional, market.quote.scale),
    fee: formatDecimal(fill.fee, feeCoin.scale),
    feeCoin: feeCoin.symbol,
    feeBps: fill.feeBps,
    feeSource: fill.feeSource,
    role: fill.role,
    time: fill.timestampMs,
    sequence: fill.sequence,
  };
}

export function presentReason(reason: PostingReason): LedgerReason {
  if (reason === "participantFunding") {
    throw new Error("a person cannot be funded as a participant");
  }
  return reason;
}

export function presentLedgerEntry(views: Views, entry: LedgerEntryRecord): LedgerEntry {
  const reason = presentReason(entry.reason);
  const coin = views.catalogue.coin(entry.assetId).definition;
  return {
    id: `${entry.sequence}-${entry.position}`,
    sequence: entry.sequence,
    time: entry.timestampMs,
    coin: coin.symbol,
    amount: formatDecimal(entry.amount, coin.scale),
    balance: entry.balance,
    reason,
    orderId: entry.orderId === 0 ? null : entry.orderId.toString(),
  };
}

export function presentActivity(views: Views, row: ActivityRecord): ActivityItem {
  const id = `${row.sequence}-${row.position}`;
  const common = { id, kind: row.kind, time: row.timestampMs, sequence: row.sequence };
  switch (row.kind) {
    case "order": {
      const market = views.catalogue.market(row.order.marketId);
      const order = presentOrder(row.order, market);
      const { orderId, side, type, price, timeInForce, postOnly, special } = order;
      const { filledQuantity, averagePrice: average, endReason } = order;
      return {
        ...common,
        title: orderTitle(order),
        market: market.definition.symbol,
        coin: market.base.symbol,
        amount: null,
        status: order.status,
        postings: { orderId },
        order: {
          orderId,
          side,
          type,
          price,
          timeInForce,
          postOnly,
          ...(special !== undefined && { special }),
          filledQuantity,
          averagePrice: average,
          ...(endReason !== undefined && { endReason }),
        },
      };
    }
    case "fill":
      return { ...common, ...presentFillActivity(views, row.fill) };
    case "transfer": {
      const { assetId } = row.transfer;
      const { definition } = views.catalogue.coin(assetId);
      const amount = groupedAmount(formatDecimal(Math.abs(row.transfer.amount), definition.scale));
      return {
        ...common,
        title: titleOf(row.transfer, `${amount} ${definition.symbol}`),
        market: null,
        coin: definition.symbol,
        amount: hasMoved(row.transfer)
          ? formatDecimal(row.transfer.amount, definition.scale)
          : null,
        status: hasMoved(row.transfer) ? "completed" : row.transfer.note,
        // Taking practice funds gives one row per coin.
        postings: hasPostings(row.transfer)
          ? { sequence: row.sequence, coin: definition.symbol }
          : null,
      };
    }
    case "plan":
      return { ...common, ...presentPlanActivity(views, row.planChange) };
    default:
      throw new Error(`nothing tells ${String(row satisfies never)}`);
  }
}

/** Titles by the status that a deposit enters. */
const DEPOSIT_WORDS: Readonly<Record<string, string>> = {
  requested: "Announced a deposit of",
  credited: "Deposited",
  rejected: "Rejected: deposit of",
  cancelled: "Cancelled a deposit of",
  expired: "Expired: deposit of",
};
const WITHDRAWAL_WORDS: Readonly<Record<string, string>> = {
  held: "Requested a withdrawal of",
  approved: "Approved: withdrawal of",
  sent: "Sent: withdrawal of",
  settled: "Withdrew",
  rejected: "Rejected: withdrawal of",
  cancelled: "Cancelled a withdrawal of",
  returned: "Returned: withdrawal of",
};

/** @param amount unsigned, with its coin */
function titleOf({ amount: signed, note, reason }: TransferRecord, amount: string): string {
  switch (reason) {
    case "practiceFunds":
      return `Took ${amount} of practice funds`;
    case "adjustment":
      return `An adjustment ${signed < 0 ? "took" : "gave"} ${amount}: ${note}`;
    case "dust":
      return `Gave up ${amount}`;
    case "deposit":
      return `${DEPOSIT_WORDS[note] ?? "Deposit of"} ${amount}`;
    case "withdrawal":
      return `${WITHDRAWAL_WORDS[note] ?? "Withdrawal of"} ${amount}`;
    default:
      throw new TypeError(`no transfer is ${String(reason satisfies never)}`);
  }
}

/** Changing the plan moves no money; paying for a period does. */
function presentPlanActivity(
  views: Views,
  { planId, amount, assetId, sequence }: PlanChangeRecord,
): Omit<ActivityItem, "id" | "kind" | "time"> {
  const { name } = views.catalogue.plan(planId).definition;
  const plan = { market: null, status: "completed" };
  if (amount === 0) {
    const title = `Plan is ${name}`;
    return { ...plan, title, coin: null, amount: null, sequence: null, postings: null };
  }
  const { scale, symbol } = views.catalogue.coin(assetId).definition;
  const paid = formatDecimal(amount, scale);
  return {
    ...plan,
    title: `Paid ${groupedAmount(paid)} ${symbol} for a month of ${name}`,
    coin: symbol,
    amount: formatDecimal(0 - amount, scale),
    sequence,
    postings: { sequence },
  };
}

function groupedAmount(amount: string): string {
  return groupThousands(trimDecimal(amount));
}

/** The amount received after the fee, with its coin. */
function presentFillActivity(views: Views, fill: FillRecord) {
  const market = views.catalogue.market(fill.marketId);
  const verb = fill.side === "buy" ? "Bought" : "Sold";
  const quantity = groupedAmount(formatQuantity(fill.quantityLots, market));
  const price = groupThousands(formatPrice(fill.priceTicks, market));
  const received = views.catalogue.coin(fill.feeAssetId).definition;
  const gross =
    fill.side === "buy" ? fill.quantityLots * market.definition.lotUnits : fill.notional;
  return {
    title: `${verb} ${quantity} ${market.base.symbol} at ${price}`,
    market: market.definition.symbol,
    coin: received.symbol,
    amount: formatDecimal(gross - fill.fee, received.scale),
    status: "filled",
    postings: { orderId: fill.orderId.toString(), sequence: fill.sequence, tradeId: fill.tradeId },
  };
}

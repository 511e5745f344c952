/**
 * The sources of a user's notices: fills, ends and triggers of orders, movements of funds, alerts that
 * fired and security events. Nothing is written for a notice: each source is already on record.
 */
import { conditionWords, windowWords } from "#contract/alerts.ts";
import {
  decimalsOf,
  formatDecimal,
  groupThousands,
  roundDecimal,
  trimDecimal,
} from "#contract/decimal.ts";
import type { Notice, NoticeKind } from "#contract/notices.ts";
import { orderEnd } from "#contract/order-ends.ts";
import { orderName, orderTitle } from "#contract/order-words.ts";
import type { Firing } from "../records/price-alerts.ts";
import type { SecurityNotice } from "../notices/security-notices.ts";
import type { TransferRecord } from "../records/activity.ts";
import type { OrderRecord } from "../records/orders.ts";
import type { FillRecord } from "../records/trades.ts";
import type { Views } from "../views/views.ts";
import { formatPrice } from "./market-numbers.ts";
import { presentActivity, presentOrder } from "./present-account.ts";
import { percentOf } from "./present-market.ts";

export interface NoticeSource {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly timeMs: number;
  /**
   * True if the user was just informed otherwise, such as by the answer to an order: the notice counts
   * as read.
   */
  readonly isKnown: boolean;
  /** Called only for the notices on a page. */
  readonly present: () => Pick<Notice, "title" | "detail" | "link">;
}

/** Reasons for ends that the owner caused, or that another notice reports. */
const OWN_ENDS: ReadonlySet<string> = new Set([
  "filled",
  "byOwner",
  "replaced",
  "listEnded",
  "listExpired",
  "workingOrderExpired",
]);

/** One notice for each order that traded, however many fills it had. */
export function fillSources(views: Views, account: number): NoticeSource[] {
  const newestOf = new Map<number, FillRecord>();
  for (const fill of views.people.fills(account)) {
    if (!newestOf.has(fill.orderId)) newestOf.set(fill.orderId, fill);
  }
  return [...newestOf.values()].flatMap((fill) => {
    const order = views.people.order(account, fill.orderId);
    if (order === undefined) return [];
    return {
      id: `fill:${fill.orderId}:${fill.tradeId}`,
      kind: "fill",
      timeMs: fill.timestampMs,
      isKnown: fill.sequence === order.placedSequence,
      present: () => presentFilled(views, order, fill),
    } satisfies NoticeSource;
  });
}

/** Orders that were triggered and rest, and orders that ended without their owner's action. */
export function orderSources(views: Views, account: number): NoticeSource[] {
  return views.people.recentOrders(account).flatMap((order) => {
    const common = { kind: "order", timeMs: order.updatedAtMs } as const;
    if (order.status !== "open") {
      if (OWN_ENDS.has(order.endReason)) return [];
      return {
        ...common,
        id: `end:${order.orderId}`,
        isKnown: order.updatedSequence === order.placedSequence,
        present: () => describeEnd(views, order),
      } satisfies NoticeSource;
    }
    const isTriggered = order.conditions?.trigger !== undefined && order.waitsFor === "nothing";
    if (!isTriggered || order.filledLots > 0) return [];
    return {
      ...common,
      id: `trigger:${order.orderId}`,
      isKnown: order.updatedSequence === order.placedSequence,
      present: () => presentTriggered(views, order),
    } satisfies NoticeSource;
  });
}

/** Statuses of transfers that result from their owners' own actions. */
const OWN_STEPS: ReadonlySet<string> = new Set(["requested", "held", "cancelled"]);
/** Movements of funds that their owners caused themselves. */
const OWN_MOVES: ReadonlySet<string> = new Set(["practiceFunds", "dust"]);

/** Adjustments, deposits and withdrawals, and practice funds, which may come in several coins at once. */
export function fundSources(views: Views, account: number): NoticeSource[] {
  const bySequence = Map.groupBy(views.people.transfers(account), ({ sequence }) => sequence);
  return [...bySequence].map(([sequence, transfers]) => {
    const [{ note, reason, timestampMs }] = transfers;
    return {
      id: `funds:${sequence}`,
      kind: "funds",
      timeMs: timestampMs,
      isKnown: OWN_MOVES.has(reason) || OWN_STEPS.has(note),
      present: () => presentTransfers(views, transfers),
    };
  });
}

export function alertSources(views: Views, firings: readonly Firing[]): NoticeSource[] {
  return firings.map((firing) => ({
    id: `alert:${firing.id}`,
    kind: "alert",
    timeMs: firing.atMs,
    isKnown: false,
    present: () => presentFiring(views, firing),
  }));
}

export function securitySources(notices: readonly SecurityNotice[]): NoticeSource[] {
  return notices.map(({ event, isUsual }) => ({
    id: `security:${event.id}`,
    kind: "security",
    timeMs: event.atMs,
    isKnown: isUsual,
    present: () => ({
      title: event.title,
      // An administrator's location is not shown to users.
      detail: event.address === null || event.actorId !== null ? "" : `From ${event.address}.`,
      link: { page: "settings" },
    }),
  }));
}

type Words = ReturnType<NoticeSource["present"]>;

function presentFilled(views: Views, record: OrderRecord, fill: FillRecord): Words {
  const market = views.catalogue.market(record.marketId);
  const order = presentOrder(record, market);
  const verb = order.side === "buy" ? "Bought" : "Sold";
  const filled = groupedAmount(order.filledQuantity);
  const isPart = record.status === "open" && order.quantity !== null;
  const quantity = isPart ? `${filled} of ${groupedAmount(order.quantity ?? "")}` : filled;
  const average = groupThousands(trimTo(order.averagePrice ?? "", market.priceDecimals));
  return {
    title: `${verb} ${quantity} ${market.base.symbol}`,
    detail: `${orderName(order)}, filled at an average of ${average} ${market.quote.symbol}.`,
    link: { page: "fill", orderId: order.orderId, tradeId: fill.tradeId },
  };
}

function describeEnd(views: Views, record: OrderRecord): Words {
  const order = presentOrder(record, views.catalogue.market(record.marketId));
  return {
    title: record.status === "expired" ? "Order expired" : "Order cancelled",
    detail: `${orderTitle(order)}. ${orderEnd(order) ?? ""}`.trim(),
    link: { page: "order", orderId: order.orderId },
  };
}

function presentTriggered(views: Views, record: OrderRecord): Words {
  const order = presentOrder(record, views.catalogue.market(record.marketId));
  return {
    title: "Order triggered",
    detail: `${orderTitle(order)}. It rests in the book.`,
    link: { page: "order", orderId: order.orderId },
  };
}

const FUNDS_TITLES = {
  adjustment: "Balance adjusted",
  deposit: "Deposit",
  withdrawal: "Withdrawal",
  dust: "Balance given up",
} as const;

function presentTransfers(views: Views, transfers: readonly TransferRecord[]): Words {
  const link = { page: "activity" } as const;
  const [first] = transfers;
  if (first.reason !== "practiceFunds") {
    const { sequence, timestampMs } = first;
    const row = { kind: "transfer", transfer: first, sequence, position: 0, timestampMs } as const;
    return {
      title: FUNDS_TITLES[first.reason],
      detail: `${presentActivity(views, row).title}.`,
      link,
    };
  }
  const amounts = transfers.map(({ amount, assetId }) => {
    const { scale, symbol } = views.catalogue.coin(assetId).definition;
    return `${groupedAmount(formatDecimal(amount, scale))} ${symbol}`;
  });
  return { title: "Practice funds taken", detail: `${amounts.toReversed().join(", ")}.`, link };
}

function presentFiring(views: Views, firing: Firing): Words {
  const market = views.catalogue.market(firing.marketId);
  const { symbol } = market.definition;
  const price = (ticks: number) => groupThousands(formatPrice(ticks, market));
  const verb = firing.direction === "rise" ? "rose" : "fell";
  const link = { page: "market", market: symbol } as const;
  if (firing.targetTicks > 0) {
    const condition = {
      kind: "price",
      price: formatPrice(firing.targetTicks, market),
    } as const;
    return {
      title: `${symbol} ${verb} to ${price(firing.priceTicks)}`,
      detail: `Your alert: ${conditionWords(condition).toLowerCase()}.`,
      link,
    };
  }
  const { fromTicks, priceTicks, windowMinutes } = firing;
  const percent = percentOf(BigInt(Math.abs(priceTicks - fromTicks)), BigInt(fromTicks));
  return {
    title: `${symbol} ${verb} by ${percent} % within ${windowWords(windowMinutes)}`,
    detail: `From ${price(fromTicks)} to ${price(priceTicks)}.`,
    link,
  };
}

/** Removes trailing zeros beyond that many decimals. */
function trimTo(text: string, decimals: number): string {
  const shortest = trimDecimal(text);
  return decimalsOf(shortest) >= decimals ? shortest : roundDecimal(shortest, decimals, "nearest");
}

function groupedAmount(amount: string): string {
  return groupThousands(trimDecimal(amount));
}

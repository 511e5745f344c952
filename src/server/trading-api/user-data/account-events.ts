/**
 * Emits the messages about one account, from the journal's events alone: it keeps the account's orders
 * as of the beginning of the subscription and folds every event since. So each message describes an
 * order right after the event, however far the read models have advanced.
 */
import type { EventOf, ExchangeEvent } from "#engine/events.ts";
import { formatDecimal } from "#contract/decimal.ts";
import { orderIdsOf, type OrderListRecord, placedList } from "../../records/order-lists.ts";
import {
  applyChange,
  applyEnd,
  applyTrade,
  type OrderRecord,
  type OrderState,
  placedOrder,
} from "../../records/orders.ts";
import { fillOf } from "../../records/trades.ts";
import type { Views } from "../../views/views.ts";
import { describeBalance } from "../account/balances.ts";
import {
  contingencyOf,
  listStatusOf,
  type ListState,
  nameOfList,
} from "../orders/describe-list.ts";
import { hasExpired } from "../orders/expiry-reason.ts";
import { symbolOf } from "../symbols.ts";
import { type Execution, executionReport, type ExecutionType } from "./execution-report.ts";
import type { OrderOutcomes } from "./order-outcomes.ts";
import type { UserDataEventName } from "./user-data-events.ts";

interface Message {
  readonly e: UserDataEventName;
  readonly [field: string]: unknown;
}

function endOf(
  order: OrderRecord,
  prevented: EventOf<"selfTradePrevented"> | undefined,
): ExecutionType {
  if (prevented !== undefined) return "TRADE_PREVENTION";
  return hasExpired(order) ? "EXPIRED" : "CANCELED";
}

/** @param sequence the sequence of the command that the message is about */
export type Emit = (message: Message, sequence: number) => void;

export class AccountEvents {
  readonly #views: Views;
  readonly #account: number;
  /** Open orders. */
  readonly #orders = new Map<number, OrderState>();
  /** Lists with orders that have not ended. */
  readonly #lists = new Map<number, { list: OrderListRecord; open: Set<number> }>();
  /** Coins whose balance may differ from the one sent last. */
  readonly #changed = new Set<number>();
  #last: ExchangeEvent | undefined;
  /** The latest self-trade that was prevented; its consequences follow in the same command. */
  #prevented: EventOf<"selfTradePrevented"> | undefined;

  /** Starts from the views' present state, between commands. */
  constructor(views: Views, account: number) {
    this.#views = views;
    this.#account = account;
    for (const order of views.people.openOrders(account)) {
      this.#orders.set(order.orderId, { ...order });
    }
    for (const list of views.lists.ofAccount(account)) {
      const open = views.lists.openOrderIds(account, list.listId);
      this.#lists.set(list.listId, { list, open: new Set(open) });
    }
  }

  /**
   * Folds one event that concerns the account; must be called with all of them in order, each once.
   * @param outcomes the outcomes of the event's batch
   */
  take(event: ExchangeEvent, outcomes: OrderOutcomes, emit: Emit): void {
    this.#last = event;
    const assets = this.#changed;
    const report = (execution: Omit<Execution, "sequence" | "timestampMs">) => {
      const order = this.#withPresentTrigger(execution.order);
      const market = this.#views.catalogue.market(order.marketId);
      const { sequence, timestampMs } = event;
      emit(executionReport({ ...execution, order, sequence, timestampMs }, market), sequence);
      assets.add(market.baseAssetId).add(market.quoteAssetId);
    };
    switch (event.type) {
      case "orderPlaced": {
        const order = placedOrder(event, this.#lists.get(event.listId ?? 0)?.list);
        this.#orders.set(order.orderId, order);
        // A new order that waits is reported as waiting.
        const waiting = outcomes.waitingOf(event);
        if (waiting !== undefined) applyChange(order, waiting);
        report({ type: "NEW", order });
        break;
      }
      case "orderWaiting": {
        const order = this.#orders.get(event.orderId);
        if (order !== undefined) applyChange(order, event);
        break;
      }
      case "orderActivated": {
        const order = this.#orders.get(event.orderId);
        if (order === undefined) break;
        applyChange(order, event);
        report({ type: "NEW", order });
        break;
      }
      case "orderAmended":
      case "waitingOrderAmended": {
        const order = this.#orders.get(event.orderId);
        if (order === undefined) break;
        applyChange(order, event);
        report({ type: "REPLACED", order });
        break;
      }
      case "selfTradePrevented":
        this.#prevented = event;
        break;
      case "quantityDecremented": {
        const order = this.#orders.get(event.orderId);
        if (order === undefined) break;
        applyChange(order, event);
        report({ type: "TRADE_PREVENTION", order, prevented: this.#preventedFor(event) });
        break;
      }
      case "traded":
        this.#traded(event, outcomes, report);
        break;
      case "orderEnded": {
        const order = this.#orders.get(event.orderId);
        if (order === undefined) break;
        applyEnd(order, event);
        this.#orders.delete(order.orderId);
        // A filled order was already reported by its last trade.
        if (event.status !== "filled") {
          const prevented = event.reason === "selfTrade" ? this.#preventedFor(event) : undefined;
          report({ type: endOf(order, prevented), order, prevented });
        }
        this.#endedOfList(order, event, emit);
        break;
      }
      case "orderListPlaced": {
        const list = placedList(event);
        this.#lists.set(event.listId, { list, open: new Set(event.orderIds) });
        emit(this.#listStatus(list, "EXECUTING", event.timestampMs), event.sequence);
        break;
      }
      case "practiceFundsTaken":
      case "participantFunded":
        this.#emitChange(event, event.amount, emit);
        break;
      case "practiceFundsReclaimed":
      case "dustForfeited":
        this.#emitChange(event, 0 - event.amount, emit);
        break;
      case "planPeriodBegan":
        if (event.amount !== 0) this.#emitChange(event, 0 - event.amount, emit);
        break;
      case "adjustmentApproved":
        this.#emitChange(event, event.amount, emit);
        break;
      case "transferChanged":
        if (event.status === "credited") this.#emitChange(event, event.amount, emit);
        else if (event.status === "settled") {
          this.#emitChange(event, 0 - event.amount - event.fee, emit);
        } else if (event.kind === "withdrawal") this.#changed.add(event.assetId);
        break;
      default:
    }
  }

  /** No event reports that a trailing stop has moved: the views have it. */
  #withPresentTrigger(order: OrderRecord): OrderRecord {
    if (order.conditions?.trigger?.kind !== "trailingStop") return order;
    const known = this.#views.people.order(this.#account, order.orderId);
    return known === undefined ? order : { ...order, triggerTicks: known.triggerTicks };
  }

  /** The prevented self-trade that changed or ended the order. */
  #preventedFor({
    orderId,
    sequence,
  }: EventOf<"quantityDecremented" | "orderEnded">): EventOf<"selfTradePrevented"> | undefined {
    const prevented = this.#prevented;
    if (prevented?.sequence !== sequence) return undefined;
    const { makerOrderId, takerOrderId } = prevented;
    return orderId === takerOrderId || orderId === makerOrderId ? prevented : undefined;
  }

  #traded(
    event: EventOf<"traded">,
    outcomes: OrderOutcomes,
    report: (execution: Omit<Execution, "sequence" | "timestampMs">) => void,
  ): void {
    const market = this.#views.catalogue.market(event.marketId);
    const parties = [
      ["taker", event.takerOrderId],
      ["maker", event.makerOrderId],
    ] as const;
    for (const [role, orderId] of parties) {
      const order = this.#orders.get(orderId);
      if (order === undefined) continue;
      applyTrade(order, event);
      const fill = fillOf(event, order, role, market);
      const isLast = outcomes.isFilledBy(orderId, event);
      report({ type: "TRADE", order, fill, ...(isLast && { status: "FILLED" }) });
    }
  }

  #endedOfList(
    { listId, orderId }: OrderState,
    { sequence, timestampMs }: ExchangeEvent,
    emit: Emit,
  ): void {
    const of = this.#lists.get(listId);
    if (of === undefined) return;
    of.open.delete(orderId);
    if (of.open.size > 0) return;
    this.#lists.delete(listId);
    emit(this.#listStatus(of.list, "ALL_DONE", timestampMs), sequence);
  }

  #listStatus(list: OrderListRecord, state: ListState, timestampMs: number) {
    const { listId, marketId } = list;
    const symbol = symbolOf(this.#views.catalogue.market(marketId));
    const clientIdOf = (orderId: number) =>
      this.#orders.get(orderId)?.clientOrderId ??
      this.#views.people.order(this.#account, orderId)?.clientOrderId ??
      "";
    return {
      e: "listStatus" as const,
      E: timestampMs,
      s: symbol,
      g: listId,
      c: contingencyOf(list),
      l: listStatusOf(state),
      L: state,
      r: "NONE",
      C: nameOfList(list),
      T: timestampMs,
      O: orderIdsOf(list).map((orderId) => ({ s: symbol, i: orderId, c: clientIdOf(orderId) })),
    };
  }

  /** Changes of balances other than by trading. */
  #emitChange(
    { assetId, sequence, timestampMs }: ExchangeEvent & { readonly assetId: number },
    units: number,
    emit: Emit,
  ): void {
    const { definition } = this.#views.catalogue.coin(assetId);
    this.#changed.add(assetId);
    const message: Message = {
      e: "balanceUpdate",
      E: timestampMs,
      a: definition.symbol,
      d: formatDecimal(units, definition.scale),
      T: timestampMs,
    };
    emit(message, sequence);
  }

  /** Sends the balances of the coins that may have changed since the last call. */
  emitBalances(emit: Emit): void {
    const last = this.#last;
    if (last === undefined || this.#changed.size === 0) return;
    const { catalogue } = this.#views;
    const balances = [...this.#changed].map((assetId) => {
      const coin = catalogue.coin(assetId);
      const { asset: a, free: f, locked: l } = describeBalance(this.#views, this.#account, coin);
      return { a, f, l };
    });
    this.#changed.clear();
    const { sequence, timestampMs } = last;
    emit({ e: "outboundAccountPosition", E: timestampMs, u: timestampMs, B: balances }, sequence);
  }
}

/**
 * An exchange of every order type and market state, so simple that it can be verified against
 * docs/order-types.md by reading: one array of open orders, BigInt, no index, linear search only. For
 * each command it predicts the applicable reasons of a refusal, or else every event. house-model.ts
 * models everything around trading.
 *
 * The order of events within a command is not predicted, except as it shows in their content (trade and
 * order numbers). It shares only types with the engine.
 *
 * This file defines the order of steps: due timers, the command, the orders it activated. Each topic has
 * an order-model-*.ts of its own, which imports only those listed below it:
 *
 *   cancelling, amending      cancel all, cancel timers and freezes; changes of an order
 *   lists                     OCO, OTO, brackets
 *   placing, activating       new and replacing orders; orders whose trigger was reached
 *   refusals                  every reason against an order
 *   matching                  trades, and the order's remainder
 *   receipts                  balance limits, and the trades they prevent
 *   self-trades, markets      self-trade prevention; states of markets, breakers, terms
 *   auctions                  trades at one price when a market opens
 *   ending                    how orders and lists end
 *   holds                     amounts that an order needs, holds and pays
 *   book, triggers, icebergs  what can trade, which triggers a price reaches, visible quantities
 *   exchange                  the state that all of them read and change
 */
import type { Command, Side } from "#engine/commands.ts";
import type { Fields, Reasons } from "./model-parts.ts";
import { activate } from "./order-model-activating.ts";
import { amendOrder } from "./order-model-amending.ts";
import { book } from "./order-model-book.ts";
import {
  cancelAll,
  fireTimer,
  setAccountFreeze,
  setCancelTimer,
} from "./order-model-cancelling.ts";
import { endOrder } from "./order-model-ending.ts";
import {
  isOpen,
  modelExchange,
  ownOrder,
  type ModelExchange,
  type ModelList,
  type ModelOpening,
  type ModelOrder,
} from "./order-model-exchange.ts";
import { placeOrderList, placePending } from "./order-model-lists.ts";
import { endState, setMarketStatus, updateMarket } from "./order-model-markets.ts";
import { placeOrder, replaceOrder } from "./order-model-placing.ts";

export class OrderModel {
  readonly #exchange: ModelExchange;

  constructor(opening: ModelOpening) {
    this.#exchange = modelExchange(opening);
  }

  /**
   * The expected outcome: events in any order; for a refusal the events of due timers, and the reasons
   * that apply.
   */
  apply(command: Command, nowMs: number): { events: Fields[]; refused: Reasons | undefined } {
    const exchange = this.#exchange;
    exchange.events = [];
    exchange.nowMs = nowMs;
    exchange.house.nowMs = nowMs;
    fireDueTimers(exchange);
    const late = lateness(command, nowMs);
    const reasons = late.size > 0 ? late : carryOut(exchange, command);
    takeUp(exchange);
    return { events: exchange.events, refused: reasons.size > 0 ? reasons : undefined };
  }

  balance(account: number, asset: number, kind: "available" | "held"): bigint {
    return this.#exchange.money.of(account, asset, kind);
  }

  /** Resting orders of a side in the order in which they trade. */
  book(marketId: number, side: Side): ModelOrder[] {
    return book(this.#exchange, marketId, side);
  }
}

/** In order of time; at the same time: order expiries, cancel timers, plan periods, market states. */
function fireDueTimers(exchange: ModelExchange): void {
  for (;;) {
    const due: { atMs: number; kind: number; id: number; happen: () => void }[] = [
      ...exchange.orders.map((order) => ({
        atMs: expiryOf(order),
        kind: 0,
        id: order.id,
        happen: () => endOrder(exchange, order, "expired", "expired"),
      })),
      ...exchange.timers.map((timer) => ({
        atMs: timer.atMs,
        kind: 1,
        id: timer.account * 1_000_000 + timer.marketId,
        happen: () => fireTimer(exchange, timer),
      })),
      ...exchange.house.due().map((end) => ({ ...end, kind: 2 })),
      ...exchange.markets
        .filter(({ untilMs }) => untilMs !== 0)
        .map((market) => ({
          atMs: market.untilMs,
          kind: 3,
          id: market.id,
          happen: () => endState(exchange, market),
        })),
    ];
    const [first] = due
      .filter(({ atMs }) => atMs <= exchange.nowMs)
      .toSorted((a, b) => a.atMs - b.atMs || a.kind - b.kind || a.id - b.id);
    if (first === undefined) return;
    first.happen();
  }
}

/** A command after its time limit, or with an invalid one, is not checked further. */
function lateness(command: Command, nowMs: number): Reasons {
  const until = "validUntilMs" in command ? command.validUntilMs : undefined;
  if (until === undefined) return new Set();
  if (!Number.isInteger(until) || until > nowMs + 60_000) {
    return new Set(["invalidValidUntil", "unknownAccount"]);
  }
  return until < nowMs ? new Set(["requestExpired", "unknownAccount"]) : new Set();
}

const expiryOf = (order: ModelOrder): number => order.terms.conditions?.expiresAtMs ?? Infinity;

function carryOut(exchange: ModelExchange, command: Command): Reasons {
  switch (command.type) {
    case "placeOrder":
      return placeOrder(exchange, command, command.account, command.marketId);
    case "placeOrderList":
      return placeOrderList(
        exchange,
        command.kind,
        command.orders,
        command.account,
        command.marketId,
      );
    case "amendOrder":
      return amendOrder(exchange, command);
    case "replaceOrder":
      return replaceOrder(exchange, command);
    case "cancelOrder": {
      const order = ownOrder(exchange, command.account, command.orderId);
      if (order === undefined) return new Set(["unknownOrder", "unknownAccount"]);
      endOrder(exchange, order, "cancelled", "byOwner");
      return new Set();
    }
    case "cancelAllOrders": {
      const { account, marketId, side } = command;
      const any = cancelAll(exchange, account, marketId, side, "byOwner");
      return any ? new Set() : new Set(["unknownOrder", "unknownMarket", "unknownAccount"]);
    }
    case "setCancelTimer":
      return setCancelTimer(exchange, command.account, command.marketId, command.delayMs);
    case "adoptRules": {
      exchange.spentOrdersStop = command.spentOrdersStop;
      exchange.events.push({ ...command, type: "rulesAdopted" });
      return new Set();
    }
    case "advanceTime":
      exchange.events.push({ type: "timeAdvanced" });
      return new Set();
    case "setMarketStatus":
      return setMarketStatus(exchange, command);
    case "updateMarket":
      return updateMarket(exchange, command);
    case "setAccountFreeze":
      return setAccountFreeze(exchange, command);
    default: {
      const reasons = exchange.house.carryOut(command);
      if (reasons === undefined) throw new Error(`the model knows no ${command.type}`);
      return reasons;
    }
  }
}

/** Sends the queued orders to the market, which may queue further orders. */
function takeUp(exchange: ModelExchange): void {
  for (let order = exchange.queue.shift(); order !== undefined; order = exchange.queue.shift()) {
    order.isQueued = false;
    if (!isOpen(exchange, order)) continue;
    // If the market no longer trades, the order continues to wait.
    if (order.market.status !== "trading") continue;
    if (order.state === "pending") placePending(exchange, order.list as ModelList);
    else activate(exchange, order);
  }
}

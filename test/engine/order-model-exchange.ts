/**
 * The state of the order model: open orders in one array, the lists and cancel timers that refer to
 * them, and the events of the current command. The order-model-*.ts are functions over it.
 *
 * Invariants: `orders` contains exactly the open orders; at the end of a command `queue` is empty.
 * Never: a rule by which an order is accepted, trades or ends.
 */
import type { OrderTerms, PlanDefinition, SelfTradePrevention, Side } from "#engine/commands.ts";
import { HouseModel, type ModelCoin } from "./house-model.ts";
import type { ModelMarket } from "./market-model.ts";
import { DAY_MS, ModelMoney, type Fields } from "./model-parts.ts";

/** Longest time to an order's expiry, and longest duration of a market's state. */
export const EXPIRY_MS_MAX = 366 * DAY_MS;

/** The initial state of the model: no account has any money. */
export interface ModelOpening {
  readonly coins: readonly ModelCoin[];
  readonly markets: readonly ModelMarket[];
  readonly plans: readonly PlanDefinition[];
  /** Kinds of the accounts, by number from the first user account. */
  readonly accounts: readonly ("person" | "participant")[];
}

export interface ModelExchange {
  readonly markets: readonly ModelMarket[];
  readonly money: ModelMoney;
  readonly house: HouseModel;
  /** Open orders, in no particular order. */
  readonly orders: ModelOrder[];
  timers: CancelTimer[];
  /** Activated orders, in the order in which they are sent to the market. */
  readonly queue: ModelOrder[];
  /** Events of the current command, and of timers that were due before it. */
  events: Fields[];
  orderCount: number;
  listCount: number;
  /** Rank of the order that most recently joined a price's queue. */
  rank: number;
  nowMs: number;
  /** Whether an order stops at the first price at which it cannot pay for a lot. */
  spentOrdersStop: boolean;
}

export interface ModelOrder {
  readonly id: number;
  readonly account: number;
  readonly market: ModelMarket;
  readonly side: Side;
  terms: OrderTerms;
  readonly makerBps: bigint;
  readonly takerBps: bigint;
  price: bigint;
  total: bigint;
  /** Untraded lots, including hidden lots. */
  left: bigint;
  quoteLeft: bigint;
  shown: bigint;
  held: bigint;
  /** Amount to hold once the trigger is reached; in a pair this exceeds the order's hold. */
  needed: bigint;
  state: "pending" | "waiting" | "matching" | "resting";
  /** Time priority within the queue of its price. */
  rank: number;
  best: bigint;
  triggerAt: bigint;
  list: ModelList | undefined;
  isQueued: boolean;
}

export interface ModelList {
  readonly id: number;
  /** Undefined if the working order has filled, or the list has none. */
  working: ModelOrder | undefined;
  others: ModelOrder[];
  received: bigint;
}

export interface CancelTimer {
  readonly account: number;
  readonly marketId: number;
  readonly atMs: number;
}

export function modelExchange({ coins, markets, plans, accounts }: ModelOpening): ModelExchange {
  const money = new ModelMoney();
  const tell = (event: Fields) => void exchange.events.push(event);
  const exchange: ModelExchange = {
    markets,
    money,
    house: new HouseModel(money, coins, plans, accounts, tell),
    orders: [],
    timers: [],
    queue: [],
    events: [],
    orderCount: 0,
    listCount: 0,
    rank: 0,
    nowMs: 0,
    spentOrdersStop: false,
  };
  return exchange;
}

export function ownOrder(
  exchange: ModelExchange,
  account: number,
  orderId: number,
): ModelOrder | undefined {
  return exchange.orders.find((order) => order.id === orderId && order.account === account);
}

export function isOpen(exchange: ModelExchange, order: ModelOrder): boolean {
  return exchange.orders.includes(order);
}

/** Queues the order, which is sent to the market after the current command. */
export function setFree(exchange: ModelExchange, order: ModelOrder): void {
  order.isQueued = true;
  exchange.queue.push(order);
}

export function naming(order: ModelOrder): {
  orderId: number;
  account: number;
  marketId: number;
  side: Side;
} {
  const { account, id: orderId, market, side } = order;
  return { orderId, account, marketId: market.id, side };
}

export const mayRest = ({ timeInForce }: OrderTerms): boolean =>
  timeInForce === "gtc" || timeInForce === "gtd";
export const isWaiting = (terms: OrderTerms): boolean => terms.conditions?.trigger !== undefined;

export function modeOf(terms: OrderTerms, market: ModelMarket): SelfTradePrevention {
  const given = terms.conditions?.selfTradePrevention;
  return given ?? market.terms.selfTradePrevention ?? "expireTaker";
}

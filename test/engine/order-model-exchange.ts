/**
 * The exchange that the order model keeps: its open orders in one array, the lists and cancel timers
 * that bind them, and the events of the command at hand. The order-model-*.ts are functions over it.
 *
 * Invariants: `orders` holds what is open and nothing else; at the end of a command `queue` is empty.
 * Never: a rule by which an order is accepted, trades or ends.
 */
import type { OrderTerms, PlanDefinition, SelfTradePrevention, Side } from "#engine/commands.ts";
import { HouseModel, type ModelCoin } from "./house-model.ts";
import type { ModelMarket } from "./market-model.ts";
import { DAY_MS, ModelMoney, type Fields } from "./model-parts.ts";

/** An order lives, and a market's state lasts, no longer than this. */
export const EXPIRY_MS_MAX = 366 * DAY_MS;

/** The exchange as it is when the model begins: no account has any money. */
export interface ModelOpening {
  readonly coins: readonly ModelCoin[];
  readonly markets: readonly ModelMarket[];
  readonly plans: readonly PlanDefinition[];
  /** Of the accounts, from the first on. */
  readonly accounts: readonly ("person" | "participant")[];
}

export interface ModelExchange {
  readonly markets: readonly ModelMarket[];
  readonly money: ModelMoney;
  readonly house: HouseModel;
  /** The open ones, in no order that means anything. */
  readonly orders: ModelOrder[];
  timers: CancelTimer[];
  /** What was set free, in the order in which it is taken up. */
  readonly queue: ModelOrder[];
  /** What the command at hand has led to, and what was due before it. */
  events: Fields[];
  orderCount: number;
  listCount: number;
  /** Of the order that joined a queue last. */
  rank: number;
  nowMs: number;
}

export interface ModelOrder {
  readonly id: number;
  readonly account: number;
  readonly market: ModelMarket;
  readonly side: Side;
  readonly terms: OrderTerms;
  readonly makerBps: bigint;
  readonly takerBps: bigint;
  price: bigint;
  total: bigint;
  /** Not traded yet, hidden lots included. */
  left: bigint;
  quoteLeft: bigint;
  shown: bigint;
  held: bigint;
  /** What it needs when its trigger is reached; more than it holds in a pair. */
  needed: bigint;
  state: "pending" | "waiting" | "matching" | "resting";
  /** Where it stands in the queue of its price. */
  rank: number;
  best: bigint;
  triggerAt: bigint;
  list: ModelList | undefined;
  isQueued: boolean;
}

export interface ModelList {
  readonly id: number;
  /** Undefined where it has filled, or there is none. */
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

/** It goes to the market when the command at hand has been carried out. */
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

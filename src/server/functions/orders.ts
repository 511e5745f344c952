import type { ExchangeEvent } from "#engine/events.ts";
import type { Order, Page, PlaceOrderResult } from "#contract/types.ts";
import type { CommandOutcome } from "../exchange/exchange.ts";
import type { MarketView } from "../views/catalogue.ts";
import type { OrderRecord } from "../records/orders.ts";
import { fillOf, type FillRecord } from "../records/trades.ts";
import { cancelAllOrders } from "../exchange/cancel-all.ts";
import type { Services } from "./services.ts";
import { ensureAccount, followAccount, requireUser, submitCommand } from "./caller.ts";
import type { Contexts, Handlers } from "./handlers.ts";
import { requireLoaded } from "./loading.ts";
import { requireMarket } from "./markets.ts";
import { parseTerms } from "./order-terms.ts";
import { paginate, type RowRange, type Rows } from "./pagination.ts";
import { presentFill, presentOrder } from "./present-account.ts";
import { noSuchOrder, refused, unknownFill, unknownOrder } from "./refusals.ts";

const RECENT_MAX = 100;
/** Maximum number of fills of an order in an answer, which has only the newest. */
const FILLS_ANSWERED_MAX = 100;

export const open: Handlers["orders"]["open"] = (context, { market: symbol }) => {
  const { views } = context.services;
  const account = followAccount(context);
  const market = symbol === undefined ? undefined : requireMarket(views, symbol);
  if (account === undefined) return [];
  const orders = views.people.openOrders(account.account).toReversed();
  return present(context.services, orders, market);
};

export const recent: Handlers["orders"]["recent"] = (context, { market: symbol }) => {
  const { views } = context.services;
  const account = followAccount(context);
  const market = symbol === undefined ? undefined : requireMarket(views, symbol);
  if (account === undefined) return [];
  const orders = views.people.recentOrders(account.account);
  return present(context.services, orders, market, RECENT_MAX);
};

/** The caller's orders from the history, newest first. */
export async function readOrders(
  context: Contexts["action"],
  { market: symbol, ...page }: Parameters<Handlers["orders"]["history"]>[1],
): Promise<Page<Order>> {
  const { services } = context;
  const { views } = services;
  const account = views.accounts.ofUser(requireUser(context))?.account;
  const marketId = symbol === undefined ? undefined : requireMarket(views, symbol).marketId;
  if (account === undefined) return { items: [], cursor: null };
  await services.history.whenFresh();
  const { items, cursor } = await services.history.read.orders({ account, marketId, ...page });
  return { items: present(services, items, undefined), cursor };
}

export const history: Handlers["orders"]["history"] = (context, args) => readOrders(context, args);

export const list: Handlers["orders"]["list"] = (context, args) => {
  const { views, orderPages } = context.services;
  const { market: symbol, side, kind, status, paginationOpts } = args;
  const userId = requireUser(context);
  const account = views.accounts.ofUser(userId)?.account;
  const marketId = symbol === undefined ? undefined : requireMarket(views, symbol).marketId;
  context.dependsOn("catalogue");
  const read = (range: RowRange): Rows<OrderRecord> => {
    if (account === undefined) {
      context.dependsOn(`user:${userId}`);
      return { rows: [], from: range.from };
    }
    // New orders have higher numbers, and ended orders never change.
    const isOpen = ({ orderId }: OrderRecord) => orderId < range.below && orderId >= range.from;
    if (!Number.isFinite(range.below) || views.people.openOrders(account).some(isOpen)) {
      context.dependsOn(`account:${account}`);
    }
    return requireLoaded(orderPages.read({ userId, account, marketId, side, kind, status }, range));
  };
  const page = paginate(context, paginationOpts, read, ({ orderId }) => orderId);
  return { ...page, page: present(context.services, page.page, undefined) };
};

export const place: Handlers["orders"]["place"] = async (context, args) => {
  const { services } = context;
  const userId = requireUser(context);
  const market = requireMarket(services.views, args.market);
  const terms = parseTerms(args, market);
  const account = await ensureAccount(services, userId);
  const { marketId } = market;
  const { side, validUntil: validUntilMs } = args;
  const sizeField = args.quantity === undefined ? "quoteAmount" : "quantity";
  const command = { type: "placeOrder", account, marketId, ...terms, validUntilMs } as const;
  return placementResult(
    services,
    account,
    await submitCommand(context, command, { market, side, sizeField }),
  );
};

export const cancel: Handlers["orders"]["cancel"] = async (context, args) => {
  const { services } = context;
  const account = services.views.accounts.ofUser(requireUser(context))?.account;
  const orderId = Number(args.orderId);
  if (account === undefined || !Number.isSafeInteger(orderId)) throw unknownOrder();
  await submitCommand(context, {
    type: "cancelOrder",
    account,
    orderId,
    validUntilMs: args.validUntil,
  });
  const order = await findOrder(services, account, orderId);
  return presentOrder(order, services.views.catalogue.market(order.marketId));
};

export const cancelAll: Handlers["orders"]["cancelAll"] = async (
  context,
  args,
): Promise<{ cancelled: number }> => {
  const { services, idempotencyKey } = context;
  const { views, exchange } = services;
  const account = views.accounts.ofUser(requireUser(context))?.account;
  const marketId = args.market === undefined ? 0 : requireMarket(views, args.market).marketId;
  if (account === undefined) return { cancelled: 0 };
  const scope = { account, marketId, side: args.side, validUntilMs: args.validUntil };
  const outcome = await cancelAllOrders(exchange, scope, idempotencyKey);
  if (outcome.rejected !== undefined) throw refused(outcome.rejected);
  const { cancelled, repeatedSequence } = outcome;
  if (repeatedSequence === undefined) return { cancelled };
  const before = views.people
    .recentOrders(account)
    .filter((order) => order.status === "cancelled" && order.updatedSequence === repeatedSequence);
  return { cancelled: cancelled + before.length };
};

function present(
  services: Services,
  orders: readonly OrderRecord[],
  market: MarketView | undefined,
  max = Infinity,
): Order[] {
  return orders
    .filter(({ marketId }) => market === undefined || marketId === market.marketId)
    .slice(0, max)
    .map((order) => presentOrder(order, services.views.catalogue.market(order.marketId)));
}

/** The order that the command placed, or that the first of several equal requests placed. */
export async function placementResult(
  services: Services,
  account: number,
  outcome: CommandOutcome,
): Promise<PlaceOrderResult> {
  const { views } = services;
  for (const event of outcome.events) {
    if (event.type === "orderPlaced") {
      const order = await findOrder(services, account, event.orderId);
      const market = views.catalogue.market(order.marketId);
      return placeOrderResult(services, order, fillsIn(outcome.events, order, market));
    }
    if (event.type === "requestRepeated" && event.orderId !== 0) {
      const order = await findOrder(services, account, event.orderId);
      return placeOrderResult(services, order, await newestFillsOf(services, order));
    }
  }
  throw new Error(`the command ${outcome.sequence} was accepted but placed no order`);
}

/**
 * The fills of an order by one command, including trades with orders that the command triggered.
 */
export function fillsIn(
  events: readonly ExchangeEvent[],
  order: OrderRecord,
  market: MarketView,
): FillRecord[] {
  const fills: FillRecord[] = [];
  for (const event of events) {
    if (event.type !== "traded") continue;
    if (event.takerOrderId === order.orderId) fills.push(fillOf(event, order, "taker", market));
    else if (event.makerOrderId === order.orderId) {
      fills.push(fillOf(event, order, "maker", market));
    }
  }
  return fills;
}

/** @param fills oldest first; only the newest FILLS_ANSWERED_MAX are returned */
export function placeOrderResult(
  services: Services,
  order: OrderRecord,
  fills: readonly FillRecord[],
): PlaceOrderResult {
  const { views } = services;
  return {
    order: presentOrder(order, views.catalogue.market(order.marketId)),
    fills: fills.slice(-FILLS_ANSWERED_MAX).map((fill) => presentFill(views, fill)),
  };
}

/**
 * Finds an order in memory, or in the history if it ended long ago.
 * @throws FunctionError unknownOrder, also for another user's order
 */
export async function findOrder(
  services: Services,
  account: number,
  orderId: number,
): Promise<OrderRecord> {
  const known = services.views.people.order(account, orderId);
  if (known !== undefined) return known;
  await services.history.whenFresh();
  const past = await services.history.read.order(account, orderId);
  if (past === undefined) throw noSuchOrder();
  return past;
}

/**
 * The account's order with this client order id: the open order, or the newest order if none is
 * open.
 * @throws FunctionError unknownOrder
 */
export async function findOrderByClientId(
  { views, history }: Services,
  account: number,
  clientOrderId: string,
): Promise<OrderRecord> {
  const known = views.people.orderByClientId(account, clientOrderId);
  if (known !== undefined) return known;
  await history.whenFresh();
  const past = await history.read.orderByClientId(account, clientOrderId);
  if (past === undefined) throw noSuchOrder();
  return past;
}

/**
 * The newest fills, at most FILLS_ANSWERED_MAX, oldest first: from memory if present, otherwise
 * from the history.
 */
async function newestFillsOf(services: Services, order: OrderRecord): Promise<FillRecord[]> {
  const { account, orderId } = order;
  const known = services.views.people
    .fills(account)
    .filter((fill) => fill.orderId === orderId)
    .toReversed();
  const filledLots = known.reduce((sum, fill) => sum + fill.quantityLots, 0);
  if (known.length >= FILLS_ANSWERED_MAX || filledLots === order.filledLots) return known;
  await services.history.whenFresh();
  return await services.history.read.fillsOfOrder(account, orderId, FILLS_ANSWERED_MAX);
}

/**
 * One fill of an order: from memory, or from the history if it is old.
 * @throws FunctionError unknownFill
 */
export async function findFill(
  services: Services,
  { account, orderId }: OrderRecord,
  tradeId: number,
): Promise<FillRecord> {
  const known = services.views.people
    .fills(account)
    .find((fill) => fill.orderId === orderId && fill.tradeId === tradeId);
  if (known !== undefined) return known;
  await services.history.whenFresh();
  const past = await services.history.read.fill(account, orderId, tradeId);
  if (past === undefined) throw unknownFill();
  return past;
}

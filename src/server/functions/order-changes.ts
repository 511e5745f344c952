/** Changing and replacing orders, placing order lists, and the timer that cancels all orders. */
import type { Lots, Ticks } from "#engine/amount.ts";
import type { RejectReason } from "#engine/reject-reasons.ts";
import type { OrderListResult } from "#contract/types.ts";
import type { OrderRecord } from "../records/orders.ts";
import type { MarketView } from "../views/catalogue.ts";
import { ensureAccount, requireUser, submitCommand } from "./caller.ts";
import type { Handlers } from "./handlers.ts";
import { type AmendedFields, refusedAmendment } from "./amend-refusals.ts";
import { parsePrice, parseQuantity, parseQuoteAmount } from "./market-numbers.ts";
import { requireFewParts } from "./order-conditions.ts";
import { requireMarket } from "./markets.ts";
import { within } from "./function-error.ts";
import { parseTerms } from "./order-terms.ts";
import { fillsIn, findOrder, placementResult, placeOrderResult } from "./orders.ts";
import { presentOrder } from "./present-account.ts";
import { invalidArgument, refused, unknownOrder } from "./refusals.ts";
import type { Services } from "./services.ts";

/** Reasons that refuse the replacement as such, not its new order. */
const REPLACEMENT_REASONS: ReadonlySet<RejectReason> = new Set<RejectReason>([
  "unknownOrder",
  "invalidReplacement",
  "invalidValidUntil",
  "requestExpired",
]);

export const amend: Handlers["orders"]["amend"] = async (context, args) => {
  const { idempotencyKey, services } = context;
  const account = services.views.accounts.ofUser(requireUser(context))?.account;
  const orderId = Number(args.orderId);
  const known = account === undefined ? undefined : services.views.people.order(account, orderId);
  if (account === undefined || known === undefined) throw unknownOrder();
  const { orderId: _id, validUntil, ...fields } = args;
  if (Object.values(fields).every((value) => value === undefined)) {
    throw invalidArgument(
      "quantity",
      "A new term is required to change an order, such as its price.",
    );
  }
  const market = services.views.catalogue.market(known.marketId);
  const command = { account, orderId, ...parseAmendment(fields, market), validUntilMs: validUntil };
  for (const { conditions = {} } of ordersOfOneQuantity(services, known)) {
    requireFewParts(command.quantityLots, conditions);
  }
  const { events, rejected } = await services.exchange.submit(
    { type: "amendOrder", everyKind: true, ...command },
    idempotencyKey,
  );
  if (rejected !== undefined) throw refusedAmendment(rejected, fields, known, market);
  const order = await findOrder(services, account, orderId);
  return placeOrderResult(services, order, fillsIn(events, order, market));
};

function parseAmendment(fields: AmendedFields, market: MarketView) {
  const { price, quantity, quoteAmount, trailBps, triggerPrice } = fields;
  return {
    priceTicks: price === undefined ? (0 as Ticks) : parsePrice(price, market),
    quantityLots: quantity === undefined ? (0 as Lots) : parseQuantity(quantity, market),
    ...(quoteAmount !== undefined && { quoteAmount: parseQuoteAmount(quoteAmount, market) }),
    ...(triggerPrice !== undefined && {
      triggerTicks: parsePrice(triggerPrice, market, "triggerPrice"),
    }),
    ...(trailBps !== undefined && { trailBps }),
  };
}

/**
 * The order and, if it belongs to a pair, the other order of the pair: an amended quantity applies
 * to both.
 */
function ordersOfOneQuantity({ views }: Services, order: OrderRecord): readonly OrderRecord[] {
  if (order.listId === 0) return [order];
  const isPending = ({ waitsFor }: OrderRecord) => waitsFor === "workingOrder";
  return views.people
    .openOrders(order.account)
    .filter((other) => other.listId === order.listId && isPending(other) === isPending(order));
}

export const replace: Handlers["orders"]["replace"] = async (context, args) => {
  const { services, idempotencyKey } = context;
  const userId = requireUser(context);
  const market = within("order", () => requireMarket(services.views, args.order.market));
  const order = within("order", () => parseTerms(args.order, market));
  const account = await ensureAccount(services, userId);
  const outcome = await services.exchange.submit(
    {
      type: "replaceOrder",
      account,
      orderId: Number(args.orderId),
      mode: args.mode,
      marketId: market.marketId,
      order,
      validUntilMs: args.validUntil,
    },
    idempotencyKey,
  );
  const { rejected } = outcome;
  if (rejected !== undefined && REPLACEMENT_REASONS.has(rejected)) throw refused(rejected);
  if (rejected !== undefined) {
    const sizeField = args.order.quantity === undefined ? "quoteAmount" : "quantity";
    within("order", () => {
      throw refused(rejected, { market, side: args.order.side, sizeField });
    });
  }
  return placementResult(services, account, outcome);
};

export const placeList: Handlers["orders"]["placeList"] = async (
  context,
  args,
): Promise<OrderListResult> => {
  const { services } = context;
  const userId = requireUser(context);
  const market = requireMarket(services.views, args.market);
  const orders = args.orders.map((terms, index) =>
    within(`orders.${index}`, () => parseTerms(terms, market, args.kind !== "oco" && index > 0)),
  );
  const account = await ensureAccount(services, userId);
  const { marketId } = market;
  const { kind, validUntil: validUntilMs } = args;
  const outcome = await submitCommand(
    context,
    { type: "placeOrderList", account, marketId, kind, orders, validUntilMs },
    { market },
  );
  const first = await placementResult(services, account, outcome);
  const { listId } = await findOrder(services, account, Number(first.order.orderId));
  const present = services.views.people
    .recentOrders(account)
    .filter((order) => order.listId === listId)
    .toSorted((a, b) => a.orderId - b.orderId)
    .map((order) => presentOrder(order, market));
  return { listId: listId.toString(), orders: present, fills: first.fills };
};

export const cancelAfter: Handlers["orders"]["cancelAfter"] = async (
  context,
  args,
): Promise<{ firesAt: number | null }> => {
  const { market: symbol, delayMs, validUntil: validUntilMs } = args;
  const { services } = context;
  const userId = requireUser(context);
  const marketId = symbol === undefined ? 0 : requireMarket(services.views, symbol).marketId;
  const account = await ensureAccount(services, userId);
  const command = { type: "setCancelTimer", account, marketId, delayMs, validUntilMs } as const;
  const { events } = await submitCommand(context, command);
  const set = events.find((event) => event.type === "cancelTimerSet");
  return { firesAt: set === undefined || set.firesAtMs === 0 ? null : set.firesAtMs };
};

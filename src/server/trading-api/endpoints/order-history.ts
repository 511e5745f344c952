/** The history of the caller's orders and amendments. */
import { z } from "zod";
import { formatQuantity } from "../../functions/market-numbers.ts";
import { checkPeriod } from "../account/period.ts";
import { endpoint, RowsAnswer } from "../endpoint.ts";
import { describeOrder } from "../orders/describe-order.ts";
import { noSuchOrder } from "../orders/order-refusals.ts";
import { count, limitUpTo, orderId, symbol, time } from "../parameters.ts";
import { marketOf, symbolOf } from "../symbols.ts";

const HOURS_MAX = 24;
const ROWS_MAX = 1_000;
const ROWS = 500;

/** Open and ended orders; the times are those of placement. */
export const allOrders = endpoint({
  method: "GET",
  path: "/api/v3/allOrders",
  summary: "Orders of the caller in a market, open and ended.",
  security: "userData",
  weight: 20,
  errors: [-1127, -1130],
  parameters: z.object({
    symbol,
    orderId: orderId.optional(),
    startTime: time.optional(),
    endTime: time.optional(),
    limit: limitUpTo(ROWS_MAX, ROWS),
  }),
  async answer({ views, history }, given, { account }) {
    const market = marketOf(views, given.symbol);
    const { orderId: fromId, startTime: fromMs, endTime: toMs, limit } = given;
    checkPeriod(given, HOURS_MAX);
    const reads = await history.readsCaughtUpTo(views.people.lastSequence(account));
    const { marketId } = market;
    const orders = await reads.orderRange({ account, marketId, fromId, fromMs, toMs, limit });
    return RowsAnswer.of(orders, (order) => describeOrder(order, market));
  },
});

/** An amendment's id is the sequence of its command. */
export const amendments = endpoint({
  method: "GET",
  path: "/api/v3/order/amendments",
  summary: "How the quantity of an order of the caller was changed.",
  security: "userData",
  weight: 4,
  errors: [-2013],
  parameters: z.object({
    symbol,
    orderId,
    fromExecutionId: count.default(0),
    limit: limitUpTo(ROWS_MAX, ROWS),
  }),
  async answer({ views, history }, given, { account }) {
    const market = marketOf(views, given.symbol);
    const { orderId, fromExecutionId: fromSequence, limit } = given;
    const reads = await history.readsCaughtUpTo(views.people.lastSequence(account));
    const order = await reads.order(account, orderId);
    if (order?.marketId !== market.marketId) throw noSuchOrder();
    const amended = await reads.amendments({ account, orderId, fromSequence, limit });
    return RowsAnswer.of(amended, (change) => ({
      symbol: symbolOf(market),
      orderId,
      executionId: change.sequence,
      origClientOrderId: order.clientOrderId,
      newClientOrderId: order.clientOrderId,
      origQty: formatQuantity(change.previousQuantityLots, market),
      newQty: formatQuantity(change.quantityLots, market),
      time: change.timestampMs,
    }));
  },
});

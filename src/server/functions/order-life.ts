import { candleOpenTime, INTERVAL_MS, nextCandleOpenTime } from "#contract/candle-intervals.ts";
import type { OrderLife } from "#contract/order-life.ts";
import type { CandleInterval } from "#contract/types.ts";
import type { OrderRecord } from "../records/orders.ts";
import type { MarketView } from "../views/catalogue.ts";
import { requireUser } from "./caller.ts";
import type { Handlers } from "./handlers.ts";
import { formatPrice } from "./market-numbers.ts";
import { orderSteps } from "./order-steps.ts";
import { findOrder } from "./orders.ts";
import { presentOrder } from "./present-account.ts";
import { noSuchOrder } from "./refusals.ts";
import type { Services } from "./services.ts";

/**
 * Maximum number of candles for an order's life; the shortest interval with no more candles is
 * used.
 */
const CANDLES_MAX = 900;
const INTERVALS: readonly CandleInterval[] = ["1m", "1h", "1d"];

/** The life of one of the caller's orders. Orders of other users are reported as unknown. */
export const life: Handlers["orders"]["life"] = async (context, args): Promise<OrderLife> => {
  const { services } = context;
  const { views, history } = services;
  const account = views.accounts.ofUser(requireUser(context))?.account;
  const orderId = Number(args.orderId);
  if (account === undefined || !Number.isSafeInteger(orderId)) throw noSuchOrder();
  const order = await findOrder(services, account, orderId);
  const newestSequence = views.people.lastSequence(account);
  await history.whenFresh();
  // Before reading: rows that are projected in the meantime may be missing from the answer.
  const isComplete = history.projectedSequence >= newestSequence;
  const market = views.catalogue.market(order.marketId);
  const record = await history.read.orderLife(order);
  const { fills, placedTogether, replaces, replacedBy } = record;
  const filledLots = fills.reduce((sum, fill) => sum + fill.quantityLots, 0);
  return {
    order: presentOrder(order, market),
    isComplete,
    steps: orderSteps(views, order, record),
    omittedFills: isComplete && filledLots < order.filledLots,
    linked: placedTogether.map((other) => presentOrder(other, market)),
    replaces: replaces?.toString() ?? null,
    replacedBy: replacedBy?.toString() ?? null,
    tradedRange: await tradedRange(services, order, market),
    base: { coin: market.base.symbol, scale: market.base.scale },
    quote: { coin: market.quote.symbol, scale: market.quote.scale },
  };
};

/**
 * Reads all candles that overlap the order's life, because a candle does not contain the times of its
 * prices.
 */
async function tradedRange(
  { history, views }: Services,
  { marketId, placedAtMs, updatedAtMs, status }: OrderRecord,
  market: MarketView,
): Promise<OrderLife["tradedRange"]> {
  const isOpen = status === "open";
  const until = isOpen ? views.nowMs() : updatedAtMs;
  const interval =
    INTERVALS.find((each) => (until - placedAtMs) / INTERVAL_MS[each] <= CANDLES_MAX) ?? "1d";
  const from = nextCandleOpenTime(interval, candleOpenTime(interval, placedAtMs - 1));
  const to = isOpen ? until : candleOpenTime(interval, until);
  if (from >= to) return null;
  const page = await history.read.candles({ marketId, interval, before: to, limit: CANDLES_MAX });
  const candles = page.filter(({ openTime }) => openTime >= from);
  if (candles.length === 0) return null;
  return {
    lowest: formatPrice(Math.min(...candles.map(({ lowTicks }) => lowTicks)), market),
    highest: formatPrice(Math.max(...candles.map(({ highTicks }) => highTicks)), market),
    from,
    to,
  };
}

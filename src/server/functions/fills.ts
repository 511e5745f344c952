import type { Fill, Page } from "#contract/types.ts";
import type { FillProof } from "#contract/fill-proof.ts";
import { selectedEntries } from "./accounts.ts";
import { followAccount, requireUser } from "./caller.ts";
import type { Contexts, Handlers } from "./handlers.ts";
import { requireMarket } from "./markets.ts";
import { findFill, findOrder } from "./orders.ts";
import { presentFill, presentLedgerEntry, presentOrder } from "./present-account.ts";
import { noSuchOrder } from "./refusals.ts";

const RECENT_MAX = 100;
const OF_ORDER_MAX = 200;

export const recent: Handlers["fills"]["recent"] = (context, { market: symbol, side }) => {
  const { views } = context.services;
  const account = followAccount(context);
  const market = symbol === undefined ? undefined : requireMarket(views, symbol);
  if (account === undefined) return [];
  return views.people
    .fills(account.account)
    .filter(
      (fill) =>
        (market === undefined || fill.marketId === market.marketId) &&
        (side === undefined || fill.side === side),
    )
    .slice(0, RECENT_MAX)
    .map((fill) => presentFill(views, fill));
};

/** The caller's fills, newest first. */
export async function readFills(
  context: Contexts["action"],
  { market: symbol, ...page }: Parameters<Handlers["fills"]["history"]>[1],
): Promise<Page<Fill>> {
  const { views, history: past } = context.services;
  const account = views.accounts.ofUser(requireUser(context))?.account;
  const marketId = symbol === undefined ? undefined : requireMarket(views, symbol).marketId;
  if (account === undefined) return { items: [], cursor: null };
  await past.whenFresh();
  const { items, cursor } = await past.read.fills({ account, marketId, ...page });
  return { items: items.map((fill) => presentFill(views, fill)), cursor };
}

export const history: Handlers["fills"]["history"] = (context, args) => readFills(context, args);

export const ofOrder: Handlers["fills"]["ofOrder"] = async (context, { orderId: orderText }) => {
  const { services } = context;
  const account = services.views.accounts.ofUser(requireUser(context))?.account;
  const orderId = Number(orderText);
  if (account === undefined || !Number.isSafeInteger(orderId)) throw noSuchOrder();
  await findOrder(services, account, orderId);
  await services.history.whenFresh();
  const fills = await services.history.read.fillsOfOrder(account, orderId, OF_ORDER_MAX);
  return fills.map((fill) => presentFill(services.views, fill));
};

/**
 * One of the caller's fills, with its order and its postings. Fills of other users are reported as
 * unknown.
 */
export const record: Handlers["fills"]["record"] = async (
  context,
  { orderId: orderText, tradeId },
): Promise<FillProof> => {
  const { services } = context;
  const { views } = services;
  const account = views.accounts.ofUser(requireUser(context))?.account;
  const orderId = Number(orderText);
  if (account === undefined || !Number.isSafeInteger(orderId)) throw noSuchOrder();
  const order = await findOrder(services, account, orderId);
  const fill = await findFill(services, order, tradeId);
  const market = views.catalogue.market(order.marketId);
  // Without the postings, the proof of a genuine fill would fail.
  await services.history.readsCaughtUpTo(fill.sequence);
  const entries = await selectedEntries(services, account, {
    orderId: orderText,
    sequence: fill.sequence,
    tradeId,
  });
  return {
    fill: presentFill(views, fill),
    order: presentOrder(order, market),
    base: { coin: market.base.symbol, scale: market.base.scale },
    quote: { coin: market.quote.symbol, scale: market.quote.scale },
    postings: entries.map((entry) => presentLedgerEntry(views, entry)),
  };
};

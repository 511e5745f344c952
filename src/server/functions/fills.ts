import { followAccount, requireUser } from "./caller.ts";
import type { Handlers } from "./handlers.ts";
import { requireMarket } from "./markets.ts";
import { presentFill } from "./present-account.ts";

const SHOWN = 100;

export const recent: Handlers["fills"]["recent"] = (context, { market: symbol }) => {
  const { views } = context.services;
  const account = followAccount(context);
  const market = symbol === undefined ? undefined : requireMarket(views, symbol);
  if (account === undefined) return [];
  return views.people
    .fills(account.account)
    .filter(({ marketId }) => market === undefined || marketId === market.marketId)
    .slice(0, SHOWN)
    .map((fill) => presentFill(views, fill));
};

export const history: Handlers["fills"]["history"] = async (
  context,
  { market: symbol, cursor: from, limit },
) => {
  const { views, history: past } = context.services;
  const account = views.accounts.ofUser(requireUser(context));
  const marketId = symbol === undefined ? undefined : requireMarket(views, symbol).marketId;
  if (account === undefined) return { items: [], cursor: null };
  await past.whenFresh();
  const page = await past.read.fills({
    account: account.account,
    marketId,
    cursor: from,
    limit,
  });
  return { items: page.items.map((fill) => presentFill(views, fill)), cursor: page.cursor };
};

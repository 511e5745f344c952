import { z } from "zod";
import type { Fill, Page } from "#contract/types.ts";
import { followAccount, requireUser } from "./caller.ts";
import { action, query } from "./define.ts";
import { requireMarket } from "./markets.ts";
import { presentFill } from "./present-account.ts";
import { cursor, marketSymbol, pageLimit } from "./schemas.ts";

const SHOWN = 100;
const PAGE_SIZE = 50;

/** Newest first. */
export const recent = query(
  z.strictObject({ market: marketSymbol.optional() }),
  (context, { market: symbol }): Fill[] => {
    const { views } = context.services;
    const account = followAccount(context);
    const market = symbol === undefined ? undefined : requireMarket(views, symbol);
    if (account === undefined) return [];
    return views.people
      .fills(account.account)
      .filter(({ marketId }) => market === undefined || marketId === market.marketId)
      .slice(0, SHOWN)
      .map((fill) => presentFill(views, fill));
  },
);

/** Newest first. */
export const history = action(
  z.strictObject({
    market: marketSymbol.optional(),
    cursor: cursor.optional(),
    limit: pageLimit.optional(),
  }),
  async (context, { market: symbol, cursor: from, limit = PAGE_SIZE }): Promise<Page<Fill>> => {
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
  },
);

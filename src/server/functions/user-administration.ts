/** What administrators ask about users. Everybody else is refused. */
import { z } from "zod";
import type { UserListPage, UserSummary } from "#contract/types.ts";
import { USER_SORTS } from "#contract/types.ts";
import { requireAdmin } from "./caller.ts";
import { action, query } from "./define.ts";
import { presentBalance } from "./present-account.ts";
import { formatSettlement } from "./present-market.ts";
import { pageLimit } from "./schemas.ts";

const PAGE_SIZE = 50;
const SEARCH_LENGTH_MAX = 100;
const USER_ID_LENGTH_MAX = 100;
const OFFSET_MAX = 10_000_000;

/** Everybody who has an account, also who never traded. */
export const list = action(
  z.strictObject({
    search: z.string().max(SEARCH_LENGTH_MAX).optional(),
    role: z.enum(["admin", "user"]).optional(),
    banned: z.boolean().optional(),
    sort: z.enum(USER_SORTS).optional(),
    descending: z.boolean().optional(),
    offset: z.number().int().min(0).max(OFFSET_MAX).optional(),
    limit: pageLimit.optional(),
  }),
  async (
    context,
    { sort = "createdAt", descending = true, offset = 0, limit = PAGE_SIZE, ...filters },
  ): Promise<UserListPage> => {
    requireAdmin(context);
    const { accounts } = context.services;
    return accounts.listUsers({ ...filters, sort, descending, offset, limit });
  },
);

/** What a user has at the exchange; null where nothing was ever opened for that id. */
export const summary = query(
  z.strictObject({ userId: z.string().min(1).max(USER_ID_LENGTH_MAX) }),
  (context, { userId }): UserSummary | null => {
    requireAdmin(context);
    const { views } = context.services;
    const account = views.accounts.ofUser(userId);
    context.dependsOn(account === undefined ? `user:${userId}` : `account:${account.account}`);
    context.dependsOn("catalog");
    if (account === undefined) return null;
    context.dependsOn("prices");
    return {
      plan: views.catalog.plan(account.planId).definition.name,
      settlementCoin: views.settlementCoin,
      equity: formatSettlement(views, views.portfolios.equity(account.account)),
      openOrders: views.people.openOrderCount(account.account),
      isFrozen: account.isFrozen,
      balances: views.catalog
        .coins()
        .filter((coin) => views.accounts.total(account.account, coin.assetId) > 0)
        .map((coin) => presentBalance(views, account.account, coin)),
    };
  },
);

/** What administrators ask about users. Everybody else is refused. */
import type { UserSummary } from "#contract/types.ts";
import { requireAdmin } from "./caller.ts";
import type { Handlers } from "./handlers.ts";
import { presentBalance } from "./present-account.ts";
import { formatSettlement } from "./present-market.ts";

export const list: Handlers["users"]["list"] = async (context, filters) => {
  requireAdmin(context);
  const { accounts } = context.services;
  return accounts.listUsers(filters);
};

export const summary: Handlers["users"]["summary"] = (context, { userId }): UserSummary | null => {
  requireAdmin(context);
  const { views } = context.services;
  const account = views.accounts.ofUser(userId);
  context.dependsOn(account === undefined ? `user:${userId}` : `account:${account.account}`);
  context.dependsOn("catalogue");
  if (account === undefined) return null;
  context.dependsOn("prices");
  return {
    plan: views.catalogue.plan(account.planId).definition.name,
    settlementCoin: views.settlementCoin,
    equity: formatSettlement(views, views.portfolios.equity(account.account)),
    openOrders: views.people.openOrderCount(account.account),
    isFrozen: account.isFrozen,
    balances: views.catalogue
      .coins()
      .filter((coin) => views.accounts.total(account.account, coin.assetId) > 0)
      .map((coin) => presentBalance(views, account.account, coin)),
  };
};

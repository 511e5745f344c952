import { divide } from "#contract/decimal.ts";
import type { CurrentUser, UserSummary } from "#contract/users.ts";
import { followAccount } from "./caller.ts";
import type { Handlers } from "./handlers.ts";
import { DEFAULT_PLAN_ID, feesNow } from "./plan-offers.ts";
import { presentBalance } from "./present-account.ts";
import { formatSettlement, settlementScale } from "./present-market.ts";
import { practiceFundsNextAt } from "./practice-funds.ts";

export const current: Handlers["users"]["current"] = (context): CurrentUser | null => {
  const { services, identity, dependsOn } = context;
  if (identity === null) return null;
  dependsOn(`user:${identity.subject}`);
  const profile = services.accounts.profileOf(identity.subject);
  if (profile === null) return null;
  const { views, config } = services;
  const account = followAccount(context);
  dependsOn("prices");
  const equity = account === undefined ? 0n : views.portfolios.equity(account.account);
  const plan = views.catalogue.plan(account?.planId ?? DEFAULT_PLAN_ID).definition;
  const { makerFeeBps, takerFeeBps } = feesNow(views, account);
  const { id, role, name, lastname, email, emailVerified } = profile;
  return {
    id,
    role,
    name,
    lastname,
    email,
    emailVerified,
    balance: roundDownToCents(equity, settlementScale(views)),
    plan: {
      slug: plan.slug,
      name: plan.name,
      makerFeeBps,
      takerFeeBps,
    },
    practiceFundsNextAt: practiceFundsNextAt(services, profile),
    practiceFunds: config.PRACTICE_FUNDS,
  };
};

/** Rounded down to two decimals, so that a balance is never shown too high. */
function roundDownToCents(units: bigint, scale: number): number {
  if (scale <= 2) return Number(units) / 10 ** scale;
  return Number(divide(units, 10n ** BigInt(scale - 2), "down")) / 100;
}

export const list: Handlers["users"]["list"] = async (context, filters) => {
  const { accounts } = context.services;
  return accounts.listUsers(filters);
};

export const summary: Handlers["users"]["summary"] = (context, { userId }): UserSummary | null => {
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

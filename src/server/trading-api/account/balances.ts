/** The caller's balances and permissions. */
import { formatDecimal } from "#contract/decimal.ts";
import type { ApiKeyGrant } from "../../api-keys/key-gate.ts";
import type { CoinView } from "../../views/catalogue.ts";
import type { Views } from "../../views/views.ts";
import { describeRates, ratesOfPlan } from "./commission.ts";

/** `GET /api/v3/account`. */
export function describeAccount(
  views: Views,
  { account, permissions }: Pick<ApiKeyGrant, "account" | "permissions">,
  omitZeroBalances: boolean,
) {
  const rates = ratesOfPlan(views, account);
  const owner = views.accounts.account(account);
  const [newestEntry] = views.people.ledgerEntries(account);
  const coins = views.catalogue
    .coins()
    .filter(({ assetId }) => !omitZeroBalances || views.accounts.total(account, assetId) !== 0);
  return {
    makerCommission: rates.makerFeeBps,
    takerCommission: rates.takerFeeBps,
    buyerCommission: 0,
    sellerCommission: 0,
    commissionRates: describeRates(rates),
    canTrade: permissions.includes("trade") && owner?.isFrozen === false,
    canWithdraw: false,
    canDeposit: false,
    brokered: false,
    requireSelfTradePrevention: true,
    preventSor: false,
    updateTime: newestEntry?.timestampMs ?? owner?.openedAtMs ?? 0,
    accountType: "SPOT",
    balances: coins.map((coin) => describeBalance(views, account, coin)),
    permissions: ["SPOT"],
    uid: account,
  };
}

/** An item of `balances`: an exact amount, with all decimals of the coin. */
export function describeBalance(views: Views, account: number, { assetId, definition }: CoinView) {
  return {
    asset: definition.symbol,
    free: formatDecimal(views.accounts.available(account, assetId), definition.scale),
    locked: formatDecimal(views.accounts.held(account, assetId), definition.scale),
  };
}

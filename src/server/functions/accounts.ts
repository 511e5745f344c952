import { z } from "zod";
import type { Amount } from "#engine/amount.ts";
import { formatDecimal, parseDecimal } from "#contract/decimal.ts";
import type { Balance, Decimal, LedgerEntry } from "#contract/types.ts";
import type { AccountView } from "../views/ledger-accounts.ts";
import { ensureAccount, followAccount, requireUser } from "./caller.ts";
import { action, mutation, query } from "./define.ts";
import { presentBalance, presentLedgerEntry } from "./present-account.ts";
import { refused } from "./refusals.ts";
import { noArguments } from "./schemas.ts";

const DAY_MS = 86_400_000;
/** No account has this number: whoever has none owns nothing. */
const NO_ACCOUNT = 0;

/** Every coin of the catalogue, zero balances included. */
export const balances = query(noArguments, (context): Balance[] => {
  const { views } = context.services;
  const account = followAccount(context);
  context.dependsOn("prices");
  return views.catalog
    .coins()
    .map((coin) => presentBalance(views, account?.account ?? NO_ACCOUNT, coin));
});

export const takePracticeFunds = mutation(
  noArguments,
  async (context): Promise<{ coin: string; amount: Decimal }> => {
    const { services, idempotencyKey } = context;
    const { views, exchange, config } = services;
    const account = await ensureAccount(services, requireUser(context));
    const coin = views.catalog.coinBySymbol(views.settlementCoin);
    if (coin === undefined) throw refused("unknownAsset");
    const { scale, symbol } = coin.definition;
    const amount = Number(parseDecimal(config.PRACTICE_FUNDS, scale)) as Amount;
    const outcome = await exchange.submit(
      { type: "takePracticeFunds", account, assetId: coin.assetId, amount },
      idempotencyKey,
    );
    if (outcome.rejected !== undefined) throw refused(outcome.rejected);
    return { coin: symbol, amount: formatDecimal(amount, scale) };
  },
);

/** The ledger entries of one journal sequence that belong to the caller. */
export const ledgerEntries = action(
  z.strictObject({ sequence: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
  async (context, { sequence }): Promise<LedgerEntry[]> => {
    const { views, history } = context.services;
    const account = views.accounts.ofUser(requireUser(context));
    if (account === undefined) return [];
    const recent = views.people.ledgerEntriesOf(account.account, sequence);
    if (recent === undefined) await history.whenFresh();
    const entries = recent ?? (await history.read.ledgerEntries(account.account, sequence));
    return entries.map((entry) => presentLedgerEntry(views, entry));
  },
);

/** Once per UTC day. Milliseconds since 1970 at which it is possible again; null when at once. */
export function practiceFundsNextAt(account: AccountView, nowMs: number): number | null {
  if (account.practiceFundsAtMs === 0) return null;
  const nextAt = (Math.floor(account.practiceFundsAtMs / DAY_MS) + 1) * DAY_MS;
  return nextAt <= nowMs ? null : nextAt;
}

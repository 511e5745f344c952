import { formatDecimal } from "#contract/decimal.ts";
import type { StatementCoin } from "#contract/types.ts";
import type { StatementSums } from "../history/statement-reader.ts";
import type { Views } from "../views/views.ts";
import { requireUser } from "./caller.ts";
import type { Handlers } from "./handlers.ts";
import { presentReason } from "./present-account.ts";
import { invalidArgument } from "./refusals.ts";

export const statement: Handlers["accounts"]["statement"] = async (context, { from, to }) => {
  const { views, history } = context.services;
  const account = views.accounts.ofUser(requireUser(context))?.account;
  if (from > to) throw invalidArgument("from", "from must not be later than to.");
  if (account === undefined) return { from, to, coins: [] };
  await history.whenFresh();
  const sums = await history.read.statement({ account, fromMs: from, toMs: to });
  const coins = sums.map((sum) => presentCoin(views, sum));
  return { from, to, coins: coins.filter(isWorthALine) };
};

function presentCoin(views: Views, sums: StatementSums): StatementCoin {
  const { symbol, scale } = views.catalogue.coin(sums.assetId).definition;
  return {
    coin: symbol,
    opening: formatDecimal(sums.opening, scale),
    closing: formatDecimal(sums.closing, scale),
    closingHeld: formatDecimal(sums.closingHeld, scale),
    lines: [...sums.reasons]
      // Between available and held: no net change.
      .filter(([reason]) => reason !== "hold" && reason !== "release")
      .map(([reason, { amount, entries }]) => ({
        reason: presentReason(reason),
        amount: formatDecimal(amount, scale),
        entries,
      })),
  };
}

function isWorthALine({ opening, closing, lines }: StatementCoin): boolean {
  return lines.length > 0 || /[1-9]/.test(opening) || /[1-9]/.test(closing);
}

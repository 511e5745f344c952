import { candleOpenTime, nextCandleOpenTime } from "#contract/candle-intervals.ts";
import { formatDecimal } from "#contract/decimal.ts";
import type { Statement, StatementCoin } from "#contract/types.ts";
import type { HistoryReads } from "../history/reads.ts";
import type { StatementSums } from "../history/readers/statement-reader.ts";
import type { Views } from "../views/views.ts";
import { followAccount, requireUser } from "./caller.ts";
import type { Contexts, Handlers } from "./handlers.ts";
import { presentReason } from "./present-account.ts";
import { invalidArgument } from "./refusals.ts";

export const statement: Handlers["accounts"]["statement"] = async (context, { from, to }) => {
  if (from > to) throw invalidArgument("from", "from must not be later than to.");
  const [found] = await statementsBetween(context, [from, to]);
  return found ?? { from, to, coins: [] };
};

export const statementMonths: Handlers["accounts"]["statementMonths"] = (context) => {
  const account = followAccount(context);
  return account === undefined
    ? []
    : monthsOf(context.services.views, account.account).toReversed();
};

/** One statement for each period between successive times; none without an account. */
export async function statementsBetween(
  context: Contexts["action"],
  boundsMs: readonly number[],
): Promise<Statement[]> {
  const { views, history } = context.services;
  const account = views.accounts.ofUser(requireUser(context))?.account;
  if (account === undefined) return [];
  const reads = await history.readsCaughtUpTo(views.people.lastSequence(account));
  return readStatements(views, reads, account, boundsMs);
}

/** Statements of any account, unlike `statementsBetween`. */
export async function readStatements(
  views: Views,
  reads: Pick<HistoryReads, "statements">,
  account: number,
  boundsMs: readonly number[],
): Promise<Statement[]> {
  const periods = await reads.statements({ account, boundsMs });
  return periods.map((sums, index) => ({
    from: boundsMs[index],
    to: boundsMs[index + 1],
    coins: sums.map((sum) => presentCoin(views, sum)).filter(isReported),
  }));
}

/** The starts of the account's months, in UTC, oldest first: from its opening until now. */
export function monthsOf(views: Views, account: number): number[] {
  const months: number[] = [];
  const openedAtMs = views.accounts.account(account)?.openedAtMs ?? views.nowMs();
  for (
    let month = candleOpenTime("1M", openedAtMs);
    month <= views.nowMs();
    month = nextCandleOpenTime("1M", month)
  ) {
    months.push(month);
  }
  return months;
}

function presentCoin(views: Views, sums: StatementSums): StatementCoin {
  const { symbol, scale } = views.catalogue.coin(sums.assetId).definition;
  return {
    coin: symbol,
    opening: formatDecimal(sums.opening, scale),
    closing: formatDecimal(sums.closing, scale),
    closingHeld: formatDecimal(sums.closingHeld, scale),
    lines: [...sums.reasons]
      // Moves between available and held, without a net change.
      .filter(([reason]) => reason !== "hold" && reason !== "release")
      .map(([reason, { amount, entries }]) => ({
        reason: presentReason(reason),
        amount: formatDecimal(amount, scale),
        entries,
      })),
  };
}

function isReported({ opening, closing, lines }: StatementCoin): boolean {
  return lines.length > 0 || /[1-9]/.test(opening) || /[1-9]/.test(closing);
}

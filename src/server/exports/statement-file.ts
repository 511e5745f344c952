/**
 * Exports the caller's statements, oldest first: for each month (in UTC) and coin, the opening
 * balance, the changes by reason and the closing balance. Opening balance and changes add up to the
 * closing balance.
 */
import { z } from "zod";
import { nextCandleOpenTime } from "#contract/candle-intervals.ts";
import { requireUser } from "../functions/caller.ts";
import { monthsOf, statementsBetween } from "../functions/statements.ts";
import { type ColumnsOf, csvFile, isoTime } from "./export-file.ts";

interface Line {
  readonly month: string;
  readonly coin: string;
  readonly line: string;
  readonly amount: string;
  readonly entries?: number;
}

const COLUMNS: ColumnsOf<Line> = {
  month: ({ month }) => month,
  coin: ({ coin }) => coin,
  line: ({ line }) => line,
  amount: ({ amount }) => amount,
  entries: ({ entries }) => entries,
};
const MONTH_LENGTH = "2026-11".length;

/** `month` such as "2026-11"; if absent, all months. */
const args = z.strictObject({
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .optional(),
});

export const statementFile = csvFile(COLUMNS, args, async (context, { month }) => {
  const { views } = context.services;
  const account = views.accounts.ofUser(requireUser(context))?.account;
  const begins = account === undefined ? [] : monthsOf(views, account);
  const chosen = month === undefined ? begins : begins.filter((begin) => nameOf(begin) === month);
  const last = chosen.at(-1);
  if (last === undefined) return { items: [], cursor: null };
  const statements = await statementsBetween(context, [...chosen, nextCandleOpenTime("1M", last)]);
  const items = statements.flatMap(({ from, coins }) => {
    const month = nameOf(from);
    return coins.flatMap(({ coin, opening, closing, lines }): Line[] => [
      { month, coin, line: "opening", amount: opening },
      ...lines.map(({ reason, amount, entries }) => ({
        month,
        coin,
        line: reason,
        amount,
        entries,
      })),
      { month, coin, line: "closing", amount: closing },
    ]);
  });
  return { items, cursor: null };
});

function nameOf(monthMs: number): string {
  return isoTime(monthMs).slice(0, MONTH_LENGTH);
}

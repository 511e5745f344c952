/** Past prices, from the public trades. */
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";

/** The market's last price in ticks before a command; 0 before its first trade. */
export async function readTicksBefore(
  read: Kysely<Tables>,
  marketId: number,
  sequence: number,
): Promise<number> {
  const tradeUpTo = async (tradeId: number) =>
    await read
      .selectFrom("trades")
      .select(["trade_id", "sequence", "price_ticks"])
      .where("market_id", "=", marketId)
      .where("trade_id", "<=", tradeId)
      .orderBy("trade_id", "desc")
      .limit(1)
      .executeTakeFirst();
  // Trades are numbered in the order of their sequences: a search by halves reads few of many.
  let low = 0;
  let high = (await tradeUpTo(Number.MAX_SAFE_INTEGER))?.trade_id ?? 0;
  let ticks = 0;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const trade = await tradeUpTo(middle);
    if (trade !== undefined && trade.sequence >= sequence) {
      high = trade.trade_id - 1;
      continue;
    }
    low = middle;
    ticks = trade?.price_ticks ?? 0;
  }
  return ticks;
}

/**
 * Removes old trades of the simulation from the tables: trades in which no person took part. Most
 * rows of a simulated market are of this kind, and they are not read after some days; the journal
 * has them all.
 *
 * A trade also stays if it was the market's last one when a person traded, paid or was paid:
 * profits and tax files value such events at the price of that moment. A few rows are removed at
 * a time, so that neither the projection nor the database waits.
 */
import { sql, type Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";

/** Exchange time between two passes over the trades. */
const PASS_EVERY_MS = 60 * 60_000;
const ROWS_PER_STEP = 2_000;

/** The sequence, and its timestamp, up to which the tables are complete. */
interface Reached {
  readonly sequence: number;
  readonly time: number;
}

interface Options {
  readonly write: Kysely<Tables>;
  /** How long trades of the simulation stay, in milliseconds. */
  readonly keptMs: number;
  readonly rowsPerStep?: number;
}

export class SimulatedTrades {
  readonly #write: Kysely<Tables>;
  readonly #keptMs: number;
  readonly #rowsPerStep: number;
  /** The last trade examined in each market: all earlier trades that are left stay. */
  readonly #checkedUpTo = new Map<number, number>();
  /** The markets left in the current pass, and the time up to which trades may be removed. */
  #markets: number[] = [];
  #untilMs = 0;
  #nextPassMs = 0;

  constructor({ write, keptMs, rowsPerStep = ROWS_PER_STEP }: Options) {
    this.#write = write;
    this.#keptMs = keptMs;
    this.#rowsPerStep = rowsPerStep;
  }

  /**
   * Removes some trades, or begins a pass if one is due. The tables must include everything up to
   * `reached`.
   * @param simulatedMarkets their numbers
   * @returns whether there is more to do in this pass
   */
  async step(reached: Reached, simulatedMarkets: Iterable<number>): Promise<boolean> {
    if (this.#markets.length === 0) {
      if (reached.time < this.#nextPassMs) return false;
      this.#nextPassMs = reached.time + PASS_EVERY_MS;
      this.#untilMs = reached.time - this.#keptMs;
      this.#markets = [...simulatedMarkets];
    }
    const [marketId] = this.#markets;
    if (marketId === undefined) return false;
    const { lastTradeId, isWhole } = await this.#removeFrom(marketId, reached);
    // Noted only now: the step may have failed, and is then repeated.
    if (lastTradeId !== undefined) this.#checkedUpTo.set(marketId, lastTradeId);
    if (isWhole) this.#markets.shift();
    return this.#markets.length > 0;
  }

  async #removeFrom(
    marketId: number,
    reached: Reached,
  ): Promise<{ lastTradeId: number | undefined; isWhole: boolean }> {
    const fromTradeId = this.#checkedUpTo.get(marketId) ?? 0;
    return this.#write.transaction().execute(async (transaction) => {
      if (!(await isStillOurs(transaction, reached))) {
        return { lastTradeId: undefined, isWhole: true };
      }
      const rows = await transaction
        .selectFrom("trades")
        .select("trade_id")
        .where("market_id", "=", marketId)
        .where("trade_id", ">=", fromTradeId)
        .where("time", "<", this.#untilMs)
        .orderBy("trade_id")
        .limit(this.#rowsPerStep)
        .execute();
      const lastTradeId = rows.at(-1)?.trade_id;
      if (lastTradeId === undefined) return { lastTradeId, isWhole: true };
      // The last row has no successor here: it is the first of the next step.
      await sql`
        delete from trades where market_id = ${marketId} and trade_id in (
          select trade_id from (
            select trade_id, sequence, lead(sequence) over (order by trade_id) as next_sequence
            from trades
            where market_id = ${marketId} and trade_id between ${fromTradeId} and ${lastTradeId}
          ) as old
          where next_sequence is not null and not exists (
            select 1 from activity
            where activity.sequence between old.sequence and old.next_sequence
              and activity.kind <> 'order'
          )
        )`.execute(transaction);
      return { lastTradeId, isWhole: rows.length < this.#rowsPerStep };
    });
  }
}

/**
 * Runs first in the transaction, so that waiting for other writers happens here and nowhere else.
 */
async function isStillOurs(transaction: Kysely<Tables>, reached: Reached): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("history_progress")
    .set({ sequence: reached.sequence })
    .where("id", "=", 1)
    .where("sequence", "=", reached.sequence)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

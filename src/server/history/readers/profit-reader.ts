/**
 * Computes the cost and the realised profit of each coin of an account, by average cost or first
 * in, first out, from all its fills, transfers and plan fees in their order. By average cost the
 * result equals that of views/portfolios.ts, which is kept up to date with events; this reader can
 * also count within a range, and by the other method.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { CostMethod } from "#contract/enumerations.ts";
import type { ActivityTable } from "../../database/history-tables.ts";
import type { Tables } from "../../database/tables.ts";
import { hasMoved } from "../../records/activity.ts";
import { acquireUnits, disposeOfUnits, FifoPosition } from "../../records/cost-basis.ts";
import { type FillRecord, FILLS } from "../../records/trades.ts";
import type { MarketView } from "../../views/catalogue.ts";
import { quoteValue } from "../../views/valuation.ts";
import { readInTurns } from "./pages.ts";
import { readTicksBefore } from "./trade-reader.ts";

export interface ProfitQuery {
  readonly account: number;
  readonly method: CostMethod;
  /** Realised profits, fees and volumes count from this time; milliseconds since 1970 UTC. */
  readonly fromMs: number;
  readonly settlementAssetId: number;
  readonly markets: readonly MarketView[];
}

/** Sums of one coin other than the settlement coin; money in settlement units. */
export interface CoinProfitSums {
  readonly assetId: number;
  readonly quantity: number;
  readonly cost: bigint;
  readonly realisedProfit: bigint;
  /** Fees paid in the coin's markets. */
  readonly feesPaid: bigint;
  /** Units bought and sold, before fees. */
  readonly bought: bigint;
  readonly sold: bigint;
}

export interface ProfitSums {
  /** Sorted by asset number. */
  readonly coins: readonly CoinProfitSums[];
  readonly planFees: bigint;
  /** Units deposited less units withdrawn, by asset, over all time. */
  readonly deposited: ReadonlyMap<number, bigint>;
}

/** Prices read at once; each is searched among all trades of its market. */
const PRICES_PER_TURN = 32;

export async function readProfits(read: Kysely<Tables>, query: ProfitQuery): Promise<ProfitSums> {
  const profits = new Profits(read, query);
  const moves = transfersAndPlanFees(read, query.account);
  let move = await moves.next();
  for await (const fill of fillsOf(read, query.account)) {
    while (move.done !== true && move.value.sequence <= fill.sequence) {
      await profits.foldMove(move.value);
      move = await moves.next();
    }
    await profits.foldFill(fill);
  }
  for (; move.done !== true; move = await moves.next()) await profits.foldMove(move.value);
  return profits.sums();
}

/** A holding of one coin, whichever the cost method. */
interface Holding {
  readonly quantity: number;
  readonly cost: bigint;
  readonly realisedProfit: bigint;
  acquire(units: number, cost: bigint): void;
  dispose(units: number, proceeds: bigint): void;
}

class AveragePosition implements Holding {
  quantity = 0;
  cost = 0n;
  realisedProfit = 0n;

  acquire(units: number, cost: bigint): void {
    acquireUnits(this, units, cost);
  }
  dispose(units: number, proceeds: bigint): void {
    disposeOfUnits(this, units, proceeds);
  }
}

class CoinProfit {
  readonly holding: Holding;
  realisedBefore = 0n;
  feesPaid = 0n;
  bought = 0n;
  sold = 0n;

  constructor(method: CostMethod) {
    this.holding = method === "fifo" ? new FifoPosition() : new AveragePosition();
  }
}

class Profits {
  readonly #read: Kysely<Tables>;
  #pricesRead = 0;
  readonly #query: ProfitQuery;
  readonly #markets: ReadonlyMap<number, MarketView>;
  /** The market that values each asset, as in views/valuation.ts. */
  readonly #valued = new Map<number, MarketView>();
  readonly #coins = new Map<number, CoinProfit>();
  readonly #deposited = new Map<number, bigint>();
  #planFees = 0n;
  #isInRange = false;

  constructor(read: Kysely<Tables>, query: ProfitQuery) {
    this.#read = read;
    this.#query = query;
    this.#markets = new Map(query.markets.map((market) => [market.marketId, market]));
    for (const market of query.markets) {
      if (market.quoteAssetId === query.settlementAssetId) {
        this.#valued.set(market.baseAssetId, market);
      }
    }
  }

  async foldFill(fill: FillRecord): Promise<void> {
    this.#beginRange(fill.timestampMs);
    const market = this.#markets.get(fill.marketId);
    if (market === undefined) throw new Error(`no market ${fill.marketId}`);
    const { baseAssetId, quoteAssetId } = market;
    const base = this.#coin(baseAssetId);
    const units = fill.quantityLots * market.definition.lotUnits;
    const value = await this.#valueBefore(quoteAssetId, fill.notional, fill.sequence);
    const isBuy = fill.side === "buy";
    const feeInQuote = isBuy ? Number(quoteValue(market, fill.fee, fill.priceTicks)) : fill.fee;
    const fee = await this.#valueBefore(quoteAssetId, feeInQuote, fill.sequence);
    if (isBuy) {
      base.holding.acquire(units - fill.fee, value);
      this.#holdingOf(quoteAssetId)?.dispose(fill.notional, value);
    } else {
      base.holding.dispose(units, value - fee);
      this.#holdingOf(quoteAssetId)?.acquire(fill.notional - fill.fee, value - fee);
    }
    if (!this.#isInRange) return;
    base.feesPaid += fee;
    if (isBuy) base.bought += BigInt(units);
    else base.sold += BigInt(units);
  }

  /** Folds a transfer, or the fee of a plan. */
  async foldMove({
    kind,
    asset_id: assetId,
    amount,
    sequence,
    time,
  }: ActivityTable): Promise<void> {
    if (amount === 0) return;
    this.#beginRange(time);
    const isOut = kind === "plan" || amount < 0;
    const units = Math.abs(amount);
    const value = await this.#valueBefore(assetId, units, sequence);
    if (kind === "plan") {
      if (this.#isInRange) this.#planFees += value;
    } else {
      this.#deposited.set(assetId, (this.#deposited.get(assetId) ?? 0n) + BigInt(amount));
    }
    if (isOut) this.#holdingOf(assetId)?.dispose(units, value);
    else this.#holdingOf(assetId)?.acquire(units, value);
  }

  sums(): ProfitSums {
    this.#beginRange(Number.POSITIVE_INFINITY);
    const coins = Array.from(this.#coins, ([assetId, coin]): CoinProfitSums => {
      const { quantity, cost, realisedProfit } = coin.holding;
      const { realisedBefore, feesPaid, bought, sold } = coin;
      const realised = realisedProfit - realisedBefore;
      return { assetId, quantity, cost, realisedProfit: realised, feesPaid, bought, sold };
    });
    return {
      coins: coins.toSorted((left, right) => left.assetId - right.assetId),
      planFees: this.#planFees,
      deposited: this.#deposited,
    };
  }

  #beginRange(timeMs: number): void {
    if (this.#isInRange || timeMs < this.#query.fromMs) return;
    this.#isInRange = true;
    for (const coin of this.#coins.values()) coin.realisedBefore = coin.holding.realisedProfit;
  }

  #coin(assetId: number): CoinProfit {
    const known = this.#coins.get(assetId);
    if (known !== undefined) return known;
    const coin = new CoinProfit(this.#query.method);
    this.#coins.set(assetId, coin);
    return coin;
  }

  /** The holding of an asset; undefined for the settlement coin, which is its own cost. */
  #holdingOf(assetId: number): Holding | undefined {
    return assetId === this.#query.settlementAssetId ? undefined : this.#coin(assetId).holding;
  }

  /** The value of units of an asset in settlement units, at the last price before a command. */
  async #valueBefore(assetId: number, units: number, sequence: number): Promise<bigint> {
    if (assetId === this.#query.settlementAssetId) return BigInt(units);
    const market = this.#valued.get(assetId);
    if (market === undefined) return 0n;
    // On SQLite reads are answered in this turn, and every other read waits for it.
    if (++this.#pricesRead % PRICES_PER_TURN === 0) await nextTurn();
    const ticks = await readTicksBefore(this.#read, market.marketId, sequence);
    return quoteValue(market, units, ticks);
  }
}

/** An account's fills, oldest first. */
async function* fillsOf(read: Kysely<Tables>, account: number): AsyncGenerator<FillRecord> {
  const fills = read.selectFrom("fills").selectAll().where("account", "=", account);
  for await (const rows of readInTurns(fills, ["sequence", "trade_id"])) {
    yield* rows.map(FILLS.fromRow);
  }
}

/** An account's transfers that moved money, and changes of plan, oldest first. */
async function* transfersAndPlanFees(
  read: Kysely<Tables>,
  account: number,
): AsyncGenerator<ActivityTable, void> {
  // Each kind by its index, since an account may have very many rows of other kinds.
  const transfers = activityOf(read, account, "transfer");
  const plans = activityOf(read, account, "plan");
  let [transfer, plan] = [await transfers.next(), await plans.next()];
  while (transfer.done !== true || plan.done !== true) {
    if (plan.done === true || (transfer.done !== true && isBefore(transfer.value, plan.value))) {
      if (transfer.done !== true && hasMoved(transfer.value)) yield transfer.value;
      transfer = await transfers.next();
    } else {
      yield plan.value;
      plan = await plans.next();
    }
  }
}

function isBefore(one: ActivityTable, other: ActivityTable): boolean {
  if (one.sequence !== other.sequence) return one.sequence < other.sequence;
  return one.position < other.position;
}

/** An account's activity of a kind, oldest first. */
async function* activityOf(
  read: Kysely<Tables>,
  account: number,
  kind: ActivityTable["kind"],
): AsyncGenerator<ActivityTable, void> {
  const ofKind = read
    .selectFrom("activity")
    .selectAll()
    .where("account", "=", account)
    .where("kind", "=", kind);
  for await (const rows of readInTurns(ofKind, ["sequence", "position"])) yield* rows;
}

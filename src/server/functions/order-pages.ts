/**
 * Pages of an account's orders in ranges of order numbers, for queries. Open and recently ended
 * orders are in memory. Older orders have ended and never change, so a range of them is read from
 * the history once and cached for the next runs of its query.
 *
 * Invariant: the orders read at a sequence and the orders in memory are together all orders of a
 * range, as long as memory has every order that ended after that sequence.
 */
import type { OrderKind, Side } from "#contract/enumerations.ts";
import type { OrderStatus } from "#contract/types.ts";
import { decodeCursor, encodeCursor } from "../database/cursor.ts";
import type { History } from "../history/history.ts";
import { FairQueue } from "../limits/fair-queue.ts";
import { clientKeyOf } from "../limits/client-key.ts";
import { kindOfOrder, type OrderRecord } from "../records/orders.ts";
import type { Views } from "../views/views.ts";
import type { RowRange, Rows } from "./pagination.ts";
import { statusOf } from "./present-account.ts";
import { RecentFailures } from "./recent-failures.ts";

/** Cached orders of all accounts; about 20 MB. */
const ROWS_KEPT_MAX = 20_000;
/** How long an error is kept for the callers that wait for a failed read; later callers read again. */
const FAILURE_KEPT_MS = 1_000;

const READ_QUEUE = {
  what: "pages of orders",
  underWay: 4,
  underWayPerClient: 1,
  waiting: 1_000,
  waitingPerClient: 64,
} as const;

export interface OrdersSelection {
  readonly userId: string;
  readonly account: number;
  readonly marketId: number | undefined;
  readonly side: Side | undefined;
  readonly kind: OrderKind | undefined;
  readonly status: OrderStatus | undefined;
}

/** A range as read from the history. */
interface Loaded {
  /** The history included at least all events up to this sequence. */
  readonly sequence: number;
  readonly orders: readonly OrderRecord[];
  /** From this order number on, the range is complete. */
  readonly from: number;
  /** The limit with which it was read. */
  readonly limit: number;
}

export class OrderPages {
  readonly #views: Views;
  readonly #history: Pick<History, "readsCaughtUpTo" | "projectedSequence">;
  readonly #queue = new FairQueue(READ_QUEUE);
  /** Most recently read last. */
  readonly #loaded = new Map<string, Loaded>();
  readonly #loading = new Map<string, Promise<void>>();
  readonly #failures: RecentFailures;
  #rowsKept = 0;

  /** @param nowMs a monotonic clock */
  constructor(
    views: Views,
    history: Pick<History, "readsCaughtUpTo" | "projectedSequence">,
    nowMs = () => performance.now(),
  ) {
    this.#views = views;
    this.#history = history;
    this.#failures = new RecentFailures(FAILURE_KEPT_MS, nowMs);
  }

  /**
   * The orders, newest first; or, while older orders are being read, a promise: call again when it
   * settles.
   * @throws the error of the failed read
   */
  read(selection: OrdersSelection, range: RowRange): Rows<OrderRecord> | Promise<void> {
    const { people } = this.#views;
    const { account, marketId, side, kind, status } = selection;
    const selected = people
      .recentOrders(account)
      .filter((order) => isIn(range, order) && matches(selection, order));
    const keptAfter = people.endedKeptAfter(account);
    // All open orders are in memory.
    if (keptAfter === 0 || isOpen(status)) return cutToRange(selected, range, range.from);
    const key = JSON.stringify([account, marketId, side, kind, status, range.below]);
    const loaded = this.#loaded.get(key);
    if (loaded !== undefined && loaded.sequence >= keptAfter) {
      const rows = cutToRange(this.#merge(account, loaded, selected, range), range, loaded.from);
      const isEnough = rows.rows.length === range.limit || loaded.limit >= range.limit;
      if (isEnough || loaded.from <= range.from) return rows;
    }
    this.#failures.throwIfFailed(key);
    const loading = this.#loading.get(key) ?? this.#load(key, selection, range);
    this.#loading.set(key, loading);
    return loading;
  }

  /** Joins loaded orders with those in memory, whose state is current; all others have ended. */
  #merge(
    account: number,
    loaded: Loaded,
    selected: readonly OrderRecord[],
    range: RowRange,
  ): OrderRecord[] {
    const { people } = this.#views;
    const older = loaded.orders.filter(
      (order) => isIn(range, order) && people.order(account, order.orderId) === undefined,
    );
    return [...selected, ...older].toSorted((one, other) => other.orderId - one.orderId);
  }

  async #load(key: string, selection: OrdersSelection, range: RowRange): Promise<void> {
    const { userId, ...selected } = selection;
    const { below, from, limit } = range;
    try {
      const loaded = await this.#queue.run(clientKeyOf(userId, ""), async () => {
        const reads = await this.#history.readsCaughtUpTo(
          this.#views.people.endedKeptAfter(selected.account),
        );
        const sequence = this.#history.projectedSequence;
        const cursor = Number.isFinite(below) ? encodeCursor([below]) : undefined;
        const page = await reads.orders({ ...selected, from, cursor, limit });
        const readFrom = page.cursor === null ? from : decodeCursor(page.cursor, 1)[0];
        return { sequence, orders: page.items, from: readFrom, limit };
      });
      this.#keep(key, loaded);
    } catch (error) {
      this.#failures.add(key, error);
    } finally {
      this.#loading.delete(key);
    }
  }

  #keep(key: string, loaded: Loaded): void {
    this.#forget(key);
    this.#loaded.set(key, loaded);
    this.#rowsKept += sizeOf(loaded);
    for (const oldest of this.#loaded.keys()) {
      if (this.#rowsKept <= ROWS_KEPT_MAX || oldest === key) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const loaded = this.#loaded.get(key);
    if (loaded === undefined) return;
    this.#rowsKept -= sizeOf(loaded);
    this.#loaded.delete(key);
  }
}

/** An empty range needs room too. */
function sizeOf({ orders }: Loaded): number {
  return orders.length + 1;
}

/** @param knownFrom below this number there may be more orders than the given ones */
function cutToRange(
  orders: readonly OrderRecord[],
  range: RowRange,
  knownFrom: number,
): Rows<OrderRecord> {
  const known = orders.filter(({ orderId }) => orderId >= knownFrom);
  if (known.length <= range.limit) return { rows: known, from: knownFrom };
  const rows = known.slice(0, range.limit);
  return { rows, from: rows[rows.length - 1].orderId };
}

function isIn({ below, from }: RowRange, { orderId }: OrderRecord): boolean {
  return orderId < below && orderId >= from;
}

function matches(selection: OrdersSelection, order: OrderRecord): boolean {
  const { kind, marketId, side, status } = selection;
  if (marketId !== undefined && order.marketId !== marketId) return false;
  if (side !== undefined && order.side !== side) return false;
  if (kind !== undefined && kindOfOrder(order) !== kind) return false;
  return status === undefined || statusOf(order) === status;
}

function isOpen(status: OrderStatus | undefined): boolean {
  return status === "open" || status === "partiallyFilled";
}

/**
 * Pages of the history, newest first, read on the read connection. An account's rows are read by
 * its number, and no function reads across accounts. Values are the engine's integers; the
 * functions that serve pages convert them to decimals.
 */
import type { Kysely } from "kysely";
import type { OrderKind } from "#contract/enumerations.ts";
import type { CandleInterval, OrderStatus, Page, Side } from "#contract/types.ts";
import type { AdminChangeKind } from "#contract/users.ts";
import type { Tables } from "../database/tables.ts";
import { ADMIN_CHANGES, type AdminChangeRecord } from "../records/admin-changes.ts";
import type { CandleRecord } from "../records/candles.ts";
import type { ActivityRecord, TransferRecord } from "../records/activity.ts";
import { LEDGER_ENTRIES, type LedgerEntryRecord } from "../records/ledger-entries.ts";
import type { OrderListRecord } from "../records/order-lists.ts";
import type { OrderChangeRecord } from "../records/order-changes.ts";
import { kindOfOrder, type OrderRecord, ORDERS } from "../records/orders.ts";
import type { PreventedMatchRecord } from "../records/prevented-matches.ts";
import { type FillRecord, FILLS, type TradeRecord, TRADES } from "../records/trades.ts";
import {
  type AmendmentsQuery,
  type PracticeFundsQuery,
  type PreventedMatchesQuery,
  readAmendments,
  readPracticeFunds,
  readPreventedMatches,
} from "./readers/account-reader.ts";
import { readActivityPage, type ActivityQuery } from "./readers/activity-reader.ts";
import { readCandles } from "./readers/candle-reader.ts";
import {
  type ListName,
  type ListRange,
  readList,
  readListRange,
  readOrdersById,
} from "./readers/list-reader.ts";
import {
  readTicksBefore,
  readTradeIdFrom,
  readTradesFrom,
  type TradesFrom,
} from "./readers/trade-reader.ts";
import { type ProfitQuery, type ProfitSums, readProfits } from "./readers/profit-reader.ts";
import { encodeCursor, type PageQuery } from "../database/cursor.ts";
import { type FillKey, readEntries, readFillEntries } from "./readers/entry-reader.ts";
import {
  type OrderLifeRecord,
  readHoldEntries,
  readNewestFills,
  readOrderLife,
} from "./readers/order-life-reader.ts";
import { checkLimit, readPage, searchPage } from "./readers/pages.ts";
import {
  type FillOfList,
  type FillRange,
  type OrderRange,
  readFillRange,
  readOrderRange,
} from "./readers/range-reader.ts";
import {
  readStatements,
  type StatementQuery,
  type StatementSums,
} from "./readers/statement-reader.ts";

export interface AccountPageQuery extends PageQuery {
  readonly account: number;
  readonly marketId?: number;
  readonly side?: Side;
}

interface OrdersQuery extends AccountPageQuery {
  readonly kind?: OrderKind;
  readonly status?: OrderStatus;
  readonly from?: number;
}

export interface AdminChangesQuery extends PageQuery {
  readonly adminId?: string | undefined;
  readonly kind?: AdminChangeKind | undefined;
  /** From (inclusive) and until (exclusive), in milliseconds since 1970. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

export class HistoryReader {
  readonly #read: Kysely<Tables>;
  constructor(read: Kysely<Tables>) {
    this.#read = read;
  }

  /**
   * Orders of an account by number, newest first. A search for a kind with few matches in many rows
   * may return a short page; its cursor continues from there.
   * @param query with `from`, only orders from that number on
   * @throws CursorError, RangeError (limit)
   */
  async orders(query: OrdersQuery): Promise<Page<OrderRecord>> {
    const { account, marketId, side, kind, status, from } = query;
    let select = this.#read.selectFrom("orders").selectAll().where("account", "=", account);
    if (from !== undefined) select = select.where("order_id", ">=", from);
    if (marketId !== undefined) select = select.where("market_id", "=", marketId);
    if (side !== undefined) select = select.where("side", "=", side);
    if (status !== undefined) {
      const isOpen = status === "open" || status === "partiallyFilled";
      select = select.where("status", "=", isOpen ? "open" : status);
      if (isOpen) select = select.where("filled_quote", status === "open" ? "=" : ">", 0);
    }
    const read = (page: PageQuery) => readPage(select, ["order_id"], page, ORDERS.fromRow);
    if (kind === undefined) return read(query);
    checkLimit(query.limit);
    return searchPage(read, query, {
      matches: (order) => kindOfOrder(order) === kind,
      cursorOf: ({ orderId }) => encodeCursor([orderId]),
    });
  }

  /**
   * An order of the account; undefined if the account has none with this number, even if another
   * account has.
   */
  async order(account: number, orderId: number): Promise<OrderRecord | undefined> {
    const row = await this.#read
      .selectFrom("orders")
      .selectAll()
      .where("account", "=", account)
      .where("order_id", "=", orderId)
      .executeTakeFirst();
    return row && ORDERS.fromRow(row);
  }

  /** The account's newest order with this client order id; undefined if none. */
  async orderByClientId(account: number, clientOrderId: string): Promise<OrderRecord | undefined> {
    const row = await this.#read
      .selectFrom("orders")
      .selectAll()
      .where("account", "=", account)
      .where("client_order_id", "=", clientOrderId)
      .orderBy("order_id", "desc")
      .limit(1)
      .executeTakeFirst();
    return row && ORDERS.fromRow(row);
  }

  /** Orders of an account in a market by number or time, oldest first. @throws RangeError (limit) */
  async orderRange(range: OrderRange): Promise<OrderRecord[]> {
    checkLimit(range.limit);
    return readOrderRange(this.#read, range);
  }

  /** The account's newest list with this name; undefined if none. */
  orderList(name: ListName): Promise<OrderListRecord | undefined> {
    return readList(this.#read, name);
  }

  /**
   * Lists of an account by number or time, oldest first.
   * @throws RangeError (limit)
   */
  async orderListRange(range: ListRange): Promise<OrderListRecord[]> {
    checkLimit(range.limit);
    return readListRange(this.#read, range);
  }

  /** The account's orders among these ids, by number. */
  ordersById(account: number, orderIds: readonly number[]): Promise<OrderRecord[]> {
    return readOrdersById(this.#read, account, orderIds);
  }

  /**
   * Fills of an account in a market by number, which is the trade's, or time.
   * @throws RangeError (limit)
   */
  async fillRange(range: FillRange): Promise<FillOfList[]> {
    checkLimit(range.limit);
    return readFillRange(this.#read, range);
  }

  /** Practice funds that an account took, newest first. @throws RangeError (limit) */
  async practiceFunds(query: PracticeFundsQuery): Promise<TransferRecord[]> {
    checkLimit(query.limit);
    return readPracticeFunds(this.#read, query);
  }

  /**
   * Amendments of an order of an account, oldest first.
   * @throws RangeError (limit)
   */
  async amendments(query: AmendmentsQuery): Promise<OrderChangeRecord[]> {
    checkLimit(query.limit);
    return readAmendments(this.#read, query);
  }

  /**
   * Prevented self-trades of an account in a market, by match id.
   * @throws RangeError (limit)
   */
  async preventedMatches(query: PreventedMatchesQuery): Promise<PreventedMatchRecord[]> {
    checkLimit(query.limit);
    return readPreventedMatches(this.#read, query);
  }

  /** Everything that happened to an order of an account, and the orders related to it. */
  orderLife(order: OrderRecord): Promise<OrderLifeRecord> {
    return readOrderLife(this.#read, order);
  }

  /** Ledger entries of an order's holds and releases. */
  holdEntries(order: OrderRecord): Promise<LedgerEntryRecord[]> {
    return readHoldEntries(this.#read, order);
  }

  /** A fill of an order of the account; undefined if there is none. */
  async fill(account: number, orderId: number, tradeId: number): Promise<FillRecord | undefined> {
    const row = await this.#read
      .selectFrom("fills")
      .selectAll()
      .where("account", "=", account)
      .where("order_id", "=", orderId)
      .where("trade_id", "=", tradeId)
      .executeTakeFirst();
    return row && FILLS.fromRow(row);
  }

  /** The newest fills of an order of the account, oldest first. */
  fillsOfOrder(account: number, orderId: number, limit: number): Promise<FillRecord[]> {
    return readNewestFills(this.#read, { account, orderId }, limit);
  }

  /**
   * Fills of an account, newest first.
   * @throws CursorError, RangeError (limit)
   */
  async fills(query: AccountPageQuery): Promise<Page<FillRecord>> {
    const { account, marketId, side } = query;
    let select = this.#read.selectFrom("fills").selectAll().where("account", "=", account);
    if (marketId !== undefined) select = select.where("market_id", "=", marketId);
    if (side !== undefined) select = select.where("side", "=", side);
    return readPage(select, ["sequence", "trade_id"], query, FILLS.fromRow);
  }

  /** The ledger entries that one command made for an account, in order; if very many, the first. */
  ledgerEntries(account: number, sequence: number): Promise<LedgerEntryRecord[]> {
    return readEntries(this.#read, account, sequence);
  }

  /** The ledger entries of a fill and its fee; empty if the account has no such fill. */
  fillEntries(fill: FillKey): Promise<LedgerEntryRecord[]> {
    return readFillEntries(this.#read, fill);
  }

  /** An account's ledger entries, newest first. @throws CursorError, RangeError (limit) */
  async ledger(query: PageQuery & { account: number }): Promise<Page<LedgerEntryRecord>> {
    const select = this.#read
      .selectFrom("ledger_entries")
      .selectAll()
      .where("account", "=", query.account);
    return readPage(select, ["sequence", "position"], query, LEDGER_ENTRIES.fromRow);
  }

  /**
   * Sums of an account's ledger entries before and within each of successive periods. @throws
   * RangeError if a period ends before it begins
   */
  statements(query: StatementQuery): Promise<StatementSums[][]> {
    return readStatements(this.#read, query);
  }

  /**
   * Changes made by administrators, newest first.
   * @throws CursorError, RangeError (limit)
   */
  async adminChanges(query: AdminChangesQuery): Promise<Page<AdminChangeRecord>> {
    const { adminId, fromMs, kind, toMs } = query;
    let select = this.#read.selectFrom("admin_changes").selectAll();
    if (adminId !== undefined) select = select.where("admin_id", "=", adminId);
    if (kind !== undefined) select = select.where("kind", "=", kind);
    if (fromMs !== undefined) select = select.where("time", ">=", fromMs);
    if (toMs !== undefined) select = select.where("time", "<", toMs);
    return readPage(select, ["sequence"], query, ADMIN_CHANGES.fromRow);
  }

  /** A market's public trades, newest first. @throws CursorError, RangeError (limit) */
  async trades(query: PageQuery & { marketId: number }): Promise<Page<TradeRecord>> {
    const select = this.#read
      .selectFrom("trades")
      .selectAll()
      .where("market_id", "=", query.marketId);
    return readPage(select, ["trade_id"], query, TRADES.fromRow);
  }

  /** The market's last price in ticks before a command; 0 before its first trade. */
  ticksBefore(marketId: number, sequence: number): Promise<number> {
    return readTicksBefore(this.#read, marketId, sequence);
  }

  /** The number of a market's first trade at or after a time; undefined if there is none yet. */
  tradeIdFrom(marketId: number, timeMs: number): Promise<number | undefined> {
    return readTradeIdFrom(this.#read, marketId, timeMs);
  }

  /** A market's public trades from a number on, oldest first. @throws RangeError (limit) */
  async tradesFrom(query: TradesFrom): Promise<TradeRecord[]> {
    checkLimit(query.limit);
    return readTradesFrom(this.#read, query);
  }

  /**
   * The cost and the realised profit of each coin of the account. Reads all its fills and
   * transfers.
   */
  profits(query: ProfitQuery): Promise<ProfitSums> {
    return readProfits(this.#read, query);
  }

  /**
   * Up to `limit` candles that opened before a moment, oldest first; intervals without trades have
   * no candle. Candles of one second are not stored, so the result is empty.
   * @throws RangeError (limit)
   */
  candles(query: {
    marketId: number;
    interval: CandleInterval;
    /** Exclusive end of the opening times, milliseconds since 1970 UTC. */
    before: number;
    limit: number;
  }): Promise<CandleRecord[]> {
    checkLimit(query.limit);
    return readCandles(this.#read, query);
  }

  /**
   * Orders, fills, transfers and plan changes in one feed, newest first. A search with few matches
   * in many rows may return a short page; its cursor continues from there.
   * @throws CursorError, RangeError (limit)
   */
  activity(query: ActivityQuery): Promise<Page<ActivityRecord>> {
    checkLimit(query.limit);
    return readActivityPage(this.#read, query);
  }
}

/** The interface of the reads, whichever thread runs them. */
export type HistoryReads = { readonly [Read in keyof HistoryReader]: HistoryReader[Read] };

/**
 * All reads of the history, by name. An account's rows are read by its number, and no read goes across
 * accounts, except that of administrators' changes. Values are the engine's integers; the functions that
 * serve them convert them to decimals.
 */
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import {
  readAmendments,
  readPracticeFunds,
  readPreventedMatches,
} from "./readers/account-reader.ts";
import { readActivityPage } from "./readers/activity-reader.ts";
import { readCandles } from "./readers/candle-reader.ts";
import { readEntries, readFillEntries } from "./readers/entry-reader.ts";
import { readList, readListRange, readOrdersById } from "./readers/list-reader.ts";
import { readHoldEntries, readNewestFills, readOrderLife } from "./readers/order-life-reader.ts";
import { readProfits } from "./readers/profit-reader.ts";
import { readFillRange, readOrderRange } from "./readers/range-reader.ts";
import {
  readAdminChanges,
  readFill,
  readFills,
  readLedger,
  readOrder,
  readOrderByClientId,
  readOrders,
  readTrades,
} from "./readers/record-reader.ts";
import { readStatements } from "./readers/statement-reader.ts";
import { readTicksBeforeEach, readTradeIdFrom, readTradesFrom } from "./readers/trade-reader.ts";

export const READS = {
  orders: readOrders,
  order: readOrder,
  orderByClientId: readOrderByClientId,
  orderRange: readOrderRange,
  orderList: readList,
  orderListRange: readListRange,
  ordersById: readOrdersById,
  orderLife: readOrderLife,
  amendments: readAmendments,
  preventedMatches: readPreventedMatches,
  fill: readFill,
  fills: readFills,
  fillsOfOrder: readNewestFills,
  fillRange: readFillRange,
  fillEntries: readFillEntries,
  holdEntries: readHoldEntries,
  ledgerEntries: readEntries,
  ledger: readLedger,
  practiceFunds: readPracticeFunds,
  statements: readStatements,
  profits: readProfits,
  activity: readActivityPage,
  adminChanges: readAdminChanges,
  trades: readTrades,
  tradesFrom: readTradesFrom,
  tradeIdFrom: readTradeIdFrom,
  ticksBeforeEach: readTicksBeforeEach,
  candles: readCandles,
};

type WithoutDatabase<Read> = Read extends (
  read: Kysely<Tables>,
  ...args: infer Args
) => infer Answer
  ? (...args: Args) => Answer
  : never;

/**
 * The reads, independent of the thread that runs them.
 * @throws RangeError if too many rows are requested, CursorError if its cursor is wrong
 */
export type HistoryReads = {
  readonly [Name in keyof typeof READS]: WithoutDatabase<(typeof READS)[Name]>;
};

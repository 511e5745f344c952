/**
 * Converts activity to and from rows. The row of an order or a fill refers to it, and its details are
 * in its own table; transfers and plan changes are stored in the row itself.
 */
import {
  type ActivityRecord,
  PLAN_CHANGES,
  TRANSFER_REASONS,
  TRANSFERS,
} from "../records/activity.ts";
import type { OrderRecord } from "../records/orders.ts";
import type { FillRecord } from "../records/trades.ts";
import type { ActivityTable } from "../database/history-tables.ts";

/** @param words by which a search finds the row */
export function activityRow(record: ActivityRecord, words: string): ActivityTable {
  const row: ActivityTable = {
    account: 0,
    sequence: record.sequence,
    position: record.position,
    kind: record.kind,
    time: record.timestampMs,
    market_id: 0,
    order_id: 0,
    trade_id: 0,
    asset_id: 0,
    amount: 0,
    plan_id: 0,
    reason: "",
    note: "",
    search_text: words.toLowerCase(),
  };
  switch (record.kind) {
    case "order":
      row.account = record.order.account;
      row.market_id = record.order.marketId;
      row.order_id = record.order.orderId;
      return row;
    case "fill":
      row.account = record.fill.account;
      row.market_id = record.fill.marketId;
      row.order_id = record.fill.orderId;
      row.trade_id = record.fill.tradeId;
      return row;
    case "transfer":
      return Object.assign(row, TRANSFERS.toRow(record.transfer));
    case "plan":
      return Object.assign(row, PLAN_CHANGES.toRow(record.planChange));
    default:
      throw new TypeError(`no activity is ${String(record satisfies never)}`);
  }
}

/** @param orders referred to by the rows, by id; @param fills by `fillKey` */
export function activityRecord(
  row: ActivityTable,
  orders: ReadonlyMap<number, OrderRecord>,
  fills: ReadonlyMap<string, FillRecord>,
): ActivityRecord {
  const { sequence, position, time: timestampMs } = row;
  const common = { sequence, position, timestampMs };
  switch (row.kind) {
    case "order":
      return { ...common, kind: "order", order: existing(orders.get(row.order_id)) };
    case "fill":
      return {
        ...common,
        kind: "fill",
        fill: existing(fills.get(fillKey(sequence, row.trade_id))),
      };
    case "transfer": {
      // Rows from before there were adjustments have no reason.
      const reason = TRANSFER_REASONS.find((known) => known === row.reason) ?? "practiceFunds";
      return { ...common, kind: "transfer", transfer: TRANSFERS.fromRow({ ...row, reason }) };
    }
    case "plan":
      return { ...common, kind: "plan", planChange: PLAN_CHANGES.fromRow(row) };
    default:
      throw new RangeError(`the history knows no activity ${String(row.kind satisfies never)}`);
  }
}

/** The side, from the search words under which the fold stores orders and fills; undefined for other rows. */
export function sideOf({ kind, search_text: words }: ActivityTable): string | undefined {
  if (kind === "order") return words.split(" ", 2)[1];
  return kind === "fill" ? words.split(" ", 3)[2] : undefined;
}

export function fillKey(sequence: number, tradeId: number): string {
  return `${sequence} ${tradeId}`;
}

/** The row must exist: both were written in one transaction. */
function existing<T>(record: T | undefined): T {
  if (record === undefined) throw new Error("the history names a row that it does not have");
  return record;
}

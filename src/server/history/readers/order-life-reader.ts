/** Reads everything that happened to one order of an account. */
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { LedgerEntryRecord } from "../../records/ledger-entries.ts";
import { ORDER_CHANGES, type OrderChangeRecord } from "../../records/order-changes.ts";
import { type OrderRecord, ORDERS } from "../../records/orders.ts";
import { type FillRecord, FILLS } from "../../records/trades.ts";
import { readOrderEntries } from "./entry-reader.ts";

/** Maximum number of changes, and of fills, to read; only the newest are read. */
const LIFE_ROWS_MAX = 100;

export interface OrderLifeRecord {
  /** Changes of the order, oldest first, like all lists below. */
  readonly changes: readonly OrderChangeRecord[];
  readonly fills: readonly FillRecord[];
  /**
   * The order's ledger entries in the sequences of its placement, its changes, its fills and its
   * end.
   */
  readonly entries: readonly LedgerEntryRecord[];
  /** The other orders placed by the same command. */
  readonly placedTogether: readonly OrderRecord[];
  /** The order that this one replaced, and the order that replaced this one. */
  readonly replaces: number | undefined;
  readonly replacedBy: number | undefined;
}

type OwnOrder = Pick<
  OrderRecord,
  "account" | "orderId" | "placedSequence" | "updatedSequence" | "endReason"
>;

export async function readOrderLife(
  read: Kysely<Tables>,
  order: OwnOrder,
): Promise<OrderLifeRecord> {
  const { account, orderId, placedSequence, updatedSequence, endReason } = order;
  const { changes, fills, sequences } = await eventsOf(read, order);
  const placedTogether = await placedIn(read, account, placedSequence);
  const successors = endReason === "replaced" ? await placedIn(read, account, updatedSequence) : [];
  return {
    changes,
    fills,
    entries: await readOrderEntries(read, order, [...sequences], "all"),
    placedTogether: placedTogether.filter((other) => other.orderId !== orderId),
    replaces: await replacedIn(read, order),
    replacedBy: successors[0]?.orderId,
  };
}

/**
 * The ledger entries of an order's holds, at its placement and changes, and of their releases, by
 * its fills and its end.
 */
export async function readHoldEntries(
  read: Kysely<Tables>,
  order: OwnOrder,
): Promise<LedgerEntryRecord[]> {
  const { sequences } = await eventsOf(read, order);
  return readOrderEntries(read, order, [...sequences], "holds");
}

/** An order's changes and fills, and the sequences in which its balances may have changed. */
async function eventsOf(read: Kysely<Tables>, order: OwnOrder) {
  const changes = await changesOf(read, order);
  const fills = await readNewestFills(read, order.account, order.orderId, LIFE_ROWS_MAX);
  const sequences = new Set([order.placedSequence, order.updatedSequence]);
  for (const { sequence } of [...changes, ...fills]) sequences.add(sequence);
  return { changes, fills, sequences };
}

async function changesOf(
  read: Kysely<Tables>,
  { account, orderId }: Pick<OwnOrder, "account" | "orderId">,
): Promise<OrderChangeRecord[]> {
  const rows = await read
    .selectFrom("order_changes")
    .selectAll()
    .where("account", "=", account)
    .where("order_id", "=", orderId)
    .orderBy("sequence", "desc")
    .orderBy("position", "desc")
    .limit(LIFE_ROWS_MAX)
    .execute();
  return rows.map(ORDER_CHANGES.fromRow).reverse();
}

/** The newest fills of an order, oldest first. */
export async function readNewestFills(
  read: Kysely<Tables>,
  account: number,
  orderId: number,
  limit: number,
): Promise<FillRecord[]> {
  const rows = await read
    .selectFrom("fills")
    .selectAll()
    .where("account", "=", account)
    .where("order_id", "=", orderId)
    .orderBy("sequence", "desc")
    .orderBy("trade_id", "desc")
    .limit(limit)
    .execute();
  return rows.map(FILLS.fromRow).reverse();
}

/** The orders that one command placed for the account, oldest first. */
async function placedIn(
  read: Kysely<Tables>,
  account: number,
  sequence: number,
): Promise<OrderRecord[]> {
  const rows = await read
    .selectFrom("activity")
    .innerJoin("orders", (join) =>
      join
        .onRef("orders.account", "=", "activity.account")
        .onRef("orders.order_id", "=", "activity.order_id"),
    )
    .selectAll("orders")
    .where("activity.account", "=", account)
    .where("activity.sequence", "=", sequence)
    .where("activity.kind", "=", "order")
    .orderBy("orders.order_id")
    .execute();
  return rows.map(ORDERS.fromRow);
}

/** The order that the same command cancelled when it placed this one. */
async function replacedIn(
  read: Kysely<Tables>,
  { account, orderId, placedSequence }: OwnOrder,
): Promise<number | undefined> {
  const row = await read
    .selectFrom("ledger_entries")
    .innerJoin("orders", (join) =>
      join
        .onRef("orders.account", "=", "ledger_entries.account")
        .onRef("orders.order_id", "=", "ledger_entries.order_id"),
    )
    .select("orders.order_id")
    .where("ledger_entries.account", "=", account)
    .where("ledger_entries.sequence", "=", placedSequence)
    .where("ledger_entries.reason", "=", "release")
    .where("orders.order_id", "!=", orderId)
    .where("orders.end_reason", "=", "replaced")
    .where("orders.updated_sequence", "=", placedSequence)
    .executeTakeFirst();
  return row?.order_id;
}

/**
 * Reads the ledger entries of one command, order or fill of an account. One order can have tens of
 * thousands of fills in one command, each with several entries: every read is bounded.
 */
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { LEDGER_ENTRIES, type LedgerEntryRecord } from "../../records/ledger-entries.ts";
import type { FillRecord } from "../../records/trades.ts";

/** Maximum number of entries that one read returns. The fills of one page have hundreds. */
const ENTRIES_MAX = 2_000;
/**
 * Each party of a trade has two trade entries, for its debit and its credit, followed by one for its
 * fee.
 */
const TRADE_ENTRIES_PER_FILL = 2;

/**
 * The entries of one command on an account, in order; if too many, the
 * first.
 */
export async function readEntries(
  read: Kysely<Tables>,
  account: number,
  sequence: number,
): Promise<LedgerEntryRecord[]> {
  const rows = await entriesOf(read, account, [sequence])
    .orderBy("position")
    .limit(ENTRIES_MAX)
    .execute();
  return rows.map(LEDGER_ENTRIES.fromRow);
}

/**
 * The entries of an order in these sequences, in order; only the newest if there are more than
 * ENTRIES_MAX.
 */
export async function readOrderEntries(
  read: Kysely<Tables>,
  { account, orderId }: Pick<FillRecord, "account" | "orderId">,
  sequences: readonly number[],
  only: "all" | "holds",
): Promise<LedgerEntryRecord[]> {
  let select = entriesOf(read, account, sequences).where("order_id", "=", orderId);
  if (only === "holds") select = select.where("reason", "in", ["hold", "release"]);
  const rows = await select
    .orderBy("sequence", "desc")
    .orderBy("position", "desc")
    .limit(ENTRIES_MAX)
    .execute();
  return rows.map(LEDGER_ENTRIES.fromRow).reverse();
}

/** The entries of one fill and its fee. */
export async function readFillEntries(
  read: Kysely<Tables>,
  { account, orderId, tradeId, sequence }: FillKey,
): Promise<LedgerEntryRecord[]> {
  const fills = read
    .selectFrom("fills")
    .where("account", "=", account)
    .where("order_id", "=", orderId)
    .where("sequence", "=", sequence);
  const { before, found } = await fills
    .select(({ fn, eb }) => [
      fn.count<number>(eb.case().when("trade_id", "<", tradeId).then(1).end()).as("before"),
      fn.count<number>(eb.case().when("trade_id", "=", tradeId).then(1).end()).as("found"),
    ])
    .executeTakeFirstOrThrow();
  if (found === 0) return [];
  const entries = entriesOf(read, account, [sequence])
    .where("order_id", "=", orderId)
    .orderBy("position");
  // The fill's entries end before the first entry of the next fill.
  const trades = await entries
    .where("reason", "=", "trade")
    .offset(before * TRADE_ENTRIES_PER_FILL)
    .limit(TRADE_ENTRIES_PER_FILL + 1)
    .execute();
  const [first] = trades;
  const next = trades[TRADE_ENTRIES_PER_FILL];
  if (first === undefined) return [];
  let select = entries
    .where("reason", "not in", ["hold", "release"])
    .where("position", ">=", first.position);
  if (next !== undefined) select = select.where("position", "<", next.position);
  const rows = await select.limit(ENTRIES_MAX).execute();
  return rows.map(LEDGER_ENTRIES.fromRow);
}

export type FillKey = Pick<FillRecord, "account" | "orderId" | "tradeId" | "sequence">;

function entriesOf(read: Kysely<Tables>, account: number, sequences: readonly number[]) {
  return read
    .selectFrom("ledger_entries")
    .selectAll()
    .where("account", "=", account)
    .where("sequence", "in", sequences);
}

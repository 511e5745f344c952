/**
 * Separates the ledger entries of an order from those of its fills, so that each entry of an
 * account belongs to exactly one of them.
 */
import type { LedgerEntryRecord } from "../records/ledger-entries.ts";

/** Each party of a trade has two such entries: what it gave and what it received. */
const TRADE_ENTRIES_PER_FILL = 2;

/** What an order held and got released, from these entries. */
export function entriesOfOrder(
  entries: readonly LedgerEntryRecord[],
  orderId: number,
): LedgerEntryRecord[] {
  return entries.filter(
    (entry) => entry.orderId === orderId && (entry.reason === "hold" || entry.reason === "release"),
  );
}

/**
 * The trade and the fee of one fill.
 * @param entries all of the account in the fill's sequence, in order
 * @param number counts the fills of the order in that sequence, from 0
 */
export function entriesOfFill(
  entries: readonly LedgerEntryRecord[],
  orderId: number,
  number: number,
): LedgerEntryRecord[] {
  let trades = 0;
  return entries.filter((entry) => {
    if (entry.orderId !== orderId || entry.reason === "hold" || entry.reason === "release") {
      return false;
    }
    // Both entries of a trade come before its fee.
    if (entry.reason === "trade") trades += 1;
    return Math.ceil(trades / TRADE_ENTRIES_PER_FILL) - 1 === number;
  });
}

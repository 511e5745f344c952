/**
 * Auctions that exceed the limit of one command (work-limit.ts): the price is determined, some of
 * the pairs have traded, and the rest follow with the next commands, before anything else that is
 * due. Until then the market stays in its old state.
 *
 * Invariants: until the last pair has traded, nothing adds orders to the book or removes any: none
 * can be placed, amended or cancelled (`marketBusy`), timers do not fire and nothing is activated.
 * So the pairs are those that one command would have traded.
 */
import type { MarketStatus } from "../commands.ts";
import { RecordPart } from "../formats/record-format.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import { isMarketStatus } from "./market-statuses.ts";

export interface PendingUncrossing {
  readonly marketId: number;
  readonly priceTicks: number;
  leftLots: number;
  /** The state that the market enters after the last pair. */
  readonly status: MarketStatus;
}

/** Auctions in progress, in the order in which they are continued. */
export const UNCROSSINGS = new RecordPart<PendingUncrossing>(
  "uncrossings",
  { marketId: "int", priceTicks: "number", leftLots: "number", status: "text" },
  false,
);

/** Whether the market is still uncrossing. */
export function isUncrossing(
  { uncrossings }: { readonly uncrossings: readonly PendingUncrossing[] },
  marketId: number,
): boolean {
  return uncrossings.some((each) => each.marketId === marketId);
}

export function readUncrossings(snapshot: SnapshotReader, uncrossings: PendingUncrossing[]): void {
  for (const each of UNCROSSINGS.readPartFrom(snapshot)) {
    if (!isMarketStatus(each.status)) snapshot.refuse("an auction leads to no state");
    uncrossings.push(each);
  }
}

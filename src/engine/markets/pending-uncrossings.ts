/**
 * Auctions of which one command could not trade all (work-limit.ts): their one price is found, a part
 * of their pairs has traded, and the rest follows with the next commands, before anything else that is
 * due. The market has been told to be open and is in its old state until then.
 *
 * Invariants: until the last pair has traded nothing takes an order out of the book or puts one in:
 * orders of the market can be neither placed nor amended nor cancelled (`marketBusy`), timers do not
 * fire and nothing is activated. So the pairs are those that one command would have traded.
 */
import type { MarketStatus } from "../commands.ts";
import { RecordPart } from "../formats/record-format.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import { isMarketStatus } from "./market-statuses.ts";

export interface PendingUncrossing {
  readonly marketId: number;
  readonly priceTicks: number;
  leftLots: number;
  /** The state that the market reaches. */
  readonly status: MarketStatus;
}

/** In the order in which they are continued. */
export const UNCROSSINGS = new RecordPart<PendingUncrossing>(
  "uncrossings",
  { marketId: "int", priceTicks: "number", leftLots: "number", status: "text" },
  false,
);

/** Whether the market is trading the orders of its auction. */
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

/** Which orders a market takes in each of its states: the rules of the engine, in a person's words. */
import type { MarketStatus } from "#contract/types.ts";
import { mayRest, type TicketEntries } from "./ticket-state.ts";

/** Why a market takes no orders at all, null if it takes some. */
const CLOSED: Record<MarketStatus, string | null> = {
  trading: null,
  preOpen: null,
  auction: null,
  postOnly: null,
  cancelOnly: "This market takes no new orders for now; open orders can be cancelled.",
  halted: "Trading in this market is halted.",
  closed: "This market is closed.",
};

/** Whether only limit orders that may rest are taken, and no condition. */
export function takesRestingOnly(status: MarketStatus): boolean {
  return status === "preOpen" || status === "auction" || status === "postOnly";
}

/** Why the market does not take what is entered; null if it does. */
export function stateRefusal(status: MarketStatus, entries: TicketEntries): string | null {
  const closed = CLOSED[status];
  if (closed !== null || !takesRestingOnly(status)) return closed;
  const isResting = entries.condition === "none" && mayRest(entries);
  if (status === "postOnly") {
    return isResting && entries.postOnly ? null : "This market takes post-only orders only.";
  }
  return isResting ? null : "Until this market trades it takes only limit orders, GTC or GTD.";
}

/** The orders that a market accepts in each state: the engine's rules, with messages for users. */
import type { MarketStatus } from "#contract/types.ts";
import { mayRest } from "./ticket-entries.ts";
import type { TicketEntries } from "./ticket-state.ts";

/** Messages for the states in which a market accepts no orders; null for the other states. */
const CLOSED: Record<MarketStatus, string | null> = {
  trading: null,
  preOpen: null,
  auction: null,
  postOnly: null,
  cancelOnly: "This market takes no new orders for now; open orders can be cancelled.",
  halted: "Trading in this market is halted.",
  closed: "This market is closed.",
};

/** Whether the market accepts only limit orders that may rest, without conditions. */
export function takesRestingOnly(status: MarketStatus): boolean {
  return status === "preOpen" || status === "auction" || status === "postOnly";
}

/** The message if the market does not accept these entries; null if it does. */
export function stateRefusal(status: MarketStatus, entries: TicketEntries): string | null {
  const closed = CLOSED[status];
  if (closed !== null || !takesRestingOnly(status)) return closed;
  const isResting = entries.condition === "none" && mayRest(entries);
  if (status === "postOnly") {
    return isResting && entries.postOnly ? null : "This market takes post-only orders only.";
  }
  return isResting ? null : "Until this market trades it takes only limit orders, GTC or GTD.";
}

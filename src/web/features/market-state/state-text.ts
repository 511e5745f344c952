/** Sentences about a market's state, for traders. */
import type { MarketState, MarketStatus } from "#contract/types.ts";

export const STATE_NAMES: Record<MarketStatus, string> = {
  preOpen: "Pre-open",
  auction: "Auction",
  trading: "Trading",
  postOnly: "Post-only",
  cancelOnly: "Cancel-only",
  halted: "Halted",
  closed: "Closed",
};

const STATUS_TEXTS: Record<MarketStatus, string> = {
  preOpen: "Limit orders gather, and none trades before the market opens by an auction.",
  auction: "Limit orders gather; what can trade trades at one price when it ends.",
  trading: "All orders are taken.",
  postOnly: "The market takes post-only orders only: nothing trades.",
  cancelOnly: "The market takes no new orders; open orders can be cancelled.",
  halted: "Trading is halted; open orders can be cancelled.",
  closed: "The market is closed, and all its orders have ended.",
};

/** Explains which orders the market accepts now, and why it was halted if it was halted automatically. */
export function stateMeaning({ status, cause }: Pick<MarketState, "status" | "cause">): string {
  return status === "halted" && cause === "breaker"
    ? "Trading is halted: the price moved too far in too short a time."
    : STATUS_TEXTS[status];
}

/**
 * Announces that the market closes.
 * @param time such as "1 Dec, 14:00"
 */
export function closingText(time: string): string {
  return `The market closes on ${time}, and its open orders end then.`;
}

/** The state that follows when the present one ends by itself. */
export function followerText(status: MarketStatus): string {
  return status === "auction" ? "Trading begins in" : "An auction begins in";
}

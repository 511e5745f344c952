import type { MarketState, MarketStatus } from "#contract/types.ts";
import { parseMinutes } from "./minutes.ts";

interface StatusText {
  readonly label: string;
  /** The state's effect on orders, for administrators. */
  readonly effect: string;
  readonly tone: "buy" | "warn" | "sell" | "neutral";
}

/** Texts of the market states, the most used first. */
export const STATUS_TEXTS = {
  trading: {
    label: "Trading",
    effect: "Every kind of order is taken and orders trade at once.",
    tone: "buy",
  },
  halted: {
    label: "Halted",
    effect: "No new orders and no trades. Open orders stay and can be cancelled.",
    tone: "sell",
  },
  postOnly: {
    label: "Post-only",
    effect: "Post-only orders are taken. Nothing trades, and open orders can be cancelled.",
    tone: "warn",
  },
  cancelOnly: {
    label: "Cancel-only",
    effect: "No new orders and no trades. Open orders can only be cancelled.",
    tone: "warn",
  },
  auction: {
    label: "Auction",
    effect: "Limit orders gather without trading. At the end all of them trade at one price.",
    tone: "warn",
  },
  preOpen: {
    label: "Pre-open",
    effect: "Limit orders gather without trading, before an auction opens the market.",
    tone: "warn",
  },
  closed: {
    label: "Closed",
    effect: "Every open order ends at once, also those that wait for a trigger. No new orders.",
    tone: "neutral",
  },
} as const satisfies Record<MarketStatus, StatusText>;

export const STATUSES = Object.keys(STATUS_TEXTS) as MarketStatus[];

/** The state that follows one that ends by itself; undefined for a state that lasts until changed. */
export function nextStatusOf(status: MarketStatus): MarketStatus | undefined {
  if (status === "preOpen" || status === "halted") return "auction";
  return status === "auction" ? "trading" : undefined;
}

/** Whether a state stops users from trading, and so needs the red button. */
export function isDrastic(status: MarketStatus): boolean {
  return status === "halted" || status === "closed" || status === "cancelOnly";
}

export const CAUSE_TEXTS = {
  listed: "since it was listed",
  admin: "set by an administrator",
  timer: "by its timer",
  breaker: "by its circuit breaker",
  schedule: "by its schedule",
} as const satisfies Record<MarketState["cause"], string>;

const SECONDS_MAX = 31_536_000;

/**
 * @param minutes as typed, with seconds if need be, such as "1:30"; "" for a state that lasts until it is changed
 * @returns seconds, null without an end, or a sentence if the text is invalid
 */
export function stateSeconds(minutes: string): number | null | string {
  if (minutes.trim() === "") return null;
  const seconds = (parseMinutes(minutes) ?? Number.NaN) / 1000;
  if (!Number.isInteger(seconds)) return "Enter minutes, such as 30 or 1:30, or nothing";
  if (seconds === 0) return "Enter at least 1 second";
  return seconds <= SECONDS_MAX ? seconds : "At most a year";
}

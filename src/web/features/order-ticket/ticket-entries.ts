/** The entries of every ticket, and what follows from them; those of the options are in ticket-options. */
import type { OrderType, SelfTradePrevention, Side, TimeInForce } from "#contract/types.ts";

/** The field in which the size was last entered; the others are derived. */
export type Sizing =
  | { readonly kind: "quantity"; readonly text: string }
  | { readonly kind: "total"; readonly text: string }
  | { readonly kind: "percent"; readonly percent: number };

/** The condition before an order is sent to the market; "oco" is a limit order with a stop. */
export type Condition = "none" | "stop" | "takeProfit" | "trailingStop" | "oco";

export interface PlainEntries {
  readonly side: Side;
  /** How the order is sent to the market, at once or once its condition is met. */
  readonly type: OrderType;
  readonly condition: Condition;
  readonly priceText: string;
  readonly sizing: Sizing;
  readonly timeInForce: TimeInForce;
  /** Whether a take-profit, a stop-loss or both are placed once the order has filled. */
  readonly hasExits: boolean;
  /** The mode of self-trade prevention; null for the market's default. */
  readonly selfTradePrevention: SelfTradePrevention | null;
  /** Basis points by which a market order may be worse than the best price; null for the band. */
  readonly slippageBps: number | null;
}

/** Whether the order is a market order without a condition. */
export function isImmediateMarketOrder({ type, condition }: PlainEntries): boolean {
  return type === "market" && condition === "none";
}

/** Whether the order waits for a trigger. */
export function isTriggered({ condition }: PlainEntries): boolean {
  return condition !== "none" && condition !== "oco";
}

/** Whether the order may rest at a limit: only then can it be an iceberg, be post-only or expire. */
export function mayRest({ type, timeInForce }: PlainEntries): boolean {
  return type === "limit" && (timeInForce === "gtc" || timeInForce === "gtd");
}

/** Whether the order has exits, which only one without a condition can have. */
export function hasExits({ condition, hasExits: isChosen }: PlainEntries): boolean {
  return isChosen && condition === "none";
}

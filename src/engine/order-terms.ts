/**
 * The terms of one order. Also the validation of its conditions, which few orders have, and the fields
 * of them that are kept: a new condition is added here. Pure.
 */
import type { Amount, Lots, Ticks } from "./amount.ts";
import type { RejectReason } from "./reject-reasons.ts";

export type Side = "buy" | "sell";
export type OrderType = "limit" | "market";
/** Good till cancelled, immediate or cancel, fill or kill, good till a date. */
export type TimeInForce = "gtc" | "ioc" | "fok" | "gtd";

/** Whose order expires if two orders of one account would trade; "decrement" shrinks both. */
export type SelfTradePrevention = "expireTaker" | "expireMaker" | "expireBoth" | "decrement";

/** The price condition for which an order waits. */
export type OrderTrigger =
  | { readonly kind: "stop" | "takeProfit"; readonly triggerTicks: Ticks }
  /** Follows the best price at this distance, in basis points from 1 to 9 999. */
  | { readonly kind: "trailingStop"; readonly trailBps: number };
/** The conditions of an order; a plain order has none. */
export interface OrderConditions {
  /** The self-trade mode; if absent, the market's default. */
  readonly selfTradePrevention?: SelfTradePrevention;
  /** The largest visible quantity of an iceberg. */
  readonly displayLots?: Lots;
  /** When a `gtd` order ends, milliseconds since 1970 UTC. */
  readonly expiresAtMs?: number;
  readonly trigger?: OrderTrigger;
  /** Numbers by which the owner tells orders apart: kept and reported, never acted on. */
  readonly strategyId?: number;
  readonly strategyType?: number;
}
export interface OrderTerms {
  readonly side: Side;
  readonly orderType: OrderType;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** The limit price; 0 for a market order. */
  readonly priceTicks: Ticks;
  /** The quantity; 0 if `quoteAmount` states the size. */
  readonly quantityLots: Lots;
  /** For market orders only: the amount to spend (buy) or receive (sell) in quote units; else 0. */
  readonly quoteAmount: Amount;
  /**
   * The client order id: unique per account, at most 36 characters of `A-Za-z0-9._:/-`; "" if the
   * user gave none.
   */
  readonly clientOrderId: string;
  readonly conditions?: OrderConditions;
}

const EXPIRY_MS_MAX = 366 * 24 * 60 * 60 * 1000;
export const TRAIL_BPS_MAX = 9_999;
/** How many parts an iceberg may have, and so how often one order can match against it. */
const ICEBERG_PARTS_MAX = 100;

/**
 * Every condition, in the order in which they are kept, and whether it decides what becomes of the order.
 * A condition that is missing here does not compile: it would be dropped without a word.
 */
const DECIDES: Readonly<Record<keyof OrderConditions, boolean>> = {
  selfTradePrevention: true,
  displayLots: true,
  expiresAtMs: true,
  trigger: true,
  strategyId: false,
  strategyType: false,
};
const CONDITIONS = Object.keys(DECIDES) as (keyof OrderConditions)[];
const DECISIVE = CONDITIONS.filter((name) => DECIDES[name]);

/** A copy of the conditions with their fields in a fixed order and no others. */
export function keptConditions(conditions: OrderConditions): OrderConditions {
  return copyOf(conditions, CONDITIONS);
}

/** The conditions without the owner's numbers, which decide nothing. */
export function decisiveConditions(conditions: OrderConditions): OrderConditions {
  return copyOf(conditions, DECISIVE);
}

export function decideAnything(conditions: OrderConditions): boolean {
  return DECISIVE.some((name) => conditions[name] !== undefined);
}

function copyOf(
  conditions: OrderConditions,
  names: readonly (keyof OrderConditions)[],
): OrderConditions {
  const copy: { -readonly [Name in keyof OrderConditions]: unknown } = {};
  for (const name of names) if (conditions[name] !== undefined) copy[name] = conditions[name];
  const { trigger } = conditions;
  if (trigger !== undefined) {
    copy.trigger =
      trigger.kind === "trailingStop"
        ? { kind: trigger.kind, trailBps: trigger.trailBps }
        : { kind: trigger.kind, triggerTicks: trigger.triggerTicks };
  }
  return copy as OrderConditions;
}

/** Whether the engine knows the conditions' enumerated values. */
export function areConditions(conditions: OrderConditions): boolean {
  if (typeof conditions !== "object" || conditions === null) return false;
  const { selfTradePrevention: mode, strategyId = 0, strategyType = 0, trigger } = conditions;
  return (
    Number.isSafeInteger(strategyId) &&
    Number.isSafeInteger(strategyType) &&
    (mode === undefined ||
      mode === "expireTaker" ||
      mode === "expireMaker" ||
      mode === "expireBoth" ||
      mode === "decrement") &&
    (trigger === undefined || isTrigger(trigger))
  );
}

function isTrigger(trigger: OrderTrigger): boolean {
  if (typeof trigger !== "object" || trigger === null) return false;
  const { kind } = trigger;
  return kind === "stop" || kind === "takeProfit" || kind === "trailingStop";
}

/** Why an order may not have these conditions, null if it may. */
export function validateConditions(
  terms: OrderTerms,
  conditions: OrderConditions,
  nowMs: number,
): RejectReason | null {
  const { displayLots, expiresAtMs, trigger } = conditions;
  const { orderType, timeInForce, quantityLots } = terms;
  if ((timeInForce === "gtd") !== (expiresAtMs !== undefined)) return "invalidTimeInForce";
  if (expiresAtMs !== undefined) {
    if (!isPositive(expiresAtMs)) return "invalidTimeInForce";
    if (expiresAtMs <= nowMs || expiresAtMs > nowMs + EXPIRY_MS_MAX) return "invalidTimeInForce";
  }
  if (displayLots !== undefined) {
    const mayRest = orderType === "limit" && (timeInForce === "gtc" || timeInForce === "gtd");
    if (!mayRest || !isDisplay(displayLots, quantityLots)) return "invalidDisplay";
  }
  if (trigger === undefined) return null;
  if (trigger.kind !== "trailingStop") {
    if (!isPositive(trigger.triggerTicks)) return "invalidTrigger";
  } else if (!isPositive(trigger.trailBps) || trigger.trailBps > TRAIL_BPS_MAX) {
    return "invalidTrigger";
  }
  // The quantity of a sell by quote amount is known only when it trades, too late to hold it.
  const sellsByTotal = orderType === "market" && terms.side === "sell" && terms.quoteAmount !== 0;
  return sellsByTotal ? "invalidAmount" : null;
}

/** Whether an iceberg of this quantity may have this visible quantity. */
export function isDisplay(displayLots: number, quantityLots: number): boolean {
  return (
    isPositive(displayLots) &&
    displayLots < quantityLots &&
    quantityLots <= displayLots * ICEBERG_PARTS_MAX
  );
}

export function isPositive(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

/** Plans of service and fees, their prices and the effect of choosing one. */
import type { Decimal, FeeSource } from "./types.ts";

export interface Plan {
  slug: string;
  name: string;
  description: string;
  makerFeeBps: number;
  takerFeeBps: number;
  /** The price per interval, in the settlement currency. */
  price: Decimal;
  interval: "none" | "month";
  eligibility: "everyone" | "volume" | "paid" | "assigned";
  volumeMin: Decimal;
  openOrdersMax: number;
  /** The most waiting and iceberg orders that may be open. */
  algoOrdersMax: number;
  /** Largest notional of one order, in the settlement currency; null without a limit. */
  notionalMax: Decimal | null;
  /** Lower fees from certain 30-day volumes on, ascending; empty if none. */
  volumeLadder: FeeTier[];
  /**
   * Orders placed or changed within ten seconds and within a day; beyond these, orders are refused
   * for some time.
   */
  ordersPerTenSeconds: number;
  ordersPerDay: number;
  /**
   * Limits of programs: weight of signed requests, number of keys, WebSockets and user-data
   * subscriptions.
   */
  requestWeightPerMinute: number;
  apiKeysMax: number;
  connectionsMax: number;
  userDataStreamsMax: number;
  features: string[];
  /**
   * Monthly taker volume from which this paid plan costs less than the default plan; null if there
   * is none.
   */
  breakEvenVolume: Decimal | null;
}

export interface FeeTier {
  /** The 30-day volume, in the settlement currency, from which the fees apply. */
  volumeMin: Decimal;
  makerFeeBps: number;
  takerFeeBps: number;
}

/**
 * The effect of choosing a plan now: take effect at once (`chargeNow`, or `atOnce` at no charge),
 * take effect when the running period ends (`atPeriodEnd`, or `next` if that was already chosen),
 * or withdraw such a choice (`keep`). Otherwise, why the plan cannot be chosen.
 */
export type PlanChoice =
  | "current"
  | "chargeNow"
  | "atOnce"
  | "atPeriodEnd"
  | "next"
  | "keep"
  | "assignedOnly"
  | "volumeNotReached"
  | "insufficientAvailable"
  | "accountFrozen";

export interface PlanOffer {
  plan: string;
  choice: PlanChoice;
  /** The amount charged at once, after a credit for the running period; null if none. */
  charge: Decimal | null;
  /** When the plan would take effect, if it can be chosen; null for at once. */
  effectiveAt: number | null;
}

/** The caller's plan and its successor. Amounts are in the settlement currency. */
export interface MyPlan {
  plan: string;
  name: string;
  /** The fees of orders placed now, in markets without fees of their own. */
  makerFeeBps: number;
  takerFeeBps: number;
  feeSource: FeeSource;
  /** Volume of the 30 full UTC days before today: fees and earned plans depend on it. */
  volume: Decimal;
  /** Volume of today, which counts from midnight on. */
  volumeToday: Decimal;
  /** The next fee tier of the plan; null if none. */
  nextFeeTier: (FeeTier & { missing: Decimal; progressPercent: Decimal }) | null;
  /** When the paid or earned period ends; null if the plan has no end. */
  renewsAt: number | null;
  /** The amount that the next period is charged; null if none. */
  renewalCharge: Decimal | null;
  /** The plan chosen to follow at `renewsAt`; null if the current plan continues. */
  nextPlan: string | null;
  isFrozen: boolean;
  /** An offer for every plan, in order. */
  offers: PlanOffer[];
}

export interface ChosenPlan {
  plan: string;
  /** When the chosen plan takes or took effect. */
  effectiveAt: number;
  /** The amount charged at once; null if none. */
  charged: Decimal | null;
}

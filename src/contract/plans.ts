/** Plans of service and fees, their prices and the effect of choosing one. */
import type { Decimal, FeeSource } from "./types.ts";

export interface Plan {
  slug: string;
  name: string;
  description: string;
  makerFeeBps: number;
  takerFeeBps: number;
  /** Per interval in the settlement currency. */
  price: Decimal;
  interval: "none" | "month";
  eligibility: "everyone" | "volume" | "paid" | "assigned";
  volumeMin: Decimal;
  openOrdersMax: number;
  /** Largest number of open triggers and icebergs. */
  algoOrdersMax: number;
  /** Largest value of one order in the settlement currency; null without a limit. */
  notionalMax: Decimal | null;
  /** Lower fees from a 30-day volume on, ascending; empty if none. */
  volumeLadder: VolumeStep[];
  /** Orders placed or changed; more are refused until some time has passed. */
  ordersPerTenSeconds: number;
  ordersPerDay: number;
  /** Of programs' signed requests; their keys, WebSockets and subscriptions of user data. */
  requestWeightPerMinute: number;
  apiKeysMax: number;
  connectionsMax: number;
  userDataStreamsMax: number;
  features: string[];
  /** Monthly taker volume from which a paid plan costs less than the default plan; else null. */
  breakEvenVolume: Decimal | null;
}

export interface VolumeStep {
  /** 30-day volume in the settlement currency from which the fees apply. */
  volumeMin: Decimal;
  makerFeeBps: number;
  takerFeeBps: number;
}

/**
 * What choosing a plan would do now: take effect at once (`chargeNow`, or `atOnce` at no charge),
 * follow when the running period ends (`atPeriodEnd`, or `next` if that was already chosen), or
 * withdraw such a choice (`keep`). Otherwise why it cannot be chosen.
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
  /** What is charged at once, after a credit for the running period; null if nothing is. */
  charge: Decimal | null;
  /** When it would take effect, if it can be chosen; null for at once. */
  effectiveAt: number | null;
}

/** The caller's plan and its future. Amounts are in the settlement currency. */
export interface MyPlan {
  plan: string;
  name: string;
  /** For orders placed now, in markets without their own fees. */
  makerFeeBps: number;
  takerFeeBps: number;
  feeSource: FeeSource;
  /** Traded on the 30 full days (UTC) before today: fees and earned plans depend on it. */
  volume: Decimal;
  /** Traded today; counts from midnight on. */
  volumeToday: Decimal;
  /** The next step of the plan's ladder; null if none. */
  nextStep: (VolumeStep & { missing: Decimal; progressPercent: Decimal }) | null;
  /** When the paid or earned period ends; null if the plan has no end. */
  renewsAt: number | null;
  /** What the next period is charged; null if nothing is. */
  renewalCharge: Decimal | null;
  /** Chosen to follow at `renewsAt`; null if the present plan continues. */
  nextPlan: string | null;
  isFrozen: boolean;
  /** Of every plan, in order. */
  offers: PlanOffer[];
}

export interface ChosenPlan {
  plan: string;
  /** When it takes or took effect. */
  effectiveAt: number;
  /** What was charged at once; null if nothing was. */
  charged: Decimal | null;
}

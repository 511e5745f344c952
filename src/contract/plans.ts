/** Plans of service and fees, what one costs and what choosing it does. */
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
  /** Lower fees from a 30-day volume on, ascending; empty where there are none. */
  volumeLadder: VolumeStep[];
  /** Orders placed or changed; beyond that they are refused until some time has passed. */
  ordersPerTenSeconds: number;
  ordersPerDay: number;
  features: string[];
  /** Monthly taker volume from which a paid plan costs less than the default plan; else null. */
  breakEvenVolume: Decimal | null;
}

export interface VolumeStep {
  /** 30-day volume in the settlement currency from which the fees hold. */
  volumeMin: Decimal;
  makerFeeBps: number;
  takerFeeBps: number;
}

/**
 * What choosing a plan would do now: hold at once (`chargeNow`, or `atOnce` at no charge), follow
 * when the running period ends (`atPeriodEnd`, or `next` where that was chosen already), or take such
 * a choice back (`keep`). Otherwise why it cannot be chosen.
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
  /** What is charged at once, a credit for the running period taken off; null where nothing is. */
  charge: Decimal | null;
  /** From when it would hold, where it can be chosen; null for at once. */
  effectiveAt: number | null;
}

/** The caller's plan and where it leads. Amounts are in the settlement currency. */
export interface MyPlan {
  plan: string;
  name: string;
  /** Of orders placed now, in markets without fees of their own. */
  makerFeeBps: number;
  takerFeeBps: number;
  feeSource: FeeSource;
  /** Traded on the 30 full days (UTC) before today: what fees and earned plans go by. */
  volume: Decimal;
  /** Traded today; counts from midnight on. */
  volumeToday: Decimal;
  /** The next step of the plan's ladder; null where there is none. */
  nextStep: (VolumeStep & { missing: Decimal; progressPercent: Decimal }) | null;
  /** When the paid or earned period ends; null where the plan has no end. */
  renewsAt: number | null;
  /** What the next period is charged; null where nothing is. */
  renewalCharge: Decimal | null;
  /** Chosen to follow at `renewsAt`; null where the plan goes on. */
  nextPlan: string | null;
  isFrozen: boolean;
  /** Of every plan, in their order. */
  offers: PlanOffer[];
}

/** What choosing a plan did. */
export interface ChosenPlan {
  plan: string;
  /** When it holds, or held from. */
  effectiveAt: number;
  /** What was charged at once; null if nothing was. */
  charged: Decimal | null;
}

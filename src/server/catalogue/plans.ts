/** The plans of the default catalogue: tiers of service and fees, never of returns. */
import type { PlanDefinition } from "#engine/commands.ts";
import { SETTLEMENT_COIN } from "./coins.ts";

/**
 * The plan of users who have chosen none. It is the first in the catalogue, which the engine gives
 * to new accounts.
 */
const DEFAULT_PLAN = "free";
const MARKET_MAKER_PLAN = "market-maker";

/**
 * How much of the exchange's capacity a user may use. The engine does not know these limits,
 * because they do not concern money.
 */
export interface PlanLimits {
  /** Orders placed, changed and replaced; cancelling has its own allowance. */
  readonly ordersPerTenSeconds: number;
  readonly ordersPerDay: number;
  /** Weight of signed requests. */
  readonly requestWeightPerMinute: number;
  readonly apiKeysMax: number;
  /** WebSockets on which the user's keys have signed a request. */
  readonly connectionsMax: number;
  /** User data subscriptions. */
  readonly userDataStreamsMax: number;
}

export const PLAN_LIMITS: Readonly<Record<string, PlanLimits>> = {
  [DEFAULT_PLAN]: {
    ordersPerTenSeconds: 100,
    ordersPerDay: 50_000,
    requestWeightPerMinute: 6_000,
    apiKeysMax: 30,
    connectionsMax: 50,
    userDataStreamsMax: 50,
  },
  active: {
    ordersPerTenSeconds: 200,
    ordersPerDay: 200_000,
    requestWeightPerMinute: 12_000,
    apiKeysMax: 60,
    connectionsMax: 100,
    userDataStreamsMax: 100,
  },
  pro: {
    ordersPerTenSeconds: 500,
    ordersPerDay: 1_000_000,
    requestWeightPerMinute: 24_000,
    apiKeysMax: 100,
    connectionsMax: 200,
    userDataStreamsMax: 200,
  },
  [MARKET_MAKER_PLAN]: {
    ordersPerTenSeconds: 5_000,
    ordersPerDay: 20_000_000,
    requestWeightPerMinute: 45_000,
    apiKeysMax: 200,
    connectionsMax: 300,
    userDataStreamsMax: 300,
  },
};

/** @param slug the plan's slug; an unknown plan has the limits of the default plan */
export function defaultPlanLimits(slug: string): PlanLimits {
  return PLAN_LIMITS[slug] ?? PLAN_LIMITS[DEFAULT_PLAN];
}

export const PLANS: readonly PlanDefinition[] = [
  {
    slug: DEFAULT_PLAN,
    name: "Free",
    description: "Everything that trading needs, at no charge.",
    position: 1,
    makerFeeBps: 20,
    takerFeeBps: 25,
    price: "0",
    interval: "none",
    eligibility: "everyone",
    volumeMin: "0",
    openOrdersMax: 200,
    features: ["All markets", "200 open orders", "Practice funds every day"],
    currency: SETTLEMENT_COIN,
    notionalMax: "1000000",
    algoOrdersMax: 50,
    volumeLadder: [
      { volumeMin: "100000", makerFeeBps: 18, takerFeeBps: 22 },
      { volumeMin: "500000", makerFeeBps: 14, takerFeeBps: 18 },
    ],
  },
  {
    slug: "active",
    name: "Active",
    description: "Lower fees for those who trade a lot; earned, not bought.",
    position: 2,
    makerFeeBps: 10,
    takerFeeBps: 15,
    price: "0",
    interval: "none",
    eligibility: "volume",
    volumeMin: "1000000",
    openOrdersMax: 500,
    features: ["Earned by 30-day volume", "500 open orders"],
    currency: SETTLEMENT_COIN,
    notionalMax: "2000000",
    algoOrdersMax: 100,
    volumeLadder: [
      { volumeMin: "5000000", makerFeeBps: 8, takerFeeBps: 12 },
      { volumeMin: "25000000", makerFeeBps: 6, takerFeeBps: 10 },
    ],
  },
  {
    slug: "pro",
    name: "Pro",
    description: "The lowest public fees, for a monthly price paid from the balance.",
    position: 3,
    makerFeeBps: 4,
    takerFeeBps: 8,
    price: "49",
    interval: "month",
    eligibility: "paid",
    volumeMin: "0",
    openOrdersMax: 1_000,
    features: ["Lowest public fees", "1,000 open orders"],
    currency: SETTLEMENT_COIN,
    notionalMax: "5000000",
    algoOrdersMax: 200,
    volumeLadder: [
      { volumeMin: "50000000", makerFeeBps: 2, takerFeeBps: 6 },
      { volumeMin: "250000000", makerFeeBps: 0, takerFeeBps: 5 },
    ],
  },
  {
    slug: MARKET_MAKER_PLAN,
    name: "Market maker",
    description: "For those who keep the books deep; assigned by an administrator.",
    position: 4,
    makerFeeBps: 0,
    takerFeeBps: 5,
    price: "0",
    interval: "none",
    eligibility: "assigned",
    volumeMin: "0",
    openOrdersMax: 5_000,
    features: ["Assigned by an administrator", "5,000 open orders"],
    currency: SETTLEMENT_COIN,
    algoOrdersMax: 500,
  },
];

/** Random commands around trading: plans, adjustments, freezes, definitions and states of markets. */
import * as fc from "fast-check";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { Command, PlanDefinition } from "#engine/commands.ts";
import { coin, market, otherCoins, plan, steps, type PriceShape, type Step } from "./commands.ts";

const ACCOUNTS = [16, 17, 18, 19];
/** Most commands have no time limit. */
const UNLIMITED: readonly undefined[] = Array.from({ length: 60 }, () => undefined);
const ADMINS = ["olga", "paul"];
const BREAKER = { bps: 300, windowMs: 60_000, haltMs: 1_000, auctionMs: 1_000 };

const PLANS: readonly PlanDefinition[] = [
  plan("free", {
    currency: "USD",
    algoOrdersMax: 2,
    volumeLadder: [
      { volumeMin: "0.01", makerFeeBps: 12, takerFeeBps: 18 },
      { volumeMin: "0.1", makerFeeBps: 0, takerFeeBps: 10_000 },
    ],
  }),
  plan("earned", { currency: "USD", eligibility: "volume", volumeMin: "0.005", openOrdersMax: 3 }),
  plan("small", { currency: "USD", eligibility: "paid", interval: "month", price: "0.002" }),
  plan("large", {
    currency: "USD",
    eligibility: "paid",
    interval: "month",
    price: "0.03",
    notionalMax: "0.02",
    openOrdersMax: 30,
    algoOrdersMax: 3,
  }),
  plan("once", { currency: "AAA", eligibility: "paid", price: "0.00001" }),
  plan("given", { eligibility: "assigned" }),
  plan("once-more", { currency: "AAA", eligibility: "paid", price: "0.00002" }),
];

/** Three coins, three markets with limits of every kind, seven plans, four accounts with money. */
export function houseOpening(funds = 2_000_000): Command[] {
  return [
    { type: "listCoin", coin: coin("USD", 6) },
    { type: "listCoin", coin: coin("AAA", 8) },
    { type: "listCoin", coin: coin("BBB", 2) },
    {
      type: "listMarket",
      market: market("AAA", { breaker: BREAKER, referenceTicks: 100 as Ticks }),
    },
    {
      type: "listMarket",
      market: market("BBB", {
        lotUnits: 1,
        tickLotUnits: 1,
        notionalMin: 0 as Amount,
        notionalMax: 4000 as Amount,
        priceBandBps: 200,
        passiveBandBps: 600,
        feeOverride: { makerFeeBps: 3, takerFeeBps: 7 },
      }),
    },
    ...PLANS.map((definition): Command => ({ type: "definePlan", plan: definition })),
    ...ACCOUNTS.map((_, index): Command => ({
      type: "openAccount",
      userId: `user ${index}`,
      kind: "participant",
    })),
    ...ACCOUNTS.flatMap((account) =>
      [1, 2, 3].map((assetId): Command => ({
        type: "fundParticipant",
        account,
        assetId,
        amount: funds as Amount,
      })),
    ),
  ];
}

const account = fc.constantFrom(...ACCOUNTS, ...ACCOUNTS, ...ACCOUNTS, 15, 20);
const marketId = fc.constantFrom(1, 1, 1, 2, 2, 9);
const admin = fc.constantFrom(...ADMINS, ...ADMINS, ...ADMINS, "", "x".repeat(65));
const reason = fc.constantFrom("because", "because", "because", " ");
const adjustmentId = fc.integer({ min: 0, max: 6 });

/** Commands of administrators, and of owners about their plans. */
const houseCommand: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("choosePlan"),
      account,
      planId: fc.integer({ min: 0, max: 7 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("assignPlan"),
      account,
      planId: fc.integer({ min: 0, max: 7 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("proposeAdjustment"),
      account,
      assetId: fc.integer({ min: 0, max: 4 }),
      amount: fc.constantFrom(
        1,
        500_000,
        -1,
        -1_500_000,
        0,
        0.5,
        2 ** 53 - 1,
        2 ** 53,
        1 - 2 ** 53,
      ),
      reason,
      proposedBy: admin,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("approveAdjustment"),
      adjustmentId,
      approvedBy: admin,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("rejectAdjustment"),
      adjustmentId,
      rejectedBy: admin,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("setAccountFreeze"),
      account,
      isFrozen: fc.constantFrom(true, false, false, false),
      cancelsOrders: fc.boolean(),
      byAdmin: admin,
      reason,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("setMarketStatus"),
      marketId,
      status: fc.constantFrom(
        "auction",
        "auction",
        "preOpen",
        "trading",
        "trading",
        "trading",
        "trading",
        "postOnly",
        "cancelOnly",
        "halted",
        "closed",
      ),
      forMs: fc.constantFrom(0, 0, 0, 1, 1000, 3_600_000, -1, 0.5),
      byAdmin: admin,
      reason,
    }),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        planId: fc.integer({ min: 0, max: 7 }),
        makerFeeBps: fc.constantFrom(0, 5, 10_000, 10_001),
        price: fc.constantFrom("0", "0.002", "0.01", "1", "0.0000001"),
        isWithdrawn: fc.constantFrom(false, false, true),
      })
      .map(({ planId, isWithdrawn, ...terms }): Command => ({
        type: "updatePlan",
        planId,
        plan: {
          ...(PLANS[planId - 1] ?? PLANS[0]),
          ...terms,
          ...(isWithdrawn && planId !== 1 && { eligibility: "assigned" }),
        },
      })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({
        band: fc.constantFrom(
          {},
          { priceBandBps: 100 },
          { priceBandBps: 1000, passiveBandBps: 20_000 },
          { priceBandBps: 0 },
        ),
        breaker: fc.constantFrom(undefined, BREAKER, { ...BREAKER, bps: 100 }),
        notionalMax: fc.constantFrom(undefined, 3000, 100_000, -1),
        protectionBps: fc.constantFrom(undefined, undefined, 100, 2000),
        feeOverride: fc.constantFrom(undefined, { makerFeeBps: 0, takerFeeBps: 1 }),
      })
      .map(({ band, ...terms }): Command => ({
        type: "updateMarket",
        marketId: 1,
        market: market("AAA", { ...band, ...terms, notionalMax: terms.notionalMax as Amount }),
      })),
  },
);

/** Icebergs, trigger orders and orders with an expiry, near the market's price. */
const conditional: fc.Arbitrary<Command> = fc
  .record({
    account,
    marketId,
    side: fc.constantFrom("buy", "sell"),
    priceTicks: fc.integer({ min: 92, max: 108 }),
    triggerTicks: fc.integer({ min: 95, max: 105 }),
    quantityLots: fc.integer({ min: 2, max: 40 }),
    shape: fc.constantFrom("iceberg", "iceberg", "stop", "takeProfit", "market stop"),
  })
  .map(({ shape, triggerTicks, ...terms }): Command => ({
    type: "placeOrder",
    orderType: shape === "market stop" ? "market" : "limit",
    timeInForce: shape === "market stop" ? "ioc" : "gtc",
    postOnly: false,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
    account: terms.account,
    marketId: terms.marketId,
    side: terms.side,
    priceTicks: (shape === "market stop" ? 0 : terms.priceTicks) as Ticks,
    quantityLots: terms.quantityLots as Lots,
    conditions:
      shape === "iceberg"
        ? { displayLots: Math.ceil(terms.quantityLots / 3) as Lots }
        : {
            trigger: {
              kind: shape === "takeProfit" ? "takeProfit" : "stop",
              triggerTicks: triggerTicks as Ticks,
            },
          },
  }));
const amend: fc.Arbitrary<Command> = fc.record({
  type: fc.constant("amendOrder"),
  account,
  orderId: fc.integer({ min: 1, max: 40 }),
  priceTicks: fc.constantFrom(0, 98, 99, 100, 101, 102) as fc.Arbitrary<Ticks>,
  quantityLots: fc.constantFrom(0, 5, 30) as fc.Arbitrary<Lots>,
  everyKind: fc.constantFrom(true, false),
});

/**
 * Adjustments, paid plans, auctions and practice funds with values chosen to be accepted, which random
 * values hardly ever are.
 */
const aimedHouseCommand: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    type: fc.constant("choosePlan"),
    account: fc.constantFrom(...ACCOUNTS),
    planId: fc.constantFrom(3, 4, 5, 7),
  }),
  fc.record({
    type: fc.constant("proposeAdjustment"),
    account: fc.constantFrom(...ACCOUNTS),
    assetId: fc.constantFrom(1, 2, 3),
    amount: fc.constantFrom(1, 500_000, -1, -1_500_000, 2 ** 53 - 1),
    reason: fc.constant("because"),
    proposedBy: fc.constantFrom(...ADMINS),
  }),
  fc.record({
    type: fc.constant("setMarketStatus"),
    marketId: fc.constantFrom(1, 2),
    status: fc.constantFrom("auction", "preOpen", "postOnly", "postOnly", "trading", "trading"),
    forMs: fc.constant(0),
    byAdmin: fc.constantFrom(...ADMINS),
    reason: fc.constant("because"),
  }),
  fc.record({
    type: fc.constant("approveAdjustment"),
    adjustmentId: fc.constantFrom(1, 2, 3, 4),
    approvedBy: fc.constantFrom(...ADMINS),
  }),
  fc.record({
    type: fc.constantFrom("takePracticeFunds", "takePracticeFunds", "fundParticipant"),
    account: fc.constantFrom(...ACCOUNTS, 20),
    assetId: fc.constantFrom(1, 2, 3, 4),
    amount: fc.constantFrom(1, 5000, 1_000_000, 2 ** 53 - 1, 0) as fc.Arbitrary<Amount>,
  }),
  fc.record({
    type: fc.constant("takePracticeFunds"),
    account: fc.constantFrom(...ACCOUNTS, 20),
    assetId: fc.constantFrom(1, 2, 3),
    amount: fc.constantFrom(5000, 1_000_000) as fc.Arbitrary<Amount>,
    otherCoins,
  }),
);

/** A step outside trading, to be mixed with orders. */
export const houseStep: fc.Arbitrary<Step> = fc.record({
  command: fc.oneof(
    { weight: 8, arbitrary: houseCommand },
    { weight: 3, arbitrary: aimedHouseCommand },
    { weight: 1, arbitrary: fc.constant<Command>({ type: "advanceTime" }) },
  ),
  afterMs: fc.oneof(
    fc.constant(0),
    fc.constantFrom(500, 1000, 1000, 60_000, 60_000, 86_400_000, 31 * 86_400_000),
  ),
  idempotencyKey: fc.constant(""),
  validForMs: fc.constantFrom(...UNLIMITED, -1, 0, 60_001),
});

/** The plain commands of `steps` mixed with those above. */
export function houseSteps(shape: PriceShape, length: number): fc.Arbitrary<Step[]> {
  const beside = fc.record({
    command: fc.oneof(
      { weight: 6, arbitrary: houseCommand },
      { weight: 4, arbitrary: conditional },
      { weight: 2, arbitrary: amend },
      { weight: 1, arbitrary: fc.constant<Command>({ type: "advanceTime" }) },
    ),
    afterMs: fc.constantFrom(0, 0, 0, 500, 1000, 60_000, 86_400_000, 31 * 86_400_000),
    idempotencyKey: fc.constantFrom("", "", "", "h1", "h2"),
  });
  return fc
    .tuple(steps(shape, length), fc.array(beside, { minLength: 1, maxLength: length, size: "max" }))
    .chain(([plain, house]) => fc.shuffledSubarray([...plain, ...house], { minLength: 1 }));
}

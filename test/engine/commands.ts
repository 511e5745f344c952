/** Random commands and sequences for the engine's property tests. */
import * as fc from "fast-check";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type {
  AssetAmount,
  Command,
  CoinDefinition,
  MarketDefinition,
  PlanDefinition,
} from "#engine/commands.ts";

/** A command with its idempotency key and the time that passes before it. */
export interface Step {
  readonly command: Command;
  readonly afterMs: number;
  readonly idempotencyKey: string;
  /** Validity from the time of sequencing, in milliseconds; `aimed` converts it to a time limit. */
  readonly validForMs?: number | undefined;
}

export const coin = (symbol: string, scale: number): CoinDefinition => ({
  symbol,
  name: symbol,
  kind: "simulated",
  status: "listed",
  scale,
  displayDecimals: Math.min(2, scale),
  description: "",
  website: "",
  riskNote: "",
});

export const market = (base: string, terms: Partial<MarketDefinition> = {}): MarketDefinition => ({
  symbol: `${base}-USD`,
  base,
  quote: "USD",
  lotUnits: 1000,
  tickLotUnits: 10,
  notionalMin: 50 as Amount,
  quantityLotsMax: 1_000_000 as Lots,
  status: "trading",
  simulated: true,
  ...terms,
});

export const plan = (slug: string, terms: Partial<PlanDefinition> = {}): PlanDefinition => ({
  slug,
  name: slug,
  description: "",
  position: 0,
  makerFeeBps: 20,
  takerFeeBps: 25,
  price: "0",
  interval: "none",
  eligibility: "everyone",
  volumeMin: "0",
  openOrdersMax: 12,
  features: [],
  ...terms,
});

const ACCOUNTS = [16, 17, 18, 19];

/** Three coins, three markets (one closed), three plans, four accounts with money. */
export function opening(fundsUsd: number, fundsBase: number): Command[] {
  return [
    { type: "listCoin", coin: coin("USD", 6) },
    { type: "listCoin", coin: coin("AAA", 8) },
    { type: "listCoin", coin: coin("BBB", 2) },
    { type: "listMarket", market: market("AAA") },
    {
      type: "listMarket",
      market: market("BBB", { lotUnits: 1, tickLotUnits: 1, notionalMin: 0 as Amount }),
    },
    { type: "definePlan", plan: plan("free") },
    { type: "definePlan", plan: plan("pro", { makerFeeBps: 0, takerFeeBps: 1 }) },
    { type: "definePlan", plan: plan("all", { makerFeeBps: 10_000, takerFeeBps: 9_999 }) },
    ...ACCOUNTS.map((_, index): Command => ({
      type: "openAccount",
      userId: `user ${index}`,
      kind: index < 1 ? "person" : "participant",
    })),
    { type: "takePracticeFunds", account: 16, assetId: 1, amount: fundsUsd as Amount },
    ...[17, 18, 19].flatMap((account) =>
      [1, 2, 3].map((assetId): Command => ({
        type: "fundParticipant",
        account,
        assetId,
        amount: (assetId === 1 ? fundsUsd : fundsBase) as Amount,
      })),
    ),
  ];
}

const account = fc.constantFrom(...ACCOUNTS, ...ACCOUNTS, ...ACCOUNTS, 15, 20);
const marketId = fc.constantFrom(1, 1, 1, 1, 2, 2, 2, 3);
export const side = fc.constantFrom("buy", "sell");
export const clientOrderId = fc.constantFrom("", "", "", "", "", "a", "b", "c");
export const lots = fc.integer({ min: 1, max: 60 });

export const limitOrder = (price: fc.Arbitrary<number>): fc.Arbitrary<Command> =>
  fc.record({
    type: fc.constant("placeOrder"),
    account,
    marketId,
    side,
    orderType: fc.constant("limit"),
    timeInForce: fc.constantFrom("gtc", "gtc", "gtc", "gtc", "ioc", "fok"),
    postOnly: fc.constantFrom(false, false, false, false, true),
    priceTicks: price as fc.Arbitrary<Ticks>,
    quantityLots: lots as fc.Arbitrary<Lots>,
    quoteAmount: fc.constant(0 as Amount),
    clientOrderId,
  });

export const marketOrder: fc.Arbitrary<Command> = fc
  .record({
    account,
    marketId,
    side,
    lots,
    quote: fc.integer({ min: 1, max: 80_000 }),
    isByQuote: fc.boolean(),
    clientOrderId,
  })
  .map(({ lots: quantity, quote, isByQuote, ...rest }) => ({
    type: "placeOrder",
    orderType: "market",
    timeInForce: "ioc",
    postOnly: false,
    priceTicks: 0 as Ticks,
    quantityLots: (isByQuote ? 0 : quantity) as Lots,
    quoteAmount: (isByQuote ? quote : 0) as Amount,
    ...rest,
  }));

/** Values that must all be refused. */
const oddNumber = fc.constantFrom(
  0,
  1,
  -1,
  0.5,
  NaN,
  Infinity,
  2 ** 53,
  2 ** 53 - 1,
  1e15,
  1_000_001,
);
const oddOrder: fc.Arbitrary<Command> = fc.record({
  type: fc.constant("placeOrder"),
  account,
  marketId: fc.constantFrom(1, 2, 0, -1, 1.5, 9),
  side,
  orderType: fc.constantFrom("limit", "market"),
  timeInForce: fc.constantFrom("gtc", "ioc", "fok"),
  postOnly: fc.boolean(),
  priceTicks: fc.oneof(oddNumber, fc.constant(100)) as fc.Arbitrary<Ticks>,
  quantityLots: fc.oneof(oddNumber, lots) as fc.Arbitrary<Lots>,
  quoteAmount: fc.oneof(oddNumber, fc.constant(0)) as fc.Arbitrary<Amount>,
  clientOrderId: fc.constantFrom("", "a", "white space", "x".repeat(37)),
});

const cancel: fc.Arbitrary<Command> = fc.record({
  type: fc.constant("cancelOrder"),
  account,
  orderId: fc.integer({ min: 0, max: 40 }),
});
const cancelAll: fc.Arbitrary<Command> = fc.record({
  type: fc.constant("cancelAllOrders"),
  account,
  marketId: fc.constantFrom(0, 0, 1, 2, 9),
});

/** Random assets and amounts, some of which must be refused. */
export const otherCoins: fc.Arbitrary<AssetAmount[]> = fc.array(
  fc.record({
    assetId: fc.constantFrom(1, 2, 2, 3, 3, 4, 0),
    amount: fc.constantFrom(1, 5000, 1_000_000, 2 ** 53 - 1, 0) as fc.Arbitrary<Amount>,
  }),
  { maxLength: 3 },
);

export const rare: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    type: fc.constant("takePracticeFunds"),
    account,
    assetId: fc.constantFrom(1, 2, 3),
    amount: fc.constantFrom(5000, 1_000_000) as fc.Arbitrary<Amount>,
    otherCoins,
  }),
  fc.record({
    type: fc.constantFrom("takePracticeFunds", "fundParticipant"),
    account,
    assetId: fc.constantFrom(1, 2, 3, 4, 0),
    amount: fc.constantFrom(1, 5000, 1_000_000, 2 ** 53 - 1, 0, -1, 1.5) as fc.Arbitrary<Amount>,
  }),
  fc.record({
    type: fc.constant("assignPlan"),
    account,
    planId: fc.constantFrom(1, 2, 3, 4),
  }),
  fc.record({ type: fc.constant("startSimulation"), seed: fc.nat() }),
  fc.constant<Command>({ type: "listCoin", coin: coin("USD", 6) }),
  fc.constant<Command>({ type: "listCoin", coin: coin("CCC", 0) }),
  fc.constant<Command>({ type: "listMarket", market: market("CCC", { status: "halted" }) }),
  fc.constant<Command>({ type: "listMarket", market: market("AAA") }),
  fc.constant<Command>({ type: "definePlan", plan: plan("free") }),
  fc.record({
    type: fc.constant("openAccount"),
    userId: fc.constantFrom("user 0", "late"),
    kind: fc.constantFrom("person", "participant"),
  }),
);

export type PriceShape = "tight" | "wide" | "drifting";

/** Prices around one touch, over the full range, or in clusters far apart. */
export function prices(shape: PriceShape): fc.Arbitrary<number> {
  const near = fc.integer({ min: 95, max: 105 });
  switch (shape) {
    case "tight":
      return near;
    case "wide":
      return fc.oneof(
        near,
        fc.integer({ min: 1, max: 5000 }),
        fc.integer({ min: 1, max: 200_000 }),
        fc.constantFrom(1, 2, 1023, 1024, 1025, 2 ** 31, 2 ** 40, 9e12),
      );
    default:
      return fc
        .tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 40 }))
        .map(([cluster, tick]) => 1 + cluster * 700 + tick);
  }
}

export function steps(shape: PriceShape, length: number): fc.Arbitrary<Step[]> {
  const command = fc.oneof(
    { weight: 50, arbitrary: limitOrder(prices(shape)) },
    { weight: 15, arbitrary: marketOrder },
    { weight: 18, arbitrary: cancel },
    { weight: 4, arbitrary: cancelAll },
    { weight: 6, arbitrary: oddOrder },
    { weight: 4, arbitrary: rare },
  );
  return fc.array(
    fc.record({
      command,
      afterMs: fc.constantFrom(0, 0, 1, 10, 1000, 1000, 3_600_000, 86_400_000, 3 * 86_400_000),
      idempotencyKey: fc.constantFrom("", "", "", "", "", "k1", "k2", "k3"),
    }),
    { minLength: 1, maxLength: length, size: "max" },
  );
}

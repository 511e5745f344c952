/**
 * Coins, plans, markets and simulated participants as operators describe them, in a catalogue file or on
 * the administration pages. Amounts and steps are decimals, fees and bands basis points. For the server and
 * for types: pages do not load this file.
 */
import { z } from "zod";
import { isAddressPattern } from "./address-pattern.ts";
import { isDecimal } from "./decimal.ts";
import { COIN_STATUSES } from "./enumerations.ts";

/** A decimal as text; also accepts a number, since YAML reads 0.01 without quotes as one. */
export const decimal = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine(isDecimal, "must be a decimal such as 0.01; write a very small one in quotes");
const basisPoints = z.int().min(0).max(10_000);
const words = z.string().max(4_096);

const declaredNetwork = z.strictObject({
  code: z
    .string()
    .regex(/^[A-Z0-9-]{1,16}$/, "must be 1 to 16 capital letters, digits and hyphens"),
  name: z.string().min(1).max(64),
  instructions: words.default("").describe("What a user does to pay in."),
  addressPattern: z
    .string()
    .max(200)
    .refine(isAddressPattern, "must be letters, digits and classes such as [a-z]{2,40}")
    .optional()
    .describe("What an address to withdraw to looks like, such as DE[0-9]{20}."),
  memo: z.boolean().default(false).describe("Whether an address may have a memo."),
  confirmations: z.int().min(0).max(10_000).default(0),
  deposits: z.boolean().default(true).describe("Whether users may pay in."),
  withdrawals: z.boolean().default(true).describe("Whether users may withdraw."),
});

const declaredTransfers = z.strictObject({
  depositMin: decimal.default("0"),
  depositHours: z
    .int()
    .min(1)
    .max(8_760)
    .default(336)
    .describe("How long an announced deposit may take to arrive, before it expires."),
  withdrawalMin: decimal.default("0"),
  withdrawalFee: decimal.default("0").describe("Charged in addition to the amount."),
  withdrawalMax: decimal.optional().describe("The largest withdrawal."),
  oneApprovalMax: decimal
    .optional()
    .describe(
      "How much one administrator decides alone per UTC day, and how much of one owner's is decided so; " +
        "all need two without it.",
    ),
  networks: z.array(declaredNetwork).max(16),
});

export const declaredCoin = z.strictObject({
  symbol: z.string().regex(/^[A-Z0-9]{1,16}$/, "must be 1 to 16 capital letters and digits"),
  name: z.string().min(1).max(64),
  kind: z.enum(["crypto", "fiat", "token", "points"]),
  decimals: z.int().min(0).max(15).describe("Of the smallest unit in the ledger; never changes."),
  shownDecimals: z.int().min(0).max(15).describe("With which pages show an amount."),
  description: words.default(""),
  website: z.union([z.literal(""), z.url({ protocol: /^https?$/ })]).default(""),
  riskNote: words.default(""),
  icon: z
    .string()
    .refine((icon) => icon.length <= 21_848, "must be an image of at most 16 KiB")
    .optional()
    .describe("A square PNG of 16 to 256 pixels and at most 16 KiB, in base 64."),
  status: z
    .enum(COIN_STATUSES)
    .default("listed")
    .describe(
      "Whether it is hidden or leaving, and whether a coin with transfers may be paid in and out; what trades is " +
        "the markets' matter.",
    ),
  transfers: declaredTransfers
    .optional()
    .describe("A coin with these is paid in and out; one without is practice money. For ever."),
});

const fees = { makerFeeBps: basisPoints, takerFeeBps: basisPoints };

export const declaredPlan = z.strictObject({
  slug: z.string().regex(/^[a-z0-9-]{1,32}$/, "must be 1 to 32 small letters, digits and hyphens"),
  name: z.string().min(1).max(64),
  description: words.default(""),
  ...fees,
  eligibility: z
    .enum(["everyone", "volume", "paid", "assigned"])
    .describe("How a user gets it; the first plan is for everyone."),
  price: decimal.default("0").describe("In the settlement coin."),
  interval: z.enum(["none", "month"]).default("none"),
  volumeMin: decimal.default("0").describe("The 30-day volume that earns it."),
  openOrdersMax: z.int().min(0).max(1_000_000),
  waitingOrdersMax: z.int().min(0).max(1_000_000).optional(),
  ordersPerTenSeconds: z.int().min(1).max(1_000_000).default(100),
  ordersPerDay: z.int().min(1).max(1_000_000_000).default(50_000),
  requestWeightPerMinute: z
    .int()
    .min(1)
    .max(45_000)
    .default(6_000)
    .describe("Of signed requests; never less than TRADING_API_WEIGHT."),
  apiKeysMax: z.int().min(0).max(1_000).default(30),
  connectionsMax: z
    .int()
    .min(0)
    .max(10_000)
    .default(50)
    .describe("WebSockets on which a user's keys have signed something."),
  userDataStreamsMax: z.int().min(0).max(10_000).default(50),
  largestOrder: decimal.optional().describe("In the settlement coin."),
  withdrawalDailyMax: decimal
    .optional()
    .describe("What may be withdrawn per UTC day, in the settlement coin."),
  withdrawalMonthlyMax: decimal.optional().describe("The same per UTC month."),
  features: z.array(words).max(32).default([]),
  volumeLadder: z
    .array(z.strictObject({ volumeMin: decimal, ...fees }))
    .max(32)
    .optional(),
});

const breaker = z.strictObject({
  bps: z.int().min(1).max(9_999),
  windowMs: z.int(),
  haltMs: z.int(),
  auctionMs: z.int(),
});

const marketSymbol = z.string().regex(/^[A-Z0-9]{1,16}-[A-Z0-9]{1,16}$/, "must be BASE-QUOTE");

export const declaredMarket = z.strictObject({
  symbol: marketSymbol,
  priceStep: decimal.describe("A power of ten; never changes."),
  quantityStep: decimal.describe("A power of ten; never changes."),
  smallestOrder: decimal.describe("Value of the smallest order, in the quote coin."),
  largestOrder: decimal.optional().describe("Value of the largest order, in the quote coin."),
  largestQuantity: decimal,
  status: z
    .enum(["preOpen", "auction", "trading", "postOnly", "cancelOnly", "halted", "closed"])
    .default("trading")
    .describe("The state in which it is listed; later an administrator changes it."),
  simulated: z
    .boolean()
    .default(false)
    .describe("Whether the simulation trades it; only for markets that the simulation knows."),
  referencePrice: decimal.optional().describe("Stands for the last price before the first trade."),
  priceBandBps: z.int().min(1).max(9_999).optional(),
  passiveBandBps: z.int().min(1).max(1_000_000).optional(),
  protectionBps: z.int().min(1).max(10_000).optional(),
  selfTradePrevention: z.enum(["expireTaker", "expireMaker", "expireBoth", "decrement"]).optional(),
  fees: z.strictObject(fees).optional().describe("In place of every plan's fees."),
  breaker: breaker.optional(),
});

const percent = z.int().min(1).max(1_000);
/**
 * A lower one would not represent a whole coin of the costliest one; a higher one could exceed the
 * limit of an account.
 */
const inventoryValue = z.int().min(100_000).max(100_000_000);

export const declaredParticipant = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/, "must be 1 to 32 small letters, digits and hyphens")
    .describe("Its account is named simulated:NAME."),
  style: z
    .enum(["marketMaker", "noiseTrader", "trendFollower"])
    .describe(
      "A marketMaker keeps a ladder of quotes, a noiseTrader takes and places orders at random, " +
        "a trendFollower trades with a move.",
    ),
  plan: z.string().optional().describe("The slug of its plan; the first plan by default."),
  markets: z
    .array(marketSymbol)
    .min(1)
    .optional()
    .describe("The simulated markets that it trades; all of them by default."),
  pacePercent: percent
    .default(100)
    .describe(
      "How often it decides, in percent of its style's usual rate; of a noiseTrader the share of a " +
        "market's usual orders.",
    ),
  sizePercent: percent
    .default(100)
    .describe("How large its orders are, in percent of its style's usual size."),
  distancePercent: percent
    .optional()
    .describe("How far a marketMaker quotes from the price, in percent of the usual distance."),
  cashValue: inventoryValue
    .default(25_000_000)
    .describe("What it gets of the settlement coin, at the beginning and whenever it runs out."),
  coinValue: inventoryValue
    .default(6_000_000)
    .describe("The same of each other coin, as a value in the settlement coin."),
});

export type DeclaredCoin = z.output<typeof declaredCoin>;
export type DeclaredPlan = z.output<typeof declaredPlan>;
export type DeclaredMarket = z.output<typeof declaredMarket>;
export type DeclaredParticipant = z.output<typeof declaredParticipant>;

/** Fields that are read from the catalogue file at each start and cannot be changed on pages. */
const OF_THE_FILE = {
  ordersPerTenSeconds: true,
  ordersPerDay: true,
  requestWeightPerMinute: true,
  apiKeysMax: true,
  connectionsMax: true,
  userDataStreamsMax: true,
} as const;

/** One new coin, plan or market, or the fields of one to change. */
export const catalogueEntry = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("coin"), coin: declaredCoin }),
  z.strictObject({ kind: z.literal("plan"), plan: declaredPlan.omit(OF_THE_FILE) }),
  z.strictObject({ kind: z.literal("market"), market: declaredMarket }),
]);
export type CatalogueEntry = z.output<typeof catalogueEntry>;
export type ListedPlan = Omit<DeclaredPlan, keyof typeof OF_THE_FILE>;

/** The whole catalogue, in the format of a catalogue file. */
export interface CatalogueEntries {
  settlementCoin: string;
  coins: DeclaredCoin[];
  plans: ListedPlan[];
  markets: DeclaredMarket[];
  versions: EntryVersion[];
}

/** The version of one entry; every change of the entry gives a new version. */
export interface EntryVersion {
  kind: CatalogueEntry["kind"];
  /** A symbol of a coin or market, or a plan's slug. */
  name: string;
  version: string;
}

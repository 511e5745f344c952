/**
 * A catalogue as an operator writes it, in YAML or JSON: the coins, plans and markets of an exchange.
 * Amounts and steps are decimals, fees and bands basis points. docs/catalogue.md describes it;
 * docs/catalogue.schema.json is made from the schema below.
 */
import { parse, YAMLParseError } from "yaml";
import { z } from "zod";
import { isDecimal } from "#contract/decimal.ts";

const FILE_LENGTH_MAX = 1_000_000;

/** A text of decimal digits; YAML reads 0.01 without quotes as a number. */
const decimal = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine(isDecimal, "must be a decimal such as 0.01; write a very small one in quotes");
const basisPoints = z.int().min(0).max(10_000);
const words = z.string().max(4_096);

const coin = z.strictObject({
  symbol: z.string().regex(/^[A-Z0-9]{1,16}$/, "must be 1 to 16 capital letters and digits"),
  name: z.string().min(1).max(64),
  kind: z.enum(["crypto", "fiat", "token", "points"]),
  decimals: z.int().min(0).max(15).describe("Of the smallest unit in the ledger; never changes."),
  shownDecimals: z.int().min(0).max(15).describe("With which pages show an amount."),
  description: words.default(""),
  website: z.union([z.literal(""), z.url({ protocol: /^https?$/ })]).default(""),
  riskNote: words.default(""),
});

const fees = { makerFeeBps: basisPoints, takerFeeBps: basisPoints };

const plan = z.strictObject({
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

const market = z.strictObject({
  symbol: z.string().regex(/^[A-Z0-9]{1,16}-[A-Z0-9]{1,16}$/, "must be BASE-QUOTE"),
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

const catalogueFile = z.strictObject({
  settlementCoin: z.string().describe("In which balances, fees and volumes are valued."),
  practiceFunds: z
    .record(z.string(), decimal)
    .refine((funds) => Object.keys(funds).length > 0, "must name at least one coin")
    .describe("What a user may take once a day, by coin."),
  coins: z.array(coin).min(1),
  plans: z.array(plan).min(1),
  markets: z.array(market),
});

export type CatalogueFile = z.output<typeof catalogueFile>;
export type DeclaredCoin = CatalogueFile["coins"][number];
export type DeclaredPlan = CatalogueFile["plans"][number];
export type DeclaredMarket = CatalogueFile["markets"][number];

/** For editors, which complete and check a file as it is written. */
export function catalogueFileSchema() {
  return z.toJSONSchema(catalogueFile, { io: "input" });
}

/** A catalogue is wrong; a sentence for each reason. */
export class CatalogueError extends Error {
  readonly sentences: readonly string[];

  constructor(sentences: readonly string[]) {
    super(sentences.join("\n"));
    this.sentences = sentences;
  }
}

/**
 * @param text YAML, of which JSON is a part
 * @throws CatalogueError with a sentence for each field that is wrong in itself
 */
export function readCatalogueFile(text: string): CatalogueFile {
  if (text.length > FILE_LENGTH_MAX) throw new CatalogueError(["The file is longer than 1 MB."]);
  const result = catalogueFile.safeParse(parseText(text));
  if (result.success) return result.data;
  throw new CatalogueError(
    result.error.issues.map(({ path, message }) => `${placeOf(path)}: ${reasonOf(message)}.`),
  );
}

/** The library's sentences about types, as ours go on after a name. */
function reasonOf(message: string): string {
  if (message.endsWith("received undefined")) return "is missing";
  return message
    .replace(
      /^Invalid (?:input|option): expected (.+), received (.+)$/,
      "must be a $1, and is a $2",
    )
    .replace(/^Invalid (?:input|option): expected /, "must be ");
}

function parseText(text: string): unknown {
  try {
    // Aliases could unfold a small file into a huge one.
    return parse(text, { maxAliasCount: 0 });
  } catch (error) {
    if (error instanceof YAMLParseError || error instanceof ReferenceError) {
      throw new CatalogueError([`The file is neither YAML nor JSON: ${error.message}`]);
    }
    throw error;
  }
}

/** Such as `markets[2].priceStep`. */
function placeOf(path: readonly PropertyKey[]): string {
  const place = path
    .map((part) => (typeof part === "number" ? `[${part + 1}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
  return place === "" ? "The file" : place;
}

/**
 * Validates the definition of a coin, a market or a plan by itself. Definitions are external input:
 * every field is checked, its type included. Pure.
 */
import { AMOUNT_MAX, parseUnits, type Amount } from "../amount.ts";
import { DAY_MS } from "../time/calendar.ts";
import type {
  BreakerTerms,
  CoinDefinition,
  CoinNetwork,
  FeeRates,
  FeeTier,
  MarketDefinition,
  PlanDefinition,
  TransferTerms,
} from "../commands.ts";
import { integer, list, oneOf, optional, plain, record, text } from "./definition-fields.ts";
import { isMarketStatus } from "./market-statuses.ts";

const SCALE_MAX = 15;
const BPS_ONE = 10_000;
/** A hundred times the last price. */
const PASSIVE_BAND_BPS_MAX = 1_000_000;
const FEATURES_MAX = 32;
const FEE_TIERS_MAX = 32;
const NETWORKS_MAX = 16;
/** 16 KiB in base 64. */
const ICON_LENGTH_MAX = 21_848;

const NAME = text(64);
const TEXT = text(4096);
const COIN_SYMBOL = text(64, /^[A-Z0-9]{1,16}$/);
const DECIMAL = text(64, /^\d{1,16}(\.\d{1,15})?$/);
const FEE_BPS = integer(0, BPS_ONE);
const OPEN_ORDERS = integer(0, 1_000_000);
const BREAKER_MS = integer(1000, DAY_MS);

const UNITS = integer<Amount>(0, AMOUNT_MAX);
const SWITCH = plain<boolean>((value) => typeof value === "boolean");

const NETWORK = record<CoinNetwork>({
  code: text(16, /^[A-Z0-9-]{1,16}$/),
  name: NAME,
  instructions: TEXT,
  addressPattern: optional(text(200)),
  hasMemo: SWITCH,
  confirmations: integer(0, 10_000),
  depositsOpen: SWITCH,
  withdrawalsOpen: SWITCH,
});

const TRANSFERS = record<TransferTerms>({
  depositMin: UNITS,
  // Up to a year.
  depositHours: optional(integer(1, 8_760)),
  withdrawalMin: UNITS,
  withdrawalFee: UNITS,
  withdrawalMax: optional(UNITS),
  oneApprovalMax: optional(UNITS),
  networks: list(NETWORKS_MAX, NETWORK),
});

export const COIN = record<CoinDefinition>({
  symbol: COIN_SYMBOL,
  name: NAME,
  kind: oneOf("crypto", "fiat", "token", "points", "simulated"),
  status: oneOf("listed", "depositOnly", "withdrawOnly", "delisting", "hidden"),
  scale: integer(0, SCALE_MAX),
  displayDecimals: integer(0, SCALE_MAX),
  description: TEXT,
  website: TEXT,
  riskNote: TEXT,
  icon: optional(text(ICON_LENGTH_MAX, /^[A-Za-z0-9+/]+={0,2}$/)),
  transfers: optional(TRANSFERS),
});

const FEE_RATES = record<FeeRates>({ makerFeeBps: FEE_BPS, takerFeeBps: FEE_BPS });

const BREAKER = record<BreakerTerms>({
  bps: integer(1, BPS_ONE - 1),
  windowMs: BREAKER_MS,
  haltMs: BREAKER_MS,
  auctionMs: BREAKER_MS,
});

export const MARKET = record<MarketDefinition>({
  symbol: text(2 * 64 + 1),
  base: NAME,
  quote: NAME,
  lotUnits: integer(1, AMOUNT_MAX),
  tickLotUnits: integer(1, AMOUNT_MAX),
  notionalMin: integer(0, AMOUNT_MAX),
  quantityLotsMax: integer(1, AMOUNT_MAX),
  status: plain((status) => isMarketStatus(status as string)),
  simulated: plain((value) => typeof value === "boolean"),
  notionalMax: optional(integer(1, AMOUNT_MAX)),
  // A band of 10 000 basis points or more would allow every price below.
  priceBandBps: optional(integer(1, BPS_ONE - 1)),
  passiveBandBps: optional(integer(1, PASSIVE_BAND_BPS_MAX)),
  referenceTicks: optional(integer(1, AMOUNT_MAX)),
  protectionBps: optional(integer(1, BPS_ONE)),
  selfTradePrevention: optional(oneOf("expireTaker", "expireMaker", "expireBoth", "decrement")),
  feeOverride: optional(FEE_RATES),
  breaker: optional(BREAKER),
});

const FEE_TIER = record<FeeTier>({
  volumeMin: DECIMAL,
  makerFeeBps: FEE_BPS,
  takerFeeBps: FEE_BPS,
});

export const PLAN = record<PlanDefinition>({
  slug: text(64, /^[a-z0-9-]{1,32}$/),
  name: NAME,
  description: TEXT,
  position: integer(0, AMOUNT_MAX),
  makerFeeBps: FEE_BPS,
  takerFeeBps: FEE_BPS,
  price: DECIMAL,
  interval: oneOf("none", "month"),
  eligibility: oneOf("everyone", "volume", "paid", "assigned"),
  volumeMin: DECIMAL,
  openOrdersMax: OPEN_ORDERS,
  features: list(FEATURES_MAX, TEXT),
  currency: optional(COIN_SYMBOL),
  notionalMax: optional(DECIMAL),
  algoOrdersMax: optional(OPEN_ORDERS),
  volumeLadder: optional(list(FEE_TIERS_MAX, FEE_TIER)),
  withdrawalDailyMax: optional(DECIMAL),
  withdrawalMonthlyMax: optional(DECIMAL),
});

export function isCoin(coin: CoinDefinition): boolean {
  if (!COIN.accepts(coin) || coin.displayDecimals > coin.scale) return false;
  const { kind, transfers } = coin;
  if (transfers === undefined) return true;
  // Simulated coins cannot have been deposited from outside.
  if (kind === "simulated") return false;
  const codes = new Set(transfers.networks.map(({ code }) => code));
  const largest = transfers.withdrawalMax ?? AMOUNT_MAX;
  return codes.size === transfers.networks.length && transfers.withdrawalMin <= largest;
}

export function isMarket(market: MarketDefinition): boolean {
  if (!MARKET.accepts(market)) return false;
  const { base, lotUnits, notionalMax, notionalMin, passiveBandBps, quote } = market;
  const { priceBandBps, quantityLotsMax, symbol, tickLotUnits } = market;
  return (
    base !== quote &&
    symbol === `${base}-${quote}` &&
    isPowerOfTenApart(lotUnits, tickLotUnits) &&
    // Ensures that the largest order's base amount is exact.
    quantityLotsMax <= Math.floor(AMOUNT_MAX / lotUnits) &&
    (notionalMax === undefined || notionalMax >= notionalMin) &&
    (passiveBandBps === undefined || (priceBandBps !== undefined && passiveBandBps >= priceBandBps))
  );
}

export function isPlan(plan: PlanDefinition): boolean {
  if (!PLAN.accepts(plan)) return false;
  // Without a currency there is no unit for these amounts.
  const { currency, notionalMax, volumeLadder } = plan;
  return (
    currency !== undefined ||
    (notionalMax === undefined && volumeLadder === undefined && !limitsWithdrawals(plan))
  );
}

/** Whether the plan limits withdrawals. */
export function limitsWithdrawals(plan: PlanDefinition): boolean {
  return plan.withdrawalDailyMax !== undefined || plan.withdrawalMonthlyMax !== undefined;
}

/** Whether a plan's amounts are exact in units of its currency and its steps ascend. */
export function isExactIn(plan: PlanDefinition, scale: number): boolean {
  const { withdrawalDailyMax = "0", withdrawalMonthlyMax = "0" } = plan;
  const limits = [plan.notionalMax ?? "1", withdrawalDailyMax, withdrawalMonthlyMax];
  const amounts = [plan.price, plan.volumeMin, ...limits];
  if (amounts.some((amount) => parseUnits(amount, scale) === undefined)) return false;
  let last = 0;
  for (const { volumeMin } of plan.volumeLadder ?? []) {
    const units = parseUnits(volumeMin, scale);
    if (units === undefined || units <= last) return false;
    last = units;
  }
  return true;
}

function isPowerOfTenApart(a: number, b: number): boolean {
  const smaller = Math.min(a, b);
  let larger = Math.max(a, b);
  while (larger > smaller && larger % 10 === 0) larger /= 10;
  return larger === smaller;
}

/** Converts the declarations of a catalogue file to the engine's definitions. */
import { AMOUNT_MAX, type Amount, type Lots, type Ticks } from "#engine/amount.ts";
import type {
  CoinDefinition,
  MarketDefinition,
  PlanDefinition,
  TransferTerms,
} from "#engine/commands.ts";
import { isCoin, isExactIn, isMarket, isPlan } from "#engine/markets/definitions.ts";
import type {
  DeclaredCoin,
  DeclaredMarket,
  DeclaredParticipant,
  DeclaredPlan,
} from "#contract/catalogue.ts";
import { DecimalError, formatDecimal, parseDecimal, trimDecimal } from "#contract/decimal.ts";
import type { CoinAmount } from "#contract/types.ts";
import { CatalogueError, type CatalogueFile } from "./catalogue-file.ts";
import { iconProblem } from "./coin-icon.ts";
import { COINS } from "./coins.ts";
import { optionalField } from "./optional-field.ts";
import { marketDefinition, SIMULATED_MARKETS } from "./markets.ts";
import { participantProblems, participantsOf } from "./participants.ts";
import { defaultPlanLimits, type PlanLimits } from "./plans.ts";

export interface DeclaredCatalogue {
  readonly settlementCoin: string;
  /** The practice funds given at a time, unless a setting overrides them. */
  readonly practiceFunds: readonly CoinAmount[];
  readonly coins: readonly CoinDefinition[];
  readonly plans: readonly PlanDefinition[];
  readonly markets: readonly MarketDefinition[];
  /** Who trades the simulated markets; the engine does not store it. */
  readonly participants: readonly DeclaredParticipant[];
  /** A plan's limits by its slug; the engine does not store them. */
  readonly planLimits: (slug: string) => PlanLimits;
}

/**
 * @param part whether a whole file is declared, or one entry in addition to the listed ones, in which
 *   case the practice funds, which only a file has, are not checked
 * @throws CatalogueError with a sentence for each contradiction
 */
export function declareCatalogue(
  file: CatalogueFile,
  part: "file" | "entry" = "file",
): DeclaredCatalogue {
  const wrong: string[] = [];
  const attempt = <Result>(subject: string, make: () => Result): Result[] => {
    try {
      return [make()];
    } catch (error) {
      if (!(error instanceof DecimalError) && !(error instanceof CatalogueError)) throw error;
      wrong.push(`${subject}: ${error.message}.`);
      return [];
    }
  };
  refuseRepeats(
    "coin",
    file.coins.map(({ symbol }) => symbol),
    wrong,
  );
  refuseRepeats(
    "plan",
    file.plans.map(({ slug }) => slug),
    wrong,
  );
  refuseRepeats(
    "market",
    file.markets.map(({ symbol }) => symbol),
    wrong,
  );
  refuseRepeats(
    "participant",
    (file.participants ?? []).map(({ name }) => name),
    wrong,
  );
  const scales = new Map(file.coins.map(({ symbol, decimals }) => [symbol, decimals]));
  const scaleOf = (symbol: string): number => {
    const scale = scales.get(symbol);
    if (scale === undefined) throw new CatalogueError([`the file has no coin ${symbol}`]);
    return scale;
  };
  const coins = file.coins.flatMap((coin) =>
    attempt(`coin ${coin.symbol}`, () => coinDefinition(coin)),
  );
  const [settlementScale = 0] = attempt("settlementCoin", () => scaleOf(file.settlementCoin));
  const plans = file.plans.flatMap((plan, index) =>
    attempt(`plan ${plan.slug}`, () =>
      planDefinition(plan, index + 1, file.settlementCoin, settlementScale),
    ),
  );
  const markets = file.markets.flatMap((market) =>
    attempt(`market ${market.symbol}`, () => {
      const [base, quote] = market.symbol.split("-");
      return declaredMarket(market, { base: scaleOf(base), quote: scaleOf(quote) });
    }),
  );
  const listed = new Set(file.coins.map(({ symbol }) => symbol));
  const funded = new Set(
    file.coins.flatMap(({ symbol, transfers }) => (transfers ? [symbol] : [])),
  );
  for (const { symbol } of file.markets) {
    const [base, quote] = symbol.split("-");
    // A coin that the file lacks is named above.
    if (!listed.has(base) || !listed.has(quote)) continue;
    if (funded.has(base) === funded.has(quote)) continue;
    wrong.push(`market ${symbol}: one of its coins has transfers, the other is practice money.`);
  }
  const givesNone = Object.keys(file.practiceFunds).length === 0;
  if (part === "file" && givesNone && funded.size < file.coins.length) {
    wrong.push("practiceFunds: must name at least one coin.");
  }
  const practiceFunds = Object.entries(file.practiceFunds).flatMap(([symbol, amount]) =>
    attempt("practiceFunds", () => {
      if (funded.has(symbol)) {
        throw new CatalogueError([`${symbol} has transfers, so it cannot be given`]);
      }
      unitsOf(amount, scaleOf(symbol), `the amount of ${symbol}`, 1n);
      return { coin: symbol, amount };
    }),
  );
  if (part === "file") wrong.push(...participantProblems(file));
  if (wrong.length > 0) throw new CatalogueError(wrong);
  const limits = new Map(file.plans.map((plan) => [plan.slug, partsOf(plan).limits]));
  const planLimits = (slug: string): PlanLimits => limits.get(slug) ?? defaultPlanLimits(slug);
  return {
    settlementCoin: file.settlementCoin,
    practiceFunds,
    coins,
    plans,
    markets,
    participants: participantsOf(file),
    planLimits,
  };
}

function refuseRepeats(kind: string, names: readonly string[], wrong: string[]): void {
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) < index));
  for (const name of repeated) wrong.push(`${kind} ${name}: is in the file twice.`);
}

function coinDefinition(coin: DeclaredCoin): CoinDefinition {
  const { decimals: scale, shownDecimals: displayDecimals, transfers, ...words } = coin;
  const definition: CoinDefinition = {
    ...words,
    scale,
    displayDecimals,
    ...optionalField("transfers", transfers && transferTerms(transfers, scale)),
  };
  const wrong = coin.icon === undefined ? undefined : iconProblem(coin.icon);
  if (wrong !== undefined) throw new CatalogueError([`icon ${wrong}`]);
  if (displayDecimals > scale) throw new CatalogueError(["shownDecimals must be at most decimals"]);
  if (!isCoin(definition)) {
    throw new CatalogueError([
      "each network in transfers must have a code of its own, and withdrawalMax be at least withdrawalMin",
    ]);
  }
  return definition;
}

function transferTerms(
  declared: NonNullable<DeclaredCoin["transfers"]>,
  scale: number,
): TransferTerms {
  const units = (name: keyof Omit<typeof declared, "depositHours" | "networks">, amount = "0") =>
    unitsOf(amount, scale, `transfers.${name}`, 0n) as Amount;
  const { depositHours, depositMin, networks, oneApprovalMax, withdrawalMax } = declared;
  return {
    depositMin: units("depositMin", depositMin),
    depositHours,
    withdrawalMin: units("withdrawalMin", declared.withdrawalMin),
    withdrawalFee: units("withdrawalFee", declared.withdrawalFee),
    ...(withdrawalMax !== undefined && { withdrawalMax: units("withdrawalMax", withdrawalMax) }),
    ...(oneApprovalMax !== undefined && {
      oneApprovalMax: units("oneApprovalMax", oneApprovalMax),
    }),
    networks: networks.map(({ code, name, instructions, addressPattern, ...network }) => ({
      code,
      name,
      instructions,
      ...optionalField("addressPattern", addressPattern),
      hasMemo: network.memo,
      confirmations: network.confirmations,
      depositsOpen: network.deposits,
      withdrawalsOpen: network.withdrawals,
    })),
  };
}

/** Splits a plan into the engine's definition and the limits read from the file at each start. */
export function partsOf(plan: DeclaredPlan): {
  readonly terms: Omit<DeclaredPlan, keyof PlanLimits>;
  readonly limits: PlanLimits;
} {
  const { ordersPerTenSeconds, ordersPerDay, requestWeightPerMinute, ...others } = plan;
  const { apiKeysMax, connectionsMax, userDataStreamsMax, ...terms } = others;
  const limits = {
    ordersPerTenSeconds,
    ordersPerDay,
    requestWeightPerMinute,
    apiKeysMax,
    connectionsMax,
    userDataStreamsMax,
  };
  return { terms, limits };
}

function planDefinition(
  plan: DeclaredPlan,
  position: number,
  currency: string,
  scale: number,
): PlanDefinition {
  const { largestOrder, volumeLadder, waitingOrdersMax, ...rest } = partsOf(plan).terms;
  if (position === 1 && (plan.eligibility !== "everyone" || !/^0(\.0*)?$/.test(plan.price))) {
    throw new CatalogueError([
      "is the first, which every new user gets: its eligibility must be everyone and its price 0",
    ]);
  }
  const definition: PlanDefinition = {
    ...rest,
    position,
    currency,
    ...(largestOrder !== undefined && { notionalMax: largestOrder }),
    ...(waitingOrdersMax !== undefined && { algoOrdersMax: waitingOrdersMax }),
    ...(volumeLadder !== undefined && { volumeLadder }),
  };
  if (!isPlan(definition) || !isExactIn(definition, scale)) {
    throw new CatalogueError([
      `its amounts must have at most ${scale} decimals, those of ${currency}, and its ladder must ascend`,
    ]);
  }
  return definition;
}

/** Decimals of a market's coins. */
export interface Scales {
  readonly base: number;
  readonly quote: number;
}

function declaredMarket(market: DeclaredMarket, scales: Scales): MarketDefinition {
  const [base, quote] = market.symbol.split("-");
  const lotUnits = unitsOf(market.quantityStep, scales.base, "quantityStep", 1n);
  const priceDecimals = powerOfTen(market.priceStep, "priceStep");
  const quantityDecimals = powerOfTen(market.quantityStep, "quantityStep");
  const tickDecimals = scales.quote - priceDecimals - quantityDecimals;
  if (tickDecimals < 0) {
    throw new CatalogueError([
      `priceStep times quantityStep must have at most ${scales.quote} decimals, those of ${quote}`,
    ]);
  }
  const definition: MarketDefinition = {
    symbol: market.symbol,
    base,
    quote,
    lotUnits,
    tickLotUnits: 10 ** tickDecimals,
    notionalMin: unitsOf(market.smallestOrder, scales.quote, "smallestOrder", 0n) as Amount,
    quantityLotsMax: stepsOf(
      market.largestQuantity,
      quantityDecimals,
      "largestQuantity",
      "quantityStep",
    ) as Lots,
    status: market.status,
    simulated: market.simulated,
    ...(market.largestOrder !== undefined && {
      notionalMax: unitsOf(market.largestOrder, scales.quote, "largestOrder", 1n) as Amount,
    }),
    ...(market.referencePrice !== undefined && {
      referenceTicks: stepsOf(
        market.referencePrice,
        priceDecimals,
        "referencePrice",
        "priceStep",
      ) as Ticks,
    }),
    ...optionalField("priceBandBps", market.priceBandBps),
    ...optionalField("passiveBandBps", market.passiveBandBps),
    ...optionalField("protectionBps", market.protectionBps),
    ...optionalField("selfTradePrevention", market.selfTradePrevention),
    ...optionalField("feeOverride", market.fees),
    ...optionalField("breaker", market.breaker),
  };
  if (!isMarket(definition)) {
    throw new CatalogueError([
      "the engine refuses it: base and quote must differ, largestOrder be at least smallestOrder, " +
        "passiveBandBps at least priceBandBps, and the breaker's times 1 second to a day",
    ]);
  }
  refuseForeignSimulation(definition, scales);
  return definition;
}

/** The simulation's participants know only the prices of their own markets. */
function refuseForeignSimulation(definition: MarketDefinition, scales: Scales): void {
  if (!definition.simulated) return;
  const known = SIMULATED_MARKETS.find(({ symbol }) => symbol === definition.symbol);
  const expected = known === undefined ? undefined : marketDefinition(known, true);
  const isSame =
    expected !== undefined &&
    definition.lotUnits === expected.lotUnits &&
    definition.tickLotUnits === expected.tickLotUnits &&
    definition.referenceTicks === expected.referenceTicks &&
    COINS.some(({ symbol, scale }) => symbol === definition.base && scale === scales.base) &&
    COINS.some(({ symbol, scale }) => symbol === definition.quote && scale === scales.quote);
  if (isSame) return;
  throw new CatalogueError([
    "simulated must be false: the simulation trades only the markets of the default catalogue, " +
      "with their steps, reference price and coins' decimals",
  ]);
}

/** Converts a decimal amount to units; it must be exact and at least `least`. */
function unitsOf(amount: string, scale: number, subject: string, least: bigint): number {
  let units: bigint;
  try {
    units = parseDecimal(amount, scale);
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
    throw new CatalogueError([`${subject} ${error.message}`]);
  }
  if (units < least) throw new CatalogueError([`${subject} must be more than 0`]);
  if (units > AMOUNT_MAX) {
    throw new CatalogueError([
      `${subject} must be at most ${formatDecimal(AMOUNT_MAX, scale)} with ${scale} decimals`,
    ]);
  }
  return Number(units);
}

/** Converts a value to a number of steps of 10^-decimals. */
function stepsOf(value: string, decimals: number, subject: string, step: string): number {
  try {
    return unitsOf(value, decimals, subject, 1n);
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    throw new CatalogueError([`${error.message} (in steps of ${step})`]);
  }
}

/** The number of decimals of a step of 1, 0.1, 0.01 …. */
function powerOfTen(step: string, subject: string): number {
  const match = /^(?:1|0\.(0*)1)$/.exec(trimDecimal(step));
  if (match === null) throw new CatalogueError([`${subject} must be 1, 0.1, 0.01 and so on`]);
  const [, zeros] = match;
  return zeros === undefined ? 0 : zeros.length + 1;
}

/** Describes an exchange's catalogue in the format of a catalogue file. */
import type {
  CoinDefinition,
  MarketDefinition,
  PlanDefinition,
  TransferTerms,
} from "#engine/commands.ts";
import type {
  CatalogueEntry,
  DeclaredCoin,
  DeclaredMarket,
  DeclaredParticipant,
  ListedPlan,
} from "#contract/catalogue.ts";
import { DEPOSIT_HOURS } from "#engine/transfers/transfer-terms.ts";
import { formatDecimal, trimDecimal } from "#contract/decimal.ts";
import type { CatalogueFile } from "./catalogue-file.ts";
import type { CoinAmount } from "#contract/types.ts";
import type { Scales } from "./declared-catalogue.ts";
import { optionalField } from "./optional-field.ts";
import type { PlanLimits } from "./plans.ts";

/** The listed coins, plans and markets with the engine's ids. */
export interface Listing {
  coins(): readonly { readonly assetId: number; readonly definition: CoinDefinition }[];
  plans(): readonly { readonly planId: number; readonly definition: PlanDefinition }[];
  markets(): readonly { readonly marketId: number; readonly definition: MarketDefinition }[];
}

/** Contents of a catalogue file that are settings rather than listed entries. */
export interface CatalogueSettings {
  readonly practiceFunds: readonly CoinAmount[];
  readonly planLimits: (slug: string) => PlanLimits;
  /** Those that trade the simulated markets from this start on. */
  readonly participants: readonly DeclaredParticipant[];
}

/** A catalogue file that declares everything as it is listed and set. */
export function describeListing(listing: Listing, settings: CatalogueSettings): CatalogueFile {
  const plans = listing
    .plans()
    .map(({ definition }) => definition)
    .sort((left, right) => left.position - right.position);
  const scales = scalesIn(listing);
  const isSimulated = listing.markets().some(({ definition }) => definition.simulated);
  return {
    settlementCoin: plans[0]?.currency ?? "",
    practiceFunds: Object.fromEntries(
      settings.practiceFunds.map(({ coin, amount }) => [coin, amount]),
    ),
    coins: listing.coins().map(({ definition }) => describeCoin(definition)),
    plans: plans.map((plan) => ({ ...describePlan(plan), ...settings.planLimits(plan.slug) })),
    markets: listing
      .markets()
      .map(({ definition }) => describeMarket(definition, scales(definition))),
    ...(isSimulated && { participants: [...settings.participants] }),
  };
}

/** The decimals of a listed market's coins. */
export function scalesIn(listing: Listing): (market: MarketDefinition) => Scales {
  const bySymbol = new Map(
    listing.coins().map(({ definition: { symbol, scale } }) => [symbol, scale]),
  );
  return ({ base, quote }) => ({
    base: bySymbol.get(base) ?? 0,
    quote: bySymbol.get(quote) ?? 0,
  });
}

/** The listed entry of this name (a plan's slug); undefined if there is none. */
export function describeEntry(
  listing: Listing,
  kind: CatalogueEntry["kind"],
  name: string,
): DeclaredCoin | ListedPlan | DeclaredMarket | undefined {
  if (kind === "coin") {
    const coin = listing.coins().find(({ definition }) => definition.symbol === name);
    return coin && describeCoin(coin.definition);
  }
  if (kind === "plan") {
    const plan = listing.plans().find(({ definition }) => definition.slug === name);
    return plan && describePlan(plan.definition);
  }
  const market = listing.markets().find(({ definition }) => definition.symbol === name);
  return market && describeMarket(market.definition, scalesIn(listing)(market.definition));
}

export function describeCoin(definition: CoinDefinition): DeclaredCoin {
  const { symbol, name, kind, status, scale, displayDecimals } = definition;
  const { description, website, riskNote } = definition;
  return {
    symbol,
    name,
    kind: kind === "simulated" ? "token" : kind,
    decimals: scale,
    shownDecimals: displayDecimals,
    description,
    website,
    riskNote,
    ...optionalField("icon", definition.icon),
    status,
    ...optionalField(
      "transfers",
      definition.transfers && describeTransfers(definition.transfers, scale),
    ),
  };
}

function describeTransfers(terms: TransferTerms, scale: number): DeclaredCoin["transfers"] {
  const text = (units: number) => trimDecimal(formatDecimal(units, scale));
  const { oneApprovalMax, withdrawalMax } = terms;
  return {
    depositMin: text(terms.depositMin),
    depositHours: terms.depositHours ?? DEPOSIT_HOURS,
    withdrawalMin: text(terms.withdrawalMin),
    withdrawalFee: text(terms.withdrawalFee),
    ...(withdrawalMax !== undefined && { withdrawalMax: text(withdrawalMax) }),
    ...(oneApprovalMax !== undefined && { oneApprovalMax: text(oneApprovalMax) }),
    networks: terms.networks.map((network) => ({
      code: network.code,
      name: network.name,
      instructions: network.instructions,
      ...optionalField("addressPattern", network.addressPattern),
      memo: network.hasMemo,
      confirmations: network.confirmations,
      deposits: network.depositsOpen,
      withdrawals: network.withdrawalsOpen,
    })),
  };
}

/** Describes a plan, without the limits that the engine does not store. */
export function describePlan(definition: PlanDefinition): ListedPlan {
  const { slug, name, description, makerFeeBps, takerFeeBps, eligibility } = definition;
  const { price, interval, volumeMin, openOrdersMax, features } = definition;
  return {
    slug,
    name,
    description,
    makerFeeBps,
    takerFeeBps,
    eligibility,
    price,
    interval,
    volumeMin,
    openOrdersMax,
    ...optionalField("waitingOrdersMax", definition.algoOrdersMax),
    ...optionalField("largestOrder", definition.notionalMax),
    ...optionalField("withdrawalDailyMax", definition.withdrawalDailyMax),
    ...optionalField("withdrawalMonthlyMax", definition.withdrawalMonthlyMax),
    features: [...features],
    ...optionalField(
      "volumeLadder",
      definition.volumeLadder?.map((tier) => ({ ...tier })),
    ),
  };
}

/** @param scales decimals of the market's coins */
export function describeMarket(definition: MarketDefinition, scales: Scales): DeclaredMarket {
  const { lotUnits, tickLotUnits, notionalMax, referenceTicks } = definition;
  const quantityDecimals = scales.base - Math.round(Math.log10(lotUnits));
  const priceDecimals = scales.quote - Math.round(Math.log10(tickLotUnits)) - quantityDecimals;
  const text = (units: number, decimals: number) => trimDecimal(formatDecimal(units, decimals));
  return {
    symbol: definition.symbol,
    priceStep: text(1, priceDecimals),
    quantityStep: text(1, quantityDecimals),
    smallestOrder: text(definition.notionalMin, scales.quote),
    ...optionalField(
      "largestOrder",
      notionalMax === undefined ? undefined : text(notionalMax, scales.quote),
    ),
    largestQuantity: text(definition.quantityLotsMax, quantityDecimals),
    status: definition.status,
    simulated: definition.simulated,
    ...optionalField(
      "referencePrice",
      referenceTicks === undefined ? undefined : text(referenceTicks, priceDecimals),
    ),
    ...optionalField("priceBandBps", definition.priceBandBps),
    ...optionalField("passiveBandBps", definition.passiveBandBps),
    ...optionalField("protectionBps", definition.protectionBps),
    ...optionalField("selfTradePrevention", definition.selfTradePrevention),
    ...optionalField("fees", definition.feeOverride),
    ...optionalField("breaker", definition.breaker),
  };
}

/**
 * Lists coins, markets and plans, and redefines them. Stores a copy of each with its fields in a fixed
 * order; definitions.ts validates each definition by itself.
 */
import { applyLimit } from "../accounts/balance-limit.ts";
import { decisionIn, isDecisionOrNone } from "../command-texts.ts";
import type { CommandOf, PlanDefinition } from "../commands.ts";
import type { Outcome, RejectReason } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";
import { DEFAULT_PLAN_ID, type Catalogue } from "./catalogue.ts";
import {
  COIN,
  MARKET,
  PLAN,
  isCoin,
  isExactIn,
  isMarket,
  isPlan,
  limitsWithdrawals,
} from "./definitions.ts";

export function listCoin(state: EngineState, { coin, decision }: CommandOf<"listCoin">): Outcome {
  const { accounts, ledger } = state;
  const { coins } = state.catalogue;
  if (!isCoin(coin) || !isDecisionOrNone(decision)) return "invalidCommand";
  if (coins.find(coin.symbol) !== 0) return "duplicateSymbol";
  const hasRoom = !coins.isFull && ledger.hasRoomFor(accounts.nextId, coins.size + 1);
  if (!hasRoom) return "limitReached";
  const kept = COIN.kept(coin);
  const assetId = coins.add(kept.symbol, kept);
  ledger.makeRoomFor(accounts.nextId, assetId);
  state.events.rare({ type: "coinListed", assetId, coin: kept, ...decisionIn(decision) });
  return "accepted";
}

export function updateCoin(
  { catalogue, events }: EngineState,
  { assetId, coin, decision }: CommandOf<"updateCoin">,
): Outcome {
  const { coins } = catalogue;
  if (!coins.has(assetId)) return "unknownAsset";
  if (!isCoin(coin) || !isDecisionOrNone(decision)) return "invalidCommand";
  const { scale, symbol, transfers } = coins.get(assetId);
  if ((coin.transfers === undefined) !== (transfers === undefined)) return "mixedFunds";
  // Balances are in units of this symbol and scale.
  if (coin.symbol !== symbol || coin.scale !== scale) return "invalidCommand";
  const kept = COIN.kept(coin);
  const version = coins.replace(assetId, kept);
  events.rare({ type: "coinUpdated", assetId, version, coin: kept, ...decisionIn(decision) });
  return "accepted";
}

export function listMarket(
  state: EngineState,
  { market, decision }: CommandOf<"listMarket">,
): Outcome {
  const { coins, markets } = state.catalogue;
  if (!isMarket(market) || !isDecisionOrNone(decision)) return "invalidCommand";
  const assets = { baseAssetId: coins.find(market.base), quoteAssetId: coins.find(market.quote) };
  if (assets.baseAssetId === 0 || assets.quoteAssetId === 0) return "unknownAsset";
  if (markets.find(market.symbol) !== 0) return "duplicateSymbol";
  const isFunded = (assetId: number) => coins.get(assetId).transfers !== undefined;
  const hasFundedBase = isFunded(assets.baseAssetId);
  // Practice money must not buy deposited money, and simulated markets trade practice money only.
  if (hasFundedBase !== isFunded(assets.quoteAssetId)) return "mixedFunds";
  if (hasFundedBase && market.simulated) return "mixedFunds";
  if (markets.isFull) return "limitReached";
  const kept = MARKET.kept(market);
  const marketId = markets.add(kept.symbol, kept);
  applyLimit(state, state.addBook(marketId));
  if (hasFundedBase) state.dailyCloses.add(marketId, state.nowMs);
  const listed = { marketId, ...assets, market: kept, ...decisionIn(decision) };
  state.events.rare({ type: "marketListed", ...listed });
  return "accepted";
}

export function updateMarket(
  { books, catalogue, events }: EngineState,
  { marketId, market, decision }: CommandOf<"updateMarket">,
): Outcome {
  const { markets } = catalogue;
  if (!markets.has(marketId)) return "unknownMarket";
  if (!isMarket(market) || !isDecisionOrNone(decision)) return "invalidCommand";
  const { symbol, lotUnits, tickLotUnits, status } = markets.get(marketId);
  // Prices and quantities of open orders are in these units.
  const isSameUnits = market.lotUnits === lotUnits && market.tickLotUnits === tickLotUnits;
  const isSame = market.symbol === symbol && isSameUnits && market.status === status;
  if (!isSame) return "invalidCommand";
  const kept = MARKET.kept(market);
  const version = markets.replace(marketId, kept);
  books[marketId]?.setTerms(kept);
  const updated = { marketId, version, market: kept, ...decisionIn(decision) };
  events.rare({ type: "marketUpdated", ...updated });
  return "accepted";
}

export function definePlan(
  { catalogue, events }: EngineState,
  { plan, decision }: CommandOf<"definePlan">,
): Outcome {
  const { plans } = catalogue;
  if (!isDecisionOrNone(decision)) return "invalidCommand";
  const refusal = validatePlan(catalogue, plan, plans.size + 1);
  if (refusal !== null) return refusal;
  if (plans.find(plan.slug) !== 0) return "duplicateSymbol";
  if (plans.isFull) return "limitReached";
  const kept = PLAN.kept(plan);
  const planId = catalogue.definePlan(kept);
  events.rare({ type: "planDefined", planId, plan: kept, ...decisionIn(decision) });
  return "accepted";
}

export function updatePlan(
  { catalogue, events, feeTiers }: EngineState,
  { planId, plan, decision }: CommandOf<"updatePlan">,
): Outcome {
  const { plans } = catalogue;
  if (!isDecisionOrNone(decision)) return "invalidCommand";
  if (!plans.has(planId)) return "unknownPlan";
  const refusal = validatePlan(catalogue, plan, planId);
  if (refusal !== null) return refusal;
  const { slug, currency } = plans.get(planId);
  if (plan.slug !== slug) return "invalidCommand";
  // Volumes and paid periods are in the plan's currency.
  if (currency !== undefined && plan.currency !== currency) return "invalidCommand";
  const kept = PLAN.kept(plan);
  const version = catalogue.updatePlan(planId, kept);
  feeTiers.plansChanged();
  events.rare({ type: "planUpdated", planId, version, plan: kept, ...decisionIn(decision) });
  return "accepted";
}

function validatePlan(
  { coins, settlementId }: Catalogue,
  plan: PlanDefinition,
  planId: number,
): RejectReason | null {
  if (!isPlan(plan)) return "invalidCommand";
  if (plan.currency === undefined) return null;
  const currencyId = coins.find(plan.currency);
  if (currencyId === 0) return "unknownAsset";
  // Withdrawals are counted in the settlement coin, which is the currency of the first plan.
  const isSettlement = planId === DEFAULT_PLAN_ID || currencyId === settlementId;
  if (limitsWithdrawals(plan) && !isSettlement) return "invalidCommand";
  return isExactIn(plan, coins.get(currencyId).scale) ? null : "invalidAmount";
}

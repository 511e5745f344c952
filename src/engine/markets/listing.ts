/**
 * What the house offers: coins, markets and plans, and their later definitions. What may be defined
 * is said by the catalogue, which refuses before anything is changed.
 */
import { applyLimit } from "../accounts/balance-limit.ts";
import type { CommandOf } from "../commands.ts";
import { OrderBook } from "../book/order-book.ts";
import type { Outcome } from "../outcome.ts";
import type { EngineState } from "../state.ts";

export function listCoin(
  { accounts, catalogue, events, ledger }: EngineState,
  { coin }: CommandOf<"listCoin">,
): Outcome {
  const refusal = catalogue.refuseCoin(coin);
  if (refusal !== null) return refusal;
  if (!ledger.hasRoomFor(accounts.nextId, catalogue.coins.size + 1)) return "limitReached";
  const listed = catalogue.listCoin(coin);
  ledger.makeRoomFor(accounts.nextId, listed.assetId);
  events.rare({ type: "coinListed", ...listed });
  return "accepted";
}

export function listMarket(state: EngineState, { market }: CommandOf<"listMarket">): Outcome {
  const { books, catalogue, details, levels, orders } = state;
  const refusal = catalogue.refuseMarket(market);
  if (refusal !== null) return refusal;
  const listed = catalogue.listMarket(market);
  const book = new OrderBook(listed.marketId, listed.market, listed, orders, levels, details);
  applyLimit(state, book);
  books.push(book);
  state.events.rare({ type: "marketListed", ...listed });
  return "accepted";
}

export function updateMarket(
  { books, catalogue, events }: EngineState,
  { marketId, market }: CommandOf<"updateMarket">,
): Outcome {
  const refusal = catalogue.refuseMarketUpdate(marketId, market);
  if (refusal !== null) return refusal;
  const updated = catalogue.updateMarket(marketId, market);
  books[marketId]?.setTerms(updated.market);
  events.rare({ type: "marketUpdated", ...updated });
  return "accepted";
}

export function definePlan(
  { catalogue, events }: EngineState,
  { plan }: CommandOf<"definePlan">,
): Outcome {
  const refusal = catalogue.refusePlan(plan);
  if (refusal !== null) return refusal;
  events.rare({ type: "planDefined", ...catalogue.definePlan(plan) });
  return "accepted";
}

export function updatePlan(
  { catalogue, events, feeTiers }: EngineState,
  { planId, plan }: CommandOf<"updatePlan">,
): Outcome {
  const refusal = catalogue.refusePlanUpdate(planId, plan);
  if (refusal !== null) return refusal;
  const updated = catalogue.updatePlan(planId, plan);
  feeTiers.plansChanged();
  events.rare({ type: "planUpdated", ...updated });
  return "accepted";
}

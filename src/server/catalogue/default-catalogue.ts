/** The default catalogue, used if the operator names no file. */
import { COINS, SETTLEMENT_COIN } from "./coins.ts";
import type { DeclaredCatalogue } from "./declared-catalogue.ts";
import { marketDefinition, SIMULATED_MARKETS } from "./markets.ts";
import { PARTICIPANTS } from "./participants.ts";
import { defaultPlanLimits, PLANS } from "./plans.ts";
import { DEFAULT_PRACTICE_FUNDS } from "./practice-funds.ts";

/** @param simulated whether the markets' counterparties are simulated, which is shown as a label */
export function defaultCatalogue(simulated: boolean): DeclaredCatalogue {
  return {
    settlementCoin: SETTLEMENT_COIN,
    practiceFunds: DEFAULT_PRACTICE_FUNDS,
    coins: COINS,
    plans: PLANS,
    planLimits: defaultPlanLimits,
    markets: SIMULATED_MARKETS.map((market) => marketDefinition(market, simulated)),
    participants: PARTICIPANTS,
  };
}

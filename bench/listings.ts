/** Commands that prepare an exchange for a benchmark's orders: coins, markets, a plan, participants. */
import type { Amount, Lots } from "#engine/amount.ts";
import type { Command } from "#engine/commands.ts";

/** A market's pair; the other terms are the same in all benchmarks. */
export interface MarketTerms {
  readonly lotUnits: number;
  readonly tickLotUnits: number;
  readonly quantityLotsMax: Lots;
}

export function coinListing(symbol: string): Command {
  return {
    type: "listCoin",
    coin: {
      symbol,
      name: symbol,
      kind: "simulated",
      status: "listed",
      scale: 6,
      displayDecimals: 2,
      description: "",
      website: "",
      riskNote: "",
    },
  };
}

export function marketListing(base: string, terms: MarketTerms): Command {
  const market = {
    ...terms,
    notionalMin: 1 as Amount,
    status: "trading",
    symbol: `${base}-USD`,
    base,
    quote: "USD",
    simulated: true,
  } as const;
  return { type: "listMarket", market };
}

/** A plan with fees; every trade counts towards both parties' volumes, as on a real exchange. */
export const PLAN_DEFINITION: Command = {
  type: "definePlan",
  plan: {
    slug: "bench",
    name: "Bench",
    description: "",
    position: 0,
    makerFeeBps: 2,
    takerFeeBps: 5,
    price: "0",
    interval: "none",
    eligibility: "everyone",
    volumeMin: "0",
    openOrdersMax: 1_000_000,
    features: [],
    currency: "USD",
  },
};

/** @param assets number of assets, from the first on, that are funded with `amount` */
export function participantCommands(
  account: number,
  userId: string,
  assets: number,
  amount: Amount,
): Command[] {
  const funds = Array.from({ length: assets }, (_, index): Command => ({
    type: "fundParticipant",
    account,
    assetId: index + 1,
    amount,
  }));
  return [{ type: "openAccount", userId, kind: "participant" }, ...funds];
}

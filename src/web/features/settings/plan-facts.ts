import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";
import type { Coin } from "#contract/types.ts";
import { useTimeZone } from "../../format/time.ts";
import type { PlanFacts } from "./plan-texts.ts";

const myPlanQuery = convexQuery(functions.plans.mine, {});
const plansQuery = convexQuery(functions.plans.list, {});
const coinsQuery = convexQuery(functions.coins.list, {});

/** The live data of the plan section. */
export function usePlanFacts(): PlanFacts {
  const { data: mine } = useSuspenseQuery(myPlanQuery);
  const { data: plans } = useSuspenseQuery(plansQuery);
  const { data: coin } = useSuspenseQuery({ ...coinsQuery, select: settlementCoin });
  return { mine, plans, coin, timeZone: useTimeZone() };
}

function settlementCoin(coins: readonly Coin[]): string {
  return coins.find(({ priceSource }) => priceSource === "settlement")?.symbol ?? "USD";
}

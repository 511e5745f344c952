import type { Plan } from "#contract/types.ts";
import { query } from "./define.ts";
import { presentPlan } from "./present-market.ts";
import { noArguments } from "./schemas.ts";

/** The plan that every new account has. */
const DEFAULT_PLAN_ID = 1;

export const list = query(noArguments, ({ services, dependsOn }): Plan[] => {
  dependsOn("catalog");
  const { catalog } = services.views;
  return catalog.plans().map((plan) => presentPlan(plan, catalog.plan(DEFAULT_PLAN_ID)));
});

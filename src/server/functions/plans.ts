import type { ChosenPlan } from "#contract/plans.ts";
import { formatDecimal } from "#contract/decimal.ts";
import { raisesWithdrawals } from "../catalogue/operator-fields.ts";
import type { PlanView } from "../views/catalogue.ts";
import type { Views } from "../views/views.ts";
import {
  ensureAccount,
  followAccount,
  requireAccount,
  requireAdmin,
  requireUser,
  submitCommand,
} from "./caller.ts";
import type { Handlers } from "./handlers.ts";
import { presentMyPlan, presentPlans } from "./plan-offers.ts";
import { invalidArgument, refused } from "./refusals.ts";

export const list: Handlers["plans"]["list"] = ({ services, dependsOn }) => {
  dependsOn("catalogue");
  return presentPlans(services.views, services.commandRates.limitsOf);
};

export const mine: Handlers["plans"]["mine"] = (context) => {
  return presentMyPlan(context.services.views, followAccount(context));
};

export const choose: Handlers["plans"]["choose"] = async (
  context,
  { plan: slug, validUntil },
): Promise<ChosenPlan> => {
  const { services } = context;
  const { views } = services;
  const caller = requireUser(context);
  const { planId } = requirePlan(views, slug);
  const account = await ensureAccount(services, caller);
  const command = { type: "choosePlan", account, planId, validUntilMs: validUntil } as const;
  const { events, timestampMs } = await submitCommand(context, command, { sizeField: "plan" });
  const chosen = events.find((event) => event.type === "planChosen");
  const period = events.find((event) => event.type === "planPeriodBegan");
  const isCharged = period !== undefined && period.amount > 0;
  return {
    plan: slug,
    // The answer to a repeated request has the current state.
    effectiveAt: chosen?.effectiveAtMs ?? timestampMs,
    charged: isCharged
      ? formatDecimal(period.amount, views.catalogue.coin(period.assetId).definition.scale)
      : null,
  };
};

export const assign: Handlers["plans"]["assign"] = async (
  context,
  { userId: ownerId, plan: slug, reason, validUntil: validUntilMs },
) => {
  const byAdmin = requireAdmin(context);
  const { views } = context.services;
  const { definition, planId } = requirePlan(views, slug);
  const account = requireAccount(views, ownerId);
  const present = views.catalogue.plan(views.accounts.account(account)?.planId ?? 1).definition;
  if (raisesWithdrawals(present, definition)) {
    const message =
      "The user could withdraw more on this plan: it is for the operator's command line, " +
      "openbell users plan.";
    throw invalidArgument("plan", message);
  }
  const decision = { byAdmin, reason };
  await submitCommand(context, { type: "assignPlan", account, planId, decision, validUntilMs });
  return null;
};

/** @throws FunctionError `unknownPlan` */
function requirePlan(views: Views, slug: string): PlanView {
  const plan = views.catalogue.plans().find(({ definition }) => definition.slug === slug);
  if (plan === undefined) throw refused("unknownPlan");
  return plan;
}

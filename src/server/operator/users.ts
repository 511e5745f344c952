/** Requests to list, show and change users, for the operator. */
import { randomInt } from "node:crypto";
import { z } from "zod";
import { formatDecimal, trimDecimal } from "#contract/decimal.ts";
import { ROLES } from "#contract/users.ts";
import { LastAdministratorError } from "../accounts/users/operator-changes.ts";
import type { UserProfile } from "../accounts/users/user-profile.ts";
import {
  alignColumns,
  decidedBecause,
  done,
  OPERATOR_LIMIT,
  type OperatorServices,
  reason,
  request,
  RequestError,
  requireUser,
  submitCommand,
} from "./request.ts";

const user = z.string().min(1, "say which user").max(254);
const days = z.number("must be a number").int().min(1).max(3_650).optional();
const DAY_MS = 86_400_000;
/** Without characters that are easily mistaken for others. */
const PASSWORD_CHARACTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const PASSWORD_LENGTH = 20;

export function userRequests(services: OperatorServices) {
  const { accounts, views } = services;
  const accountOf = async (name: string) => {
    const account = views.accounts.ofUser(await requireUser(services, name));
    if (account === undefined) throw new RequestError(`${name} has no account.`);
    return account;
  };
  /** Changes a user's sign-in, and returns the sentence for the operator. */
  const change = async (name: string, sentence: (found: UserProfile) => Promise<string>) => {
    const found = await accounts.userById(await requireUser(services, name));
    if (found === null) throw new RequestError(`There is no user ${name}.`);
    try {
      return done(await sentence(found));
    } catch (error) {
      if (!(error instanceof LastAdministratorError)) throw error;
      throw new RequestError(error.message);
    }
  };
  return {
    "/users/list": request(
      {
        search: z.string().max(100).optional(),
        role: z.enum(ROLES).optional(),
        banned: z.boolean().optional(),
      },
      async (filters) => {
        const page = await accounts.listUsers({
          ...filters,
          sort: "createdAt",
          descending: true,
          offset: 0,
          limit: OPERATOR_LIMIT,
        });
        const rows = page.users.map(({ id, email, name, lastname, role, ban }) => {
          const state = views.accounts.ofUser(id)?.isFrozen === true ? "frozen" : "";
          return [id, email, `${name} ${lastname}`.trim(), role, ban === null ? state : "banned"];
        });
        const lines = alignColumns(["id", "email", "name", "role", ""], rows);
        const left = page.total - rows.length;
        return done(...lines, ...(left > 0 ? [`and ${left} more: narrow it with --search`] : []));
      },
    ),
    "/users/show": request({ user }, async ({ user: name }) => {
      const { account, isFrozen, planId, userId } = await accountOf(name);
      const plan = views.catalogue.plan(planId).definition.slug;
      const balances = views.catalogue
        .coins()
        .filter(({ assetId }) => views.accounts.total(account, assetId) > 0)
        .map(({ assetId, definition: { scale, symbol } }) => {
          const units = (amount: number | bigint) => trimDecimal(formatDecimal(amount, scale));
          const available = units(views.accounts.available(account, assetId));
          return [symbol, available, units(views.accounts.held(account, assetId))];
        });
      return done(
        `id       ${userId}`,
        `account  ${account}${isFrozen ? ", frozen" : ""}`,
        `plan     ${plan}`,
        `orders   ${views.people.openOrderCount(account)} open`,
        "",
        ...alignColumns(["coin", "available", "held"], balances, [1, 2]),
      );
    }),
    "/users/freeze": request(
      { user, frozen: z.boolean(), cancelOrders: z.boolean().default(false), reason },
      async ({ user: name, frozen: isFrozen, cancelOrders: cancelsOrders, reason: why }) => {
        const { account } = await accountOf(name);
        const terms = { account, isFrozen, cancelsOrders, ...decidedBecause(why) };
        await submitCommand(services, { type: "setAccountFreeze", ...terms });
        return done(`The account of ${name} is ${isFrozen ? "frozen" : "no longer frozen"}.`);
      },
    ),
    "/users/ban": request({ user, days, reason }, ({ user: name, days: length, reason: why }) =>
      change(name, async (found) => {
        const untilMs = length === undefined ? null : Date.now() + length * DAY_MS;
        await accounts.operatorChanges.ban(found, { reason: why, untilMs });
        const how = length === undefined ? "until it is lifted" : `for ${length} days`;
        return `${name} is banned ${how} and signed out everywhere.`;
      }),
    ),
    "/users/unban": request({ user }, ({ user: name }) =>
      change(name, async (found) => {
        await accounts.operatorChanges.unban(found);
        return `${name} is not banned.`;
      }),
    ),
    "/users/role": request({ user, role: z.enum(ROLES) }, ({ user: name, role }) =>
      change(name, async (found) => {
        await accounts.operatorChanges.setRole(found, role);
        return `${name} has the role ${role}.`;
      }),
    ),
    "/users/reset-password": request({ user }, ({ user: name }) =>
      change(name, async (found) => {
        const password = newPassword();
        await accounts.operatorChanges.setPassword(found, password);
        return (
          `${name} is signed out everywhere. The new password, shown once: ${password}\n` +
          "Hand it over by a way that nobody else reads; the user changes it in the settings."
        );
      }),
    ),
    "/users/plan": request(
      { user, plan: z.string().min(1, "say which plan"), reason },
      async ({ user: name, plan: slug, reason: why }) => {
        const { account } = await accountOf(name);
        const plans = views.catalogue.plans();
        const plan = plans.find(({ definition }) => definition.slug === slug);
        if (plan === undefined) {
          const known = plans.map(({ definition }) => definition.slug).join(", ");
          throw new RequestError(`There is no plan ${slug}. There are ${known}.`);
        }
        const decision = decidedBecause(why);
        await submitCommand(services, {
          type: "assignPlan",
          account,
          planId: plan.planId,
          decision,
        });
        return done(`${name} has the plan ${slug}.`);
      },
    ),
  };
}

function newPassword(): string {
  const characters = Array.from({ length: PASSWORD_LENGTH }, () => {
    return PASSWORD_CHARACTERS[randomInt(PASSWORD_CHARACTERS.length)];
  });
  return characters.join("");
}

import { expect, test } from "vitest";
import type { PlanLimits } from "../../catalogue/plans.ts";
import { PLAN_LIMITS } from "../../catalogue/plans.ts";
import { ConnectionQuotas } from "./connection-quotas.ts";

function quotasWith(limits: Partial<PlanLimits>) {
  const allowed = { name: "Small", ...PLAN_LIMITS.free, ...limits };
  return { quotas: new ConnectionQuotas({ limitsOfUser: () => allowed }), allowed };
}

test("a user has as many connections as the plan allows, and another one when one is closed", () => {
  const { quotas } = quotasWith({ connectionsMax: 2 });
  const [first, second, third] = [{}, {}, {}];
  quotas.enter("ann", first);
  quotas.enter("ann", first);
  quotas.enter("ann", second);
  expect(() => quotas.enter("ann", third)).toThrow(
    "Too many concurrent connections; current limit is '2'.",
  );
  quotas.enter("bob", third);
  quotas.leave("ann", first);
  quotas.leave("ann", first);
  quotas.enter("ann", third);
  expect(() => quotas.enter("ann", first)).toThrow("current limit is '2'");
  quotas.enter("ann", second);
});

test("subscriptions of user data are counted over all connections, and ended once", () => {
  const { quotas } = quotasWith({ userDataStreamsMax: 2 });
  const end = quotas.subscribe("ann");
  quotas.subscribe("ann");
  const over = () => quotas.subscribe("ann");
  expect(over).toThrow("Too many subscriptions of user data; current limit is '2'.");
  quotas.subscribe("bob");
  end();
  end();
  over();
  expect(over).toThrow();
});

test("another plan counts from the next one on: what is open stays", () => {
  const { allowed, quotas } = quotasWith({ connectionsMax: 2 });
  const [first, second, third] = [{}, {}, {}];
  quotas.enter("ann", first);
  quotas.enter("ann", second);
  Object.assign(allowed, { connectionsMax: 1 });
  quotas.enter("ann", second);
  quotas.leave("ann", first);
  expect(() => quotas.enter("ann", third)).toThrow("current limit is '1'");
});

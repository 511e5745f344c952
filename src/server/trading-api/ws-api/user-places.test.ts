import { expect, test } from "vitest";
import type { PlanLimits } from "../../catalogue/plans.ts";
import { PLAN_LIMITS } from "../../catalogue/plans.ts";
import { SharedLimits } from "../../limits/shared-limits.ts";
import { UserPlaces } from "./user-places.ts";

const [ann, bob] = ["ann", "bob"].map(
  (userId) => ({ userId, permissions: ["read", "trade"] }) as const,
);

function placesWith(limits: Partial<PlanLimits>) {
  const allowed = { name: "Small", ...PLAN_LIMITS.free, ...limits };
  return { places: new UserPlaces({ limitsOfUser: () => allowed }), allowed };
}

test("a user has as many connections as the plan allows, and another one when one is closed", () => {
  const { places } = placesWith({ connectionsMax: 2 });
  const [first, second, third] = [{}, {}, {}];
  places.enter(ann, first);
  places.enter(ann, first);
  places.enter(ann, second);
  expect(() => places.enter(ann, third)).toThrow(
    "Too many concurrent connections; current limit is '2'.",
  );
  places.enter(bob, third);
  places.leave("ann", first);
  places.leave("ann", first);
  places.enter(ann, third);
  expect(() => places.enter(ann, first)).toThrow("current limit is '2'");
  places.enter(ann, second);
});

test("subscriptions of user data are counted over all connections, and ended once", () => {
  const { places } = placesWith({ userDataStreamsMax: 2 });
  const end = places.subscribe(ann);
  places.subscribe(ann);
  const over = () => places.subscribe(ann);
  expect(over).toThrow("Too many subscriptions of user data; current limit is '2'.");
  places.subscribe(bob);
  end();
  end();
  over();
  expect(over).toThrow();
});

test("keys that may only read leave half of the places to keys that trade", () => {
  const { places } = placesWith({ connectionsMax: 4, userDataStreamsMax: 3 });
  const reader = { userId: "ann", permissions: ["read"] } as const;
  places.enter(reader, {});
  places.enter(reader, {});
  expect(() => places.enter(reader, {})).toThrow("current limit is '2'");
  const connection = {};
  places.enter(ann, connection);
  places.enter(reader, connection);
  places.enter(ann, {});
  expect(() => places.enter(ann, {})).toThrow("current limit is '4'");
  const end = places.subscribe(reader);
  expect(() => places.subscribe(reader)).toThrow("current limit is '1'");
  end();
  places.subscribe(reader);
  places.subscribe(ann);
});

test("another plan counts from the next one on: what is open stays", () => {
  const { allowed, places } = placesWith({ connectionsMax: 2 });
  const [first, second, third] = [{}, {}, {}];
  places.enter(ann, first);
  places.enter(ann, second);
  Object.assign(allowed, { connectionsMax: 1 });
  places.enter(ann, second);
  places.leave("ann", first);
  expect(() => places.enter(ann, third)).toThrow("current limit is '1'");
});

test("connections and subscriptions on another node count here while that node is heard", () => {
  let nowMs = 0;
  const limits = [new SharedLimits(() => nowMs), new SharedLimits(() => nowMs)];
  const allowed = { name: "Small", ...PLAN_LIMITS.free, connectionsMax: 4, userDataStreamsMax: 1 };
  const plans = { limitsOfUser: () => allowed };
  const [here, there] = limits.map((shared) => new UserPlaces(plans, shared));
  const tell = () => {
    const told = limits[1].takeReport();
    if (told !== undefined) limits[0].receive("there", told);
  };
  const reader = { userId: "ann", permissions: ["read"] } as const;
  const [first, second, third] = [{}, {}, {}];
  there.enter(reader, first);
  there.enter(reader, second);
  there.enter(ann, third);
  const end = there.subscribe(ann);
  tell();
  // Keys that may only read have half of the places on all nodes.
  expect(() => here.enter(reader, {})).toThrow("current limit is '2'");
  here.enter(ann, {});
  expect(() => here.enter(ann, {})).toThrow("current limit is '4'");
  here.enter(bob, {});
  expect(() => here.subscribe(ann)).toThrow("limit");

  there.leave("ann", first);
  end();
  tell();
  here.enter(reader, {});
  here.subscribe(ann);
  expect(() => here.enter(ann, {})).toThrow("current limit is '4'");

  nowMs += 3_000;
  limits[0].takeReport();
  here.enter(ann, {});
});

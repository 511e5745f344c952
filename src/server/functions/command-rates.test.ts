import { afterAll, beforeAll, expect, test } from "vitest";
import type { Command } from "#engine/commands.ts";
import type { ErrorData } from "#contract/errors.ts";
import { type FunctionScene, openFunctionScene, refusal } from "#test/support/function-scene.ts";
import { PLANS, PLAN_LIMITS, type PlanLimits } from "../catalogue/plans.ts";
import { SharedLimits } from "../limits/shared-limits.ts";
import { CommandRates } from "./command-rates.ts";
import { FunctionError } from "./function-error.ts";

let scene: FunctionScene;
beforeAll(async () => {
  scene = await openFunctionScene();
});
afterAll(() => scene.close());

const PLACE = { type: "placeOrder" } as Command;
const AMEND = { type: "amendOrder" } as Command;
const LIST = { type: "placeOrderList", orders: [{}, {}, {}] } as unknown as Command;
const CANCEL = { type: "cancelOrder" } as Command;
const CANCEL_ALL = { type: "cancelAllOrders" } as Command;
const CHOOSE_PLAN = { type: "choosePlan" } as Command;

/** Rates under a clock that stands still until the test advances it. */
function rates(shared?: SharedLimits) {
  let nowMs = 0;
  const commands = new CommandRates(scene.services.views, { nowMs: () => nowMs, shared });
  const refused = (userId: string, command: Command): ErrorData | null => {
    try {
      commands.admit(userId, command);
      return null;
    } catch (error) {
      if (error instanceof FunctionError) return error.data;
      throw error;
    }
  };
  return {
    pass: (ms: number) => {
      nowMs += ms;
    },
    refused,
    /** How many of the commands are admitted before one is refused. */
    allowed: (userId: string, command: Command) => {
      let count = 0;
      while (count < 100_000 && refused(userId, command) === null) count++;
      return count;
    },
  };
}

test("a user places as many orders in ten seconds as the plan allows, and is told when to go on", () => {
  const { allowed, refused, pass } = rates();
  expect(allowed("ann", PLACE)).toBe(100);
  expect(refused("ann", AMEND)).toEqual({
    code: "tooManyRequests",
    message:
      "Too many requests: your plan (Free) allows 100 orders in 10 seconds. Try again in a second.",
    retryAfterMs: 100,
  });
  pass(100);
  expect(refused("ann", AMEND)).toBeNull();
  expect(refused("ann", PLACE)).not.toBeNull();
});

test("one user's orders take nothing from another's", () => {
  const { allowed } = rates();
  expect(allowed("ann", PLACE)).toBe(100);
  expect(allowed("ben", PLACE)).toBe(100);
});

test("a list counts each of its orders, and takes nothing when it is refused", () => {
  const { allowed, refused } = rates();
  expect(allowed("ann", LIST)).toBe(33);
  expect(refused("ann", PLACE)).toBeNull();
  expect(refused("ann", PLACE)).not.toBeNull();
});

test("a user who may place no more can still cancel, one by one and everything at once", () => {
  const { allowed, refused } = rates();
  allowed("ann", PLACE);
  expect(allowed("ann", CANCEL)).toBe(500);
  expect(refused("ann", CANCEL_ALL)).toMatchObject({
    message:
      "Too many requests: your plan (Free) allows 500 cancellations in 10 seconds. Try again in a second.",
    retryAfterMs: 20,
  });
});

test("the orders of a day are limited as well", () => {
  const { allowed, pass } = rates();
  let placed = 0;
  for (let n = 0; n < 1_000; n++) {
    placed += allowed("ann", PLACE);
    pass(10_000);
  }
  // The part of the day's allowance that was regained while it was used is added.
  const gained = (50_000 * 10_000 * 1_000) / 86_400_000;
  expect(placed).toBeGreaterThanOrEqual(50_000);
  expect(placed).toBeLessThanOrEqual(50_000 + gained);
});

test("the cancellations of a day are limited as well, and never run out for good", () => {
  const { allowed, refused, pass } = rates();
  let cancelled = 0;
  for (let n = 0; n < 1_000; n++) {
    cancelled += allowed("ann", CANCEL);
    pass(10_000);
  }
  const gained = (250_000 * 10_000 * 1_000) / 86_400_000;
  expect(cancelled).toBeGreaterThanOrEqual(250_000);
  expect(cancelled).toBeLessThanOrEqual(250_000 + gained);
  while (refused("ann", CANCEL) === null);
  expect(refused("ann", CANCEL)?.message).toContain("allows 250,000 cancellations a day");
  pass(1_000);
  expect(refused("ann", CANCEL_ALL)).toBeNull();
});

test("commands about anything but orders have one allowance for all plans", () => {
  const { allowed, refused, pass } = rates();
  expect(allowed("ann", CHOOSE_PLAN)).toBe(60);
  expect(refused("ann", { type: "takePracticeFunds" } as Command)).toMatchObject({
    code: "tooManyRequests",
    retryAfterMs: 1_000,
  });
  pass(60_000);
  expect(allowed("ann", CHOOSE_PLAN)).toBe(60);
});

test("every plan of the catalogue has its limits, none below the free one's", () => {
  for (const { slug } of PLANS) {
    for (const [name, limit] of Object.entries(PLAN_LIMITS.free)) {
      const other = PLAN_LIMITS[slug][name as keyof PlanLimits];
      expect(other, `${name} of ${slug}`).toBeGreaterThanOrEqual(limit);
    }
  }
});

test("orders beyond the limit are refused before the journal, with the wait, and others' are not", async () => {
  const flooder = scene.as("flooder");
  await flooder.done("accounts:takePracticeFunds");
  const before = scene.services.exchange.health().sequence;
  const answers = await Promise.all(
    Array.from({ length: 700 }, () => flooder.mutate("orders:cancel", { orderId: "999999999" })),
  );
  const codes = answers.map((answer) => refusal(answer).code);
  const journalled = codes.filter((code) => code === "unknownOrder").length;
  expect(journalled).toBeGreaterThanOrEqual(500);
  expect(codes).toContain("tooManyRequests");
  expect(scene.services.exchange.health().sequence).toBe(before + journalled);
  const refused = answers.map(refusal).find(({ code }) => code === "tooManyRequests");
  expect(refused?.retryAfterMs).toBeGreaterThan(0);
  const other = scene.as("other");
  await other.done("accounts:takePracticeFunds");
  expect(refusal(await other.mutate("orders:cancel", { orderId: "9" })).code).toBe("unknownOrder");
});

test("what a user sends to another node counts here, each kind for itself", () => {
  const limits = [new SharedLimits(() => 0), new SharedLimits(() => 0)];
  const [here, there] = limits.map((shared) => rates(shared));
  expect(there.allowed("ann", PLACE)).toBe(100);
  for (let count = 0; count < 20; count++) expect(there.refused("ann", CANCEL)).toBeNull();
  for (let count = 0; count < 10; count++) expect(there.refused("ann", CHOOSE_PLAN)).toBeNull();
  for (let count = 0; count < 30; count++) expect(there.refused("bob", PLACE)).toBeNull();
  limits[0].receive("there", limits[1].takeReport() ?? expect.fail("nothing is told"));

  expect(here.refused("ann", PLACE)).toMatchObject({ retryAfterMs: 100 });
  expect(here.allowed("ann", CANCEL)).toBe(480);
  expect(here.allowed("ann", CHOOSE_PLAN)).toBe(50);
  expect(here.allowed("bob", PLACE)).toBe(70);
  // Both nodes have admitted the whole allowance at the same moment: the excess must be waited for.
  const [first, second] = [rates(limits[0]), rates(limits[1])];
  for (const node of [first, second]) expect(node.allowed("carl", PLACE)).toBe(100);
  limits[0].receive("there", limits[1].takeReport() ?? expect.fail("nothing is told"));
  expect(first.refused("carl", PLACE)).toMatchObject({ retryAfterMs: 10_100 });
  first.pass(10_000);
  expect(first.refused("carl", PLACE)).not.toBeNull();
  first.pass(100);
  expect(first.refused("carl", PLACE)).toBeNull();
});

test("a node that has not heard of any plan yet passes over what others tell", () => {
  const shared = new SharedLimits(() => 0);
  const views = { accounts: { ofUser: () => undefined }, catalogue: { plans: () => [] } };
  const starting = new CommandRates(views as unknown as FunctionScene["services"]["views"], {
    shared,
  });
  shared.receive("there", { used: [["orders", "ann", 100]], taken: [] });
  expect(starting.limitsOf("free").ordersPerTenSeconds).toBe(100);
});

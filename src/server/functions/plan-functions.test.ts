import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ChosenPlan } from "#contract/plans.ts";
import type { MyPlan, Plan } from "#contract/plans.ts";
import type { LedgerEntry, Page, Portfolio } from "#contract/types.ts";
import type { ActivityItem, CurrentUser } from "#contract/users.ts";
import {
  type FunctionScene,
  type PlaceForParticipant,
  openFunctionScene,
  refusal,
} from "#test/support/function-scene.ts";
import { presentMyPlan } from "./plan-offers.ts";

const MONTH_MS_MIN = 28 * 86_400_000;

let scene: FunctionScene;
let maker: PlaceForParticipant;
beforeAll(async () => {
  scene = await openFunctionScene();
  maker = await scene.participant("maker", { USD: 100_000_000, BTC: 1_000 });
});
afterAll(() => scene.close());

async function withFunds(userId: string) {
  const caller = scene.as(userId);
  await caller.done("accounts:takePracticeFunds");
  return caller;
}

const choiceOf = (mine: MyPlan, plan: string) =>
  mine.offers.find((offer) => offer.plan === plan)?.choice;

test("plans say their limits and their fee tiers", () => {
  const [free, , pro, maker] = scene.as(null).value<Plan[]>("plans:list");
  expect(free).toMatchObject({
    slug: "free",
    algoOrdersMax: 50,
    notionalMax: "1000000",
    volumeLadder: [
      { volumeMin: "100000", makerFeeBps: 18, takerFeeBps: 22 },
      { volumeMin: "500000", makerFeeBps: 14, takerFeeBps: 18 },
    ],
  });
  expect(pro.price).toBe("49");
  expect(maker).toMatchObject({ notionalMax: null, volumeLadder: [] });
});

describe("a user who never did anything", () => {
  test("is on the free plan and sees what every plan would do", () => {
    expect(scene.as("newcomer").value<MyPlan>("plans:mine")).toEqual({
      plan: "free",
      name: "Free",
      makerFeeBps: 20,
      takerFeeBps: 25,
      feeSource: "plan",
      volume: "0.000000",
      volumeToday: "0.000000",
      nextFeeTier: {
        volumeMin: "100000",
        makerFeeBps: 18,
        takerFeeBps: 22,
        missing: "100000.000000",
        progressPercent: "0.00",
      },
      renewsAt: null,
      renewalCharge: null,
      nextPlan: null,
      isFrozen: false,
      offers: [
        { plan: "free", choice: "current", charge: null, effectiveAt: null },
        { plan: "active", choice: "volumeNotReached", charge: null, effectiveAt: null },
        { plan: "pro", choice: "insufficientAvailable", charge: null, effectiveAt: null },
        { plan: "market-maker", choice: "assignedOnly", charge: null, effectiveAt: null },
      ],
    });
  });
});

describe("choosing a plan", () => {
  test("does what was offered: the charge is posted, the fees hold, a repeat charges nothing", async () => {
    const anna = await withFunds("anna");
    const before = anna.value<MyPlan>("plans:mine");
    expect(before.offers[2]).toEqual({
      plan: "pro",
      choice: "chargeNow",
      charge: "49.000000",
      effectiveAt: null,
    });
    const chosen = await anna.done<ChosenPlan>("plans:choose", { plan: "pro" }, "choice");
    expect(chosen).toMatchObject({ plan: "pro", charged: "49.000000" });
    await anna.done("plans:choose", { plan: "pro" }, "choice");

    const mine = anna.value<MyPlan>("plans:mine");
    expect(mine).toMatchObject({ plan: "pro", makerFeeBps: 4, takerFeeBps: 8, nextPlan: null });
    expect(mine.renewalCharge).toBe("49");
    expect(mine.renewsAt).toBeGreaterThanOrEqual(chosen.effectiveAt + MONTH_MS_MIN);
    expect(choiceOf(mine, "free")).toBe("atPeriodEnd");
    const user = anna.value<CurrentUser>("users:current");
    expect(user).toMatchObject({ balance: 99_951, plan: { slug: "pro", takerFeeBps: 8 } });
    expect(anna.value<Portfolio>("portfolio:summary")).toMatchObject({
      deposited: "100000.000000",
      profit: "-49.000000",
      feesPaid: "49.000000",
    });
    expect(refusal(await anna.mutate("plans:choose", { plan: "pro" }))).toMatchObject({
      code: "planUnchanged",
      field: "plan",
    });
  });

  test("shows in the activity, now and in history, with the posting that it opens", async () => {
    const anna = scene.as("anna");
    const recent = anna.value<ActivityItem[]>("activity:recent");
    const history = await anna.answer<Page<ActivityItem>>("activity:page", { kind: "plan" });
    for (const items of [recent, history.items]) {
      expect(items[0]).toMatchObject({
        kind: "plan",
        title: "Paid 49 USD for a month of Pro",
        coin: "USD",
        amount: "-49.000000",
      });
      expect(items[1]).toMatchObject({ kind: "plan", title: "Plan is Pro", postings: null });
    }
    const entries = await anna.answer<LedgerEntry[]>("accounts:ledgerEntries", recent[0].postings);
    expect(entries).toMatchObject([
      { reason: "planFee", amount: "-49.000000", balance: "available", orderId: null },
    ]);
  });

  test("a cheaper one waits for the end of the period, and can be taken back", async () => {
    const bert = await withFunds("bert");
    await bert.done("plans:choose", { plan: "pro" });
    const { renewsAt } = bert.value<MyPlan>("plans:mine");
    const chosen = await bert.done<ChosenPlan>("plans:choose", { plan: "free" });
    expect(chosen).toEqual({ plan: "free", effectiveAt: renewsAt, charged: null });
    const waiting = bert.value<MyPlan>("plans:mine");
    expect(waiting).toMatchObject({ plan: "pro", nextPlan: "free", renewalCharge: null });
    expect(choiceOf(waiting, "free")).toBe("next");
    expect(choiceOf(waiting, "pro")).toBe("keep");
    await bert.done("plans:choose", { plan: "pro" });
    expect(bert.value<MyPlan>("plans:mine")).toMatchObject({ plan: "pro", nextPlan: null });
    expect(bert.value<CurrentUser>("users:current").balance).toBe(99_951);
  });

  test("is refused with the reason that the offer names", async () => {
    const carl = scene.as("carl");
    const refused = async (plan: string) =>
      refusal(await carl.mutate("plans:choose", { plan })).code;
    expect(await refused("pro")).toBe("insufficientAvailable");
    expect(await refused("active")).toBe("volumeNotReached");
    expect(await refused("market-maker")).toBe("planNotOffered");
    expect(await refused("nope")).toBe("unknownPlan");
    expect(await refused("free")).toBe("planUnchanged");
  });

  test("is an administrator's to assign, whatever it costs others", async () => {
    const dora = await withFunds("dora");
    const args = { userId: "dora", plan: "market-maker", reason: "makes the market" };
    expect(refusal(await dora.mutate("plans:assign", args)).code).toBe("forbidden");
    await scene.as("admin-olga").done("plans:assign", args);
    expect(dora.value<MyPlan>("plans:mine")).toMatchObject({
      plan: "market-maker",
      renewsAt: null,
    });
    expect(choiceOf(dora.value<MyPlan>("plans:mine"), "free")).toBe("atOnce");
  });
});

test("a period that is over gives no credit and renews nothing", async () => {
  // The period of a plan that became free ends without an event.
  const fred = await withFunds("fred");
  await fred.done("plans:choose", { plan: "pro" });
  const { renewsAt } = fred.value<MyPlan>("plans:mine");
  const { views } = scene.services;
  const nowMs = vi.spyOn(views, "nowMs").mockReturnValue((renewsAt ?? 0) + 86_400_000);
  const mine = presentMyPlan(views, views.accounts.ofUser("fred"));
  nowMs.mockRestore();
  expect(mine).toMatchObject({ plan: "pro", renewsAt: null, renewalCharge: null });
  expect(mine.offers[0]).toMatchObject({ plan: "free", choice: "atOnce", effectiveAt: null });
});

test("what is traded today counts from tomorrow on, in the offer as in the engine", async () => {
  const emil = await withFunds("emil");
  await maker({ side: "sell", price: "50000", quantity: "1" });
  await emil.done("orders:place", {
    market: "BTC-USD",
    side: "buy",
    type: "market",
    quantity: "0.5",
  });
  const mine = emil.value<MyPlan>("plans:mine");
  expect(mine).toMatchObject({ volume: "0.000000", volumeToday: "25000.000000" });
});

import { ConvexError } from "convex/values";
import { describe, expect, test } from "vitest";
import type { MyPlan, Plan, PlanChoice, PlanOffer } from "#contract/plans.ts";
import {
  canChoose,
  type ChoiceFacts,
  choiceNote,
  choiceRefusal,
  confirmLabel,
  consequencesOf,
} from "./plan-choices.ts";
import { feeReason, feesAt, nextFeeTierText, periodText } from "./plan-texts.ts";

const DAY_MS = Date.UTC(2026, 11, 21);

function planOf(part: Partial<Plan>): Plan {
  return {
    slug: "free",
    name: "Free",
    description: "",
    makerFeeBps: 20,
    takerFeeBps: 25,
    price: "0",
    interval: "none",
    eligibility: "everyone",
    volumeMin: "0",
    openOrdersMax: 200,
    algoOrdersMax: 50,
    notionalMax: null,
    volumeLadder: [{ volumeMin: "100000", makerFeeBps: 18, takerFeeBps: 22 }],
    features: [],
    ordersPerTenSeconds: 100,
    ordersPerDay: 50_000,
    requestWeightPerMinute: 6_000,
    apiKeysMax: 30,
    connectionsMax: 50,
    userDataStreamsMax: 50,
    breakEvenVolume: null,
    ...part,
  };
}

const FREE = planOf({});
const ACTIVE = planOf({
  slug: "active",
  name: "Active",
  eligibility: "volume",
  volumeMin: "1000000",
});
const PRO = planOf({
  slug: "pro",
  name: "Pro",
  eligibility: "paid",
  price: "49",
  interval: "month",
  makerFeeBps: 4,
  takerFeeBps: 8,
});
const MAKER = planOf({
  slug: "maker",
  name: "Maker",
  eligibility: "assigned",
  volumeLadder: [],
});

function factsOf(mine: Partial<MyPlan> = {}): ChoiceFacts {
  return {
    mine: {
      plan: "free",
      name: "Free",
      makerFeeBps: 20,
      takerFeeBps: 25,
      feeSource: "plan",
      volume: "0",
      volumeToday: "0",
      nextFeeTier: null,
      renewsAt: null,
      renewalCharge: null,
      nextPlan: null,
      isFrozen: false,
      offers: [],
      ...mine,
    },
    plans: [FREE, ACTIVE, PRO, MAKER],
    coin: "USD",
    timeZone: "UTC",
    available: "12.349999",
  };
}

function rowOf(plan: Plan, choice: PlanChoice, part: Partial<PlanOffer> = {}) {
  return { plan, offer: { plan: plan.slug, choice, charge: null, effectiveAt: null, ...part } };
}

describe("choosing a paid plan", () => {
  test("says what is charged now, the fees from then on, and the renewal", () => {
    expect(consequencesOf(rowOf(PRO, "chargeNow", { charge: "49.000000" }), factsOf())).toEqual([
      "49 USD is charged from your balance now.",
      "Pro holds at once: new orders pay 0.04% maker, 0.08% taker.",
      "It renews every month for 49 USD from your balance. If that is not enough one day, Free follows.",
    ]);
  });

  test("says what of the running period is credited, to the last unit", () => {
    const row = rowOf(PRO, "chargeNow", { charge: "36.712903" });
    expect(consequencesOf(row, factsOf({ plan: "active", name: "Active" }))[0]).toBe(
      "36.712903 USD is charged from your balance now: 49 USD less 12.287097 USD for the rest of Active.",
    );
    expect(confirmLabel(row, "USD")).toBe("Pay 36.712903 USD");
  });

  test("names the fees of the fee tier that is reached there", () => {
    const row = rowOf(PRO, "chargeNow", { charge: "49" });
    expect(consequencesOf(row, factsOf({ volume: "100000.000000" }))[1]).toContain("0.18% maker");
    expect(feesAt(PRO, "99999.999999").makerFeeBps).toBe(4);
  });

  test("names the balance if it is not enough, never more than there is", () => {
    const row = rowOf(PRO, "insufficientAvailable", { charge: "49.000000" });
    const sentence =
      "Your balance is not enough: 49 USD is charged at once, and you have 12.34 USD available.";
    expect(choiceNote(row, factsOf())).toBe(sentence);
    const refusal = new ConvexError({ code: "insufficientAvailable", message: "No." });
    expect(choiceRefusal(refusal, row, factsOf())).toBe(sentence);
    const other = new ConvexError({ code: "accountFrozen", message: "Frozen." });
    expect(choiceRefusal(other, row, factsOf())).toBe("Frozen.");
  });
});

test("a plan earned by volume says what is missing, rounded up", () => {
  expect(choiceNote(rowOf(ACTIVE, "volumeNotReached"), factsOf({ volume: "999999.500000" }))).toBe(
    "Asks for a 30-day volume of 1,000,000 USD; 1 USD is missing.",
  );
});

test("a cheaper plan follows when what is paid ends", () => {
  const mine = { plan: "pro", name: "Pro", renewsAt: DAY_MS };
  const row = rowOf(FREE, "atPeriodEnd", { effectiveAt: DAY_MS });
  expect(consequencesOf(row, factsOf(mine))).toEqual([
    "Free takes effect on 21 Dec 2026, at the end of the period you paid for. Pro stays until then.",
    "Nothing is charged now, and nothing is paid back.",
  ]);
});

test("a choice can be taken back", () => {
  const facts = factsOf({ plan: "pro", name: "Pro", renewsAt: DAY_MS, nextPlan: "free" });
  expect(consequencesOf(rowOf(PRO, "keep"), facts)[0]).toBe(
    "Pro continues, and Free does not follow.",
  );
});

test("who leaves an assigned plan is told that there is no way back", () => {
  const facts = factsOf({ plan: "maker", name: "Maker" });
  expect(consequencesOf(rowOf(FREE, "atOnce"), facts).at(-1)).toBe(
    "You cannot choose Maker again: an administrator assigns it.",
  );
});

test.each<[PlanChoice, boolean]>([
  ["current", false],
  ["chargeNow", true],
  ["atOnce", true],
  ["atPeriodEnd", true],
  ["next", false],
  ["keep", true],
  ["assignedOnly", false],
  ["volumeNotReached", false],
  ["insufficientAvailable", false],
  ["accountFrozen", false],
])("of %s it is %s that it can be chosen and has consequences", (choice, expected) => {
  const row = rowOf(PRO, choice);
  expect(canChoose(row.offer)).toBe(expected);
  expect(consequencesOf(row, factsOf()).length > 0).toBe(expected);
});

describe("the plan one has", () => {
  test("says from which tier its fees come, and what is missing to the next", () => {
    const facts = factsOf({ volume: "100000", feeSource: "volume" });
    expect(feeReason(facts)).toMatch(/^The fee tier of Free from 100,000 USD on\./);
    expect(feeReason(factsOf())).toMatch(/^The fees of Free\./);
    expect(nextFeeTierText(facts)).toBe("You are on the highest fee tier of Free.");
    const next = { volumeMin: "100000", makerFeeBps: 18, takerFeeBps: 22 };
    const nextFeeTier = { ...next, missing: "99999.000001", progressPercent: "0.00" };
    expect(nextFeeTierText(factsOf({ nextFeeTier }))).toBe(
      "100,000 USD more for 0.18% maker, 0.22% taker.",
    );
    expect(nextFeeTierText(factsOf({ plan: "maker", name: "Maker" }))).toBe(
      "Maker has no fee tiers.",
    );
  });

  test("says how it continues", () => {
    const pro = { plan: "pro", name: "Pro", renewsAt: DAY_MS, renewalCharge: "49" };
    expect(periodText(factsOf())).toBeNull();
    expect(periodText(factsOf(pro))).toBe(
      "Renews on 21 Dec 2026 for 49 USD from your balance; if that is not enough, Free follows.",
    );
    expect(periodText(factsOf({ ...pro, nextPlan: "free", renewalCharge: null }))).toBe(
      "Until 21 Dec 2026; then Free follows.",
    );
    expect(periodText(factsOf({ plan: "active", name: "Active", renewsAt: DAY_MS }))).toBe(
      "Continues after 21 Dec 2026 if your 30-day volume is 1,000,000 USD or more then; else Free follows.",
    );
    expect(periodText(factsOf({ ...pro, isFrozen: true }))).toBe(
      "Ends on 21 Dec 2026: a frozen account is not renewed.",
    );
  });
});

import { beforeEach, describe, expect, test } from "vitest";
import { Accounts } from "./accounts.ts";
import { AMOUNT_MAX } from "../amount.ts";
import { Catalogue } from "../markets/catalogue.ts";
import { DAY_MS } from "../time/calendar.ts";
import type { CoinDefinition, PlanDefinition } from "../commands.ts";
import { FeeTiers } from "./fee-tiers.ts";
import {
  FEE_SOURCE_MARKET,
  feeSourceOf,
  makerFeeBpsOf,
  packFees,
  takerFeeBpsOf,
} from "./packed-fees.ts";
import { LevelTable } from "../book/level-table.ts";
import { OrderTable } from "../book/order-table.ts";

const usd: CoinDefinition = {
  symbol: "USD",
  name: "US dollar",
  kind: "fiat",
  status: "listed",
  scale: 2,
  displayDecimals: 2,
  description: "",
  website: "",
  riskNote: "",
};
const plan: PlanDefinition = {
  slug: "free",
  name: "Free",
  description: "",
  position: 0,
  makerFeeBps: 20,
  takerFeeBps: 25,
  price: "0",
  interval: "none",
  eligibility: "everyone",
  volumeMin: "0",
  openOrdersMax: 100,
  features: [],
  currency: "USD",
  volumeLadder: [
    { volumeMin: "10", makerFeeBps: 16, takerFeeBps: 20 },
    { volumeMin: "50", makerFeeBps: 12, takerFeeBps: 10_000 },
  ],
};
const START_DAY = 20_000;

let catalogue: Catalogue;
let accounts: Accounts;
let tiers: FeeTiers;
let ann: number;

beforeEach(() => {
  catalogue = new Catalogue();
  catalogue.coins.add("USD", usd);
  catalogue.coins.add("EUR", { ...usd, symbol: "EUR" });
  catalogue.definePlan(plan);
  accounts = new Accounts(new OrderTable(new LevelTable()));
  tiers = new FeeTiers(accounts, catalogue);
  ann = accounts.open("ann", "person", 1);
  onDay(0);
});

const onDay = (day: number) => tiers.advance((START_DAY + day) * DAY_MS);
const trade = (units: number) => accounts.addVolume(ann, tiers.today, units);
const fees = () => {
  const packed = tiers.feesOf(ann);
  const source = ["plan", "volume", "market"][feeSourceOf(packed)];
  return `${makerFeeBpsOf(packed)}/${takerFeeBpsOf(packed)} by ${source}`;
};

describe("the fees of an account", () => {
  test("are the plan's until a day has passed over a volume", () => {
    expect(fees()).toBe("20/25 by plan");
    trade(999);
    trade(1);
    expect(fees()).toBe("20/25 by plan");
    tiers.advance((START_DAY + 1) * DAY_MS - 1);
    expect(fees()).toBe("20/25 by plan");
    onDay(1);
    expect(fees()).toBe("16/20 by volume");
  });

  test("stay the plan's one unit below the first step", () => {
    trade(999);
    onDay(1);
    expect(fees()).toBe("20/25 by plan");
  });

  test("count thirty full days: the first day falls out on the thirty-first after it", () => {
    trade(4_000);
    onDay(10);
    trade(1_000);
    onDay(11);
    expect(fees()).toBe("12/10000 by volume");
    onDay(30);
    expect(fees()).toBe("12/10000 by volume");
    onDay(31);
    expect(fees()).toBe("16/20 by volume");
    onDay(40);
    expect(fees()).toBe("16/20 by volume");
    onDay(41);
    expect(fees()).toBe("20/25 by plan");
  });

  test("forget aged days also while the account continues to trade", () => {
    for (let day = 0; day < 40; day++) {
      onDay(day);
      trade(100);
      expect(tiers.volumeOf(ann)).toBe(Math.min(day, 30) * 100);
    }
  });

  test("follow a change of plan and of a plan's definition at once", () => {
    expect(fees()).toBe("20/25 by plan");
    const planId = catalogue.definePlan({
      ...plan,
      slug: "pro",
      makerFeeBps: 4,
      takerFeeBps: 8,
    });
    accounts.assignPlan(ann, planId);
    expect(fees()).toBe("4/8 by plan");
    catalogue.updatePlan(planId, { ...plan, slug: "pro", makerFeeBps: 3, takerFeeBps: 7 });
    tiers.plansChanged();
    expect(fees()).toBe("3/7 by plan");
  });

  test("never climb a ladder that counts in another coin than the volumes", () => {
    const planId = catalogue.definePlan({ ...plan, slug: "euro", currency: "EUR" });
    accounts.assignPlan(ann, planId);
    trade(1_000_000);
    onDay(1);
    expect(fees()).toBe("20/25 by plan");
  });

  test("of any height fit, and a volume never leaves the exact range", () => {
    const packed = packFees(10_000, 9_999, FEE_SOURCE_MARKET);
    expect([makerFeeBpsOf(packed), takerFeeBpsOf(packed), feeSourceOf(packed)]).toEqual([
      10_000, 9_999, 2,
    ]);
    trade(AMOUNT_MAX - 1);
    trade(AMOUNT_MAX);
    onDay(1);
    trade(AMOUNT_MAX);
    onDay(2);
    expect(tiers.volumeOf(ann)).toBe(AMOUNT_MAX);
  });
});

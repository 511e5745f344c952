import { afterAll, beforeAll, expect, test } from "vitest";
import type { Balance, LedgerEntry, Page, Portfolio } from "#contract/types.ts";
import type { ActivityItem, CurrentUser } from "#contract/users.ts";
import { addDecimals } from "#contract/decimal.ts";
import {
  type FunctionScene,
  type PlaceForParticipant,
  openFunctionScene,
  refusal,
} from "#test/support/function-scene.ts";

let scene: FunctionScene;
let maker: PlaceForParticipant;
beforeAll(async () => {
  scene = await openFunctionScene();
  maker = await scene.participant("maker", { USD: 100_000_000, BTC: 1_000 });
});
afterAll(() => scene.close());

test("the current user is null for a visitor and for a deleted user", () => {
  expect(scene.as(null).value("users:current")).toBeNull();
  expect(scene.as("deleted-1").value("users:current")).toBeNull();
});

test("practice funds open the account, are given once a day and raise the balance", async () => {
  const anna = scene.as("anna");
  const before = anna.value<CurrentUser>("users:current");
  expect(before).toEqual({
    id: "anna",
    role: "user",
    name: "anna",
    lastname: "Example",
    email: "anna@example.com",
    emailVerified: false,
    balance: 0,
    plan: { slug: "free", name: "Free", makerFeeBps: 20, takerFeeBps: 25 },
    practiceFundsNextAt: null,
    practiceFunds: [{ coin: "USD", amount: "100000" }],
  });
  expect(anna.value<Balance[]>("accounts:balances")).toHaveLength(15);
  expect(anna.value<Portfolio>("portfolio:summary")).toMatchObject({
    equity: "0.000000",
    curve: [],
  });

  const taken = await anna.done("accounts:takePracticeFunds", {}, "funds");
  expect(taken).toEqual([{ coin: "USD", amount: "100000.000000" }]);
  expect(await anna.done("accounts:takePracticeFunds", {}, "funds")).toEqual(taken);
  const after = anna.value<CurrentUser>("users:current");
  expect(after.balance).toBe(100_000);
  expect((after.practiceFundsNextAt ?? 1) % 86_400_000).toBe(0);
  expect(refusal(await anna.mutate("accounts:takePracticeFunds"))).toEqual({
    code: "practiceFundsTakenToday",
    message: expect.stringMatching(/tomorrow/),
  });
  expect(refusal(await anna.mutate("accounts:takePracticeFunds", { amount: "5" }))).toMatchObject({
    field: "amount",
  });
});

test("many first requests at once open one account", async () => {
  const carla = scene.as("carla");
  const order = { market: "BTC-USD", side: "buy", type: "limit", price: "1.00", quantity: "1" };
  const results = await Promise.all(
    Array.from({ length: 10 }, () => carla.mutate("orders:place", order)),
  );
  for (const result of results)
    expect(refusal(result)).toMatchObject({ code: "insufficientAvailable" });
  const accounts = [...scene.services.views.accounts.all()];
  expect(accounts.filter(({ userId }) => userId === "carla")).toHaveLength(1);
});

test("balances, portfolio, activity and ledger tell the same story of a purchase", async () => {
  const dora = scene.as("dora");
  await dora.done("accounts:takePracticeFunds");
  await maker({ side: "sell", price: "50000", quantity: "1" });
  await dora.done("orders:place", {
    market: "BTC-USD",
    side: "buy",
    type: "market",
    quantity: "1",
  });
  await maker({ side: "buy", price: "60000", quantity: "0.5" });
  await dora.done("orders:place", {
    market: "BTC-USD",
    side: "sell",
    type: "market",
    quantity: "0.4975",
  });

  const portfolio = dora.value<Portfolio>("portfolio:summary");
  // Bought 0.9975 BTC for 50 000 USD, sold 0.4975 for 29 850 less 74.625; holds 0.5 BTC at 60 000.
  expect(portfolio).toMatchObject({
    settlementCoin: "USD",
    equity: "109775.375000",
    profit: "9775.375000",
    deposited: "100000.000000",
    dayChange: "9775.375000",
    dayChangePercent: "9.78",
    feesPaid: "199.625000",
  });
  expect(portfolio.holdings).toEqual([
    {
      coin: "USD",
      name: "US Dollar",
      quantity: "79775.375000",
      displayDecimals: 2,
      price: "1",
      value: "79775.375000",
      share: "72.67",
      averageCost: null,
      unrealisedProfit: null,
      realisedProfit: "0.000000",
    },
    {
      coin: "BTC",
      name: "Bitcoin",
      quantity: "0.50000000",
      displayDecimals: 8,
      price: "60000.00",
      value: "30000.000000",
      share: "27.33",
      averageCost: "50125.3133",
      unrealisedProfit: "4937.343358",
      realisedProfit: "4838.031642",
    },
  ]);
  expect(portfolio.curve.at(-1)?.equity).toBe(109_775.375);
  expect(dora.value<CurrentUser>("users:current").balance).toBe(109_775.37);

  const activity = dora.value<ActivityItem[]>("activity:recent");
  expect(activity.map(({ kind, title, amount, coin }) => [kind, title, amount, coin])).toEqual([
    ["fill", "Sold 0.4975 BTC at 60,000.00", "29775.375000", "USD"],
    ["order", "Sell 0.4975 BTC · Market", null, "BTC"],
    ["fill", "Bought 1 BTC at 50,000.00", "0.99750000", "BTC"],
    ["order", "Buy 1 BTC · Market", null, "BTC"],
    ["transfer", "Took 100,000 USD of practice funds", "100000.000000", "USD"],
    ["plan", "Plan is Free", null, null],
  ]);
  await scene.services.history.whenProjected();
  const page = await dora.answer<Page<ActivityItem>>("activity:page", { limit: 4 });
  const rest = await dora.answer<Page<ActivityItem>>("activity:page", { cursor: page.cursor });
  expect([...page.items, ...rest.items]).toEqual(activity);
  const found = await dora.answer<Page<ActivityItem>>("activity:page", { search: "SOLD btc" });
  expect(found.items).toEqual([activity[0]]);
  expect(await dora.answer("activity:page", { kind: "security" })).toMatchObject({ items: [] });

  const sums = new Map<string, string>();
  for (const sequence of new Set(activity.map((item) => item.sequence))) {
    if (sequence === null) continue;
    const entries = await dora.answer<LedgerEntry[]>("accounts:ledgerEntries", { sequence });
    for (const { coin, balance, amount } of entries) {
      const key = `${coin} ${balance}`;
      sums.set(key, addDecimals(sums.get(key) ?? "0", amount));
    }
  }
  for (const { coin, available, held } of dora.value<Balance[]>("accounts:balances")) {
    const none = coin === "USD" ? "0.000000" : "0.00000000";
    if (coin !== "USD" && coin !== "BTC") continue;
    expect(sums.get(`${coin} available`)).toBe(available);
    expect(sums.get(`${coin} held`) ?? none).toBe(held);
  }
});

test("ledger entries of another's sequence are not shown", async () => {
  const emil = scene.as("emil");
  await emil.done("accounts:takePracticeFunds");
  const { sequence } = scene.services.exchange.health();
  const [entry, ...more] = await emil.answer<LedgerEntry[]>("accounts:ledgerEntries", { sequence });
  expect(more).toEqual([]);
  expect(entry).toMatchObject({ id: `${sequence}-0`, amount: "100000.000000", orderId: null });
  expect(await scene.as("anna").answer("accounts:ledgerEntries", { sequence })).toEqual([]);
  for (const wrong of [0, -1, 1.5, "7", null, undefined, 2 ** 60, Number.NaN]) {
    const result = await emil.act("accounts:ledgerEntries", { sequence: wrong });
    expect(refusal(result)).toMatchObject({ code: "invalidArgument", field: "sequence" });
  }
});

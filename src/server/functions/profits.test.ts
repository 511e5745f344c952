/** Profits from history compared with the live portfolio and with the deposits. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { addDecimals, subtractDecimals, trimDecimal } from "#contract/decimal.ts";
import type { Balance, Portfolio, ProfitReport } from "#contract/types.ts";
import {
  type FunctionScene,
  type PlaceForParticipant,
  openFunctionScene,
} from "#test/support/function-scene.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

let scene: FunctionScene;
let maker: PlaceForParticipant;
beforeAll(async () => {
  scene = await openFunctionScene({
    settings: { PRACTICE_FUNDS: "USD:100000,BTC:1,ETH:10" },
  });
  maker = await scene.participant("maker", { USD: 100_000_000, BTC: 1_000, ETH: 10_000 });
});
afterAll(() => scene.close());

type Person = ReturnType<FunctionScene["as"]>;

const MARKETS = [
  { market: "BTC-USD", cents: 6_000_000, quantity: ["0.0001", "0.0133", "0.5"] },
  { market: "ETH-USD", cents: 300_000, quantity: ["0.0011", "0.7777", "3"] },
] as const;

/** Some trades at prices that move. */
async function tradeAtRandom(person: Person, seed: number, count: number): Promise<void> {
  const random = seededRandom(seed);
  for (let trade = 0; trade < count; trade += 1) {
    const { market, cents, quantity: quantities } = MARKETS[Math.floor(random() * 2)] ?? MARKETS[0];
    const price = ((cents * (95 + Math.floor(random() * 10))) / 10_000).toFixed(2);
    const quantity = quantities[Math.floor(random() * 3)] ?? "1";
    const side = random() < 0.5 ? "buy" : "sell";
    await maker({ market, side: side === "buy" ? "sell" : "buy", price, quantity });
    await person.mutate("orders:place", { market, side, type: "market", quantity });
  }
}

test.each(["average", "fifo"] as const)(
  "by %s cost, deposits and all profits are exactly what is owned",
  async (method) => {
    const person = scene.as(`trader-${method}`);
    await maker({ market: "BTC-USD", side: "sell", price: "60000.00", quantity: "0.01" });
    await person.done("accounts:takePracticeFunds");
    await tradeAtRandom(person, 7, 60);
    const report = await person.answer<ProfitReport>("portfolio:profits", { method });
    const { deposited, equity } = person.value<Portfolio>("portfolio:summary");
    const { unrealisedProfit, realisedProfit } = report.total;
    expect(addDecimals(deposited, addDecimals(unrealisedProfit, realisedProfit))).toBe(equity);
    expect(report.equity).toBe(equity);
    expect(report.coins).toHaveLength(2);
    for (const { coin, total } of person.value<Balance[]>("accounts:balances")) {
      const sums = report.coins.find((each) => each.coin === coin);
      if (sums !== undefined) expect(sums.quantity).toBe(total);
    }
  },
);

test("by average cost, every number is that of the live portfolio", async () => {
  const person = scene.as("trader-average");
  const report = await person.answer<ProfitReport>("portfolio:profits", { method: "average" });
  const live = person.value<Portfolio>("portfolio:summary");
  const compared = report.coins.map(
    ({ coin, quantity, averageCost, value, unrealisedProfit, realisedProfit }) => ({
      coin,
      quantity,
      averageCost,
      value,
      unrealisedProfit,
      realisedProfit,
    }),
  );
  for (const coin of compared) {
    expect(live.holdings.find((holding) => holding.coin === coin.coin)).toMatchObject(coin);
  }
  expect(report.total.feesPaid).toBe(live.feesPaid);
});

test("a range counts what was realised and paid within it, and costs stay", async () => {
  const person = scene.as("trader-fifo");
  const before = await person.answer<ProfitReport>("portfolio:profits", { method: "fifo" });
  await new Promise((resolve) => setTimeout(resolve, 5));
  const from = scene.services.views.nowMs() + 1;
  await new Promise((resolve) => setTimeout(resolve, 5));
  const none = await person.answer<ProfitReport>("portfolio:profits", { method: "fifo", from });
  expect(trimDecimal(none.total.realisedProfit)).toBe("0");
  expect(none.coins.map(({ cost }) => cost)).toEqual(before.coins.map(({ cost }) => cost));
  await tradeAtRandom(person, 8, 20);
  const all = await person.answer<ProfitReport>("portfolio:profits", { method: "fifo" });
  const since = await person.answer<ProfitReport>("portfolio:profits", { method: "fifo", from });
  const earlier = (name: "realisedProfit" | "feesPaid") =>
    subtractDecimals(all.total[name], since.total[name]);
  expect(earlier("realisedProfit")).toBe(before.total.realisedProfit);
  expect(earlier("feesPaid")).toBe(before.total.feesPaid);
});

test("what was put in is valued as if it had only been held", async () => {
  const person = scene.as("holder");
  await person.done("accounts:takePracticeFunds");
  const report = await person.answer<ProfitReport>("portfolio:profits", {});
  expect(report.heldValue).toBe(report.equity);
  expect(Number(report.heldValue)).toBeGreaterThan(100_000);
  expect((await scene.as("unknown").answer<ProfitReport>("portfolio:profits", {})).coins).toEqual(
    [],
  );
});

test("the history is read again only when the account's postings have changed", async () => {
  const person = scene.as("reader");
  await person.done("accounts:takePracticeFunds");
  const reads = vi.spyOn(scene.services.history.read, "profits");
  const first = await person.answer<ProfitReport>("portfolio:profits", { method: "fifo" });
  await tradeAtRandom(scene.as("trader-fifo"), 9, 3);
  const again = await person.answer<ProfitReport>("portfolio:profits", { method: "fifo" });
  expect(reads).toHaveBeenCalledTimes(1);
  expect(again.coins.map(({ cost }) => cost)).toEqual(first.coins.map(({ cost }) => cost));
  await tradeAtRandom(person, 10, 5);
  await person.answer<ProfitReport>("portfolio:profits", { method: "fifo" });
  expect(reads).toHaveBeenCalledTimes(2);
  reads.mockRestore();
});

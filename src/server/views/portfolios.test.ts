import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createScene, type Scene } from "#test/support/market-scene.ts";

const USD = 1_000_000n;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Anna with 100 000 USD and a deep participant; Anna's fees are 20 maker and 25 taker bps. */
function build() {
  const scene = createScene();
  const maker = scene.open("simulated:maker", { USD: "10000000", BTC: "1000", ETH: "1000" });
  const anna = scene.open("anna", { USD: "100000" });
  return { scene, maker, anna };
}

function portfolioOf(scene: Scene, account: number) {
  const portfolio = scene.views.portfolios.portfolio(account);
  if (portfolio === undefined) throw new Error("no portfolio");
  return portfolio;
}

describe("a person's portfolio", () => {
  test("begins with the practice funds as deposit and no profit", () => {
    const { scene, anna } = build();
    expect(portfolioOf(scene, anna)).toEqual({
      equity: 100_000n * USD,
      deposited: 100_000n * USD,
      feesPaid: 0n,
      positions: [],
      dayChange: 0n,
      dayBase: 100_000n * USD,
    });
  });

  test("counts the fee into the cost of what was bought", () => {
    const { scene, maker, anna } = build();
    scene.place({ account: maker, side: "sell", price: "50000", quantity: "1" });
    scene.place({ account: anna, side: "buy", quantity: "1" });
    const { positions, feesPaid, equity } = portfolioOf(scene, anna);
    // 25 bps of 1 BTC: 0.9975 BTC arrived for 50 000 USD.
    expect(positions).toEqual([
      { assetId: 2, quantity: 99_750_000, cost: 50_000n * USD, realisedProfit: 0n },
    ]);
    expect(feesPaid).toBe(125n * USD);
    expect(equity).toBe(99_875n * USD);
  });

  test("realises the proceeds after the fee less the average cost", () => {
    const { scene, maker, anna } = build();
    scene.place({ account: maker, side: "sell", price: "50000", quantity: "1" });
    scene.place({ account: anna, side: "buy", quantity: "1" });
    scene.place({ account: maker, side: "buy", price: "60000", quantity: "0.5" });
    scene.place({ account: anna, side: "sell", quantity: "0.5" });
    const [position] = portfolioOf(scene, anna).positions;
    // 0.5 of 0.9975 BTC cost 25 062.656641 USD, rounded down; 30 000 USD less 75 USD was received.
    expect(position.cost).toBe(50_000n * USD - 25_062_656_641n);
    expect(position.realisedProfit).toBe(29_925n * USD - 25_062_656_641n);
    expect(portfolioOf(scene, anna).feesPaid).toBe(200n * USD);
  });

  test("loses the whole cost of a purchase that its fee ate", () => {
    const { scene, anna } = build();
    const { portfolios, catalogue } = scene.views;
    const market = catalogue.marketBySymbol("BTC-USD");
    if (market === undefined) throw new Error("no market");
    const outcome = scene.exchange.run({ type: "cancelAllOrders", account: anna, marketId: 0 });
    portfolios.foldTraded(
      {
        type: "traded",
        sequence: outcome.sequence,
        timestampMs: outcome.timestampMs,
        marketId: market.marketId,
        tradeId: 1,
        takerSide: "buy",
        priceTicks: 1 as never,
        quantityLots: 1 as never,
        notional: 7 as never,
        baseAmount: 3 as never,
        makerOrderId: 1,
        takerOrderId: 2,
        makerAccount: 0,
        takerAccount: anna,
        makerFee: 0 as never,
        takerFee: 3 as never,
        makerRemainingLots: 0 as never,
        takerReleased: 0 as never,
      },
      market,
    );
    expect(portfolioOf(scene, anna).positions[0]).toMatchObject({ cost: 0n, realisedProfit: -7n });
  });

  test("the day's change leaves out what was deposited in the day", () => {
    const { scene, maker, anna } = build();
    scene.place({ account: maker, side: "sell", price: "50000", quantity: "1" });
    scene.place({ account: anna, side: "buy", quantity: "1" });
    scene.wait(2 * DAY);
    scene.place({ account: maker, side: "sell", price: "60000", quantity: "0.01" });
    scene.place({ account: maker, side: "buy", price: "59000", quantity: "0.01" });
    const other = scene.open("simulated:other", { USD: "100000" });
    scene.place({ account: other, side: "buy", quantity: "0.01" });
    scene.exchange.run({
      type: "takePracticeFunds",
      account: anna,
      assetId: 1,
      amount: 1_000_000_000 as never,
    });
    // 0.9975 BTC rose by 10 000 USD each; the 1 000 USD taken today are not a gain.
    expect(portfolioOf(scene, anna)).toMatchObject({ dayChange: 9_975n * USD });
    expect(portfolioOf(scene, anna).dayBase).toBe((99_875n + 1_000n) * USD);
  });

  test("the curve shows the past at its prices and ends with the present", () => {
    const { scene, maker, anna } = build();
    scene.wait(10 * 60_000);
    scene.place({ account: maker, side: "sell", price: "50000", quantity: "1" });
    scene.place({ account: anna, side: "buy", quantity: "1" });
    scene.wait(50 * 60_000);
    scene.place({ account: maker, side: "buy", price: "40000", quantity: "1" });
    scene.place({ account: anna, side: "sell", quantity: "0.1" });
    scene.wait(30_000);
    const curve = scene.views.portfolios.curve(anna);
    expect(curve[0].equity).toBe(100_000);
    expect(curve.at(-10)?.equity).toBe(99_875);
    const equity = Number(portfolioOf(scene, anna).equity) / 1e6;
    expect(curve.at(-1)).toEqual({ time: scene.exchange.timeMs, equity });
    const times = curve.map(({ time }) => time);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(scene.views.portfolios.curve(anna)).toEqual(curve);
  });

  test("the curve begins with the first funds", () => {
    const scene = createScene();
    const bert = scene.open("bert", {});
    scene.wait(10 * 60_000);
    expect(scene.views.portfolios.curve(bert)).toEqual([]);
    scene.wait(20_000);
    const amount = 100_000_000_000 as never;
    scene.exchange.run({ type: "takePracticeFunds", account: bert, assetId: 1, amount });
    const fundedAtMs = scene.exchange.timeMs;
    for (const wait of [0, 30_000, 10 * 60_000, 30 * HOUR, 9 * DAY]) {
      scene.wait(wait);
      const curve = scene.views.portfolios.curve(bert);
      expect(new Set(curve.map(({ equity }) => equity))).toEqual(new Set([100_000]));
      expect(curve[0].time).toBeGreaterThanOrEqual(fundedAtMs);
      // A line can be drawn as soon as time has passed.
      expect(curve.length > 1).toBe(wait > 0);
    }
  });

  test("the curve never has more than a few hundred points", () => {
    const { scene, anna } = build();
    for (const wait of [HOUR, 9 * HOUR, 3 * DAY, 40 * DAY, 400 * DAY, 4_000 * DAY]) {
      scene.wait(wait);
      const { length } = scene.views.portfolios.curve(anna);
      expect(length).toBeGreaterThan(2);
      expect(length).toBeLessThanOrEqual(182);
    }
  });

  test("participants have none", () => {
    const { scene, maker } = build();
    expect(scene.views.portfolios.portfolio(maker)).toBeUndefined();
    expect(scene.views.portfolios.curve(maker)).toEqual([]);
  });
});

test("equity is exactly deposits plus realised and unrealised profits, whatever is traded", () => {
  const trade = fc.record({
    annaTakes: fc.boolean(),
    annaBuys: fc.boolean(),
    market: fc.constantFrom("BTC-USD", "ETH-USD"),
    cents: fc.integer({ min: 100_000, max: 9_000_000 }),
    lots: fc.integer({ min: 10, max: 5_000 }),
  });
  fc.assert(
    fc.property(fc.array(trade, { maxLength: 30 }), (trades) => {
      const { scene, maker, anna } = build();
      const { accounts, valuation } = scene.views;
      for (const { annaTakes, annaBuys, market, cents, lots } of trades) {
        const price = (cents / 100).toFixed(2);
        const quantity = (lots / 10_000).toFixed(4);
        const annas = { account: anna, side: annaBuys ? "buy" : "sell" } as const;
        const makers = { account: maker, side: annaBuys ? "sell" : "buy" } as const;
        scene.place({ ...(annaTakes ? makers : annas), market, price, quantity });
        scene.place({ ...(annaTakes ? annas : makers), market, price, quantity });
        for (const account of [anna, maker]) {
          scene.exchange.run({ type: "cancelAllOrders", account, marketId: 0 });
        }
        scene.wait(60_000);
        const { equity, deposited, positions } = portfolioOf(scene, anna);
        let profits = 0n;
        for (const { assetId, quantity: units, cost, realisedProfit } of positions) {
          expect(units).toBe(accounts.total(anna, assetId));
          expect(cost).toBeGreaterThanOrEqual(0n);
          profits += realisedProfit + (valuation.valueOf(assetId, units) ?? 0n) - cost;
        }
        expect(equity).toBe(deposited + profits);
      }
    }),
    { numRuns: 60 },
  );
});

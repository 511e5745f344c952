import { expect, test } from "vitest";
import { AMOUNT_MAX, type Amount } from "#engine/amount.ts";
import type { Command, MarketDefinition, PlanDefinition } from "#engine/commands.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { createInProcessExchange } from "#test/support/in-process-exchange.ts";
import { COINS } from "./coins.ts";
import { defaultCatalogue } from "./default-catalogue.ts";
import { ListedCatalogue, installCatalogue } from "./install-catalogue.ts";
import { SIMULATED_MARKETS, marketDefinition } from "./markets.ts";
import { PLANS } from "./plans.ts";

function open() {
  const exchange = createInProcessExchange(0);
  const listed = new ListedCatalogue();
  const events: ExchangeEvent[] = [];
  exchange.subscribe((batch) => {
    listed.fold(batch);
    events.push(...batch);
  });
  const install = () => installCatalogue(exchange, listed, defaultCatalogue(true));
  return { exchange, listed, events, install };
}

/** As written by a version without currencies and largest notionals. */
function early<Definition extends object>(definition: Definition, fields: (keyof Definition)[]) {
  const kept = { ...definition };
  for (const field of fields) delete kept[field];
  return kept;
}
const earlyPlan = (plan: PlanDefinition) =>
  early(plan, ["currency", "notionalMax", "algoOrdersMax", "volumeLadder"]);
const earlyMarket = (market: MarketDefinition) =>
  early(market, [
    "notionalMax",
    "priceBandBps",
    "passiveBandBps",
    "referenceTicks",
    "breaker",
    "protectionBps",
  ]);

test("a fresh exchange gets the whole catalogue, once", async () => {
  const { exchange, listed, events, install } = open();
  await install();
  expect([listed.coins.size, listed.plans.size, listed.markets.size]).toEqual([
    COINS.length,
    PLANS.length,
    SIMULATED_MARKETS.length,
  ]);
  const { sequence } = exchange.engine;
  await install();
  expect(exchange.engine.sequence).toBe(sequence);
  expect(events.some(({ type }) => type === "commandRejected")).toBe(false);
});

test("what all accounts own together has no limit, also in an exchange from before", async () => {
  const { exchange, install, listed } = open();
  const early = exchange.run({ type: "openAccount", userId: "anna", kind: "person" });
  expect(early.rejected).toBe("unknownPlan");
  expect(exchange.engine.read.balanceUnitsMax).toBe(Infinity);
  await install();
  expect(exchange.engine.read.balanceUnitsMax).toBe(AMOUNT_MAX);
  const restored = new ListedCatalogue();
  restored.restore(listed.state());
  expect(restored.balanceLimit).toBe(AMOUNT_MAX);
});

test("the newest rules of trading are adopted once, also by an exchange from before", async () => {
  const { events, exchange, install, listed } = open();
  exchange.run({ type: "limitWork", ordersMax: 128, levelsMax: 4096, marketsInParts: true });
  expect(exchange.engine.read.spentOrdersStop).toBe(false);
  await install();
  expect(exchange.engine.read.spentOrdersStop).toBe(true);
  expect(exchange.engine.read.pendingTakePlaces).toBe(true);
  const restored = new ListedCatalogue();
  restored.restore(listed.state());
  await installCatalogue(exchange, restored, defaultCatalogue(true));
  expect(events.filter(({ type }) => type === "rulesAdopted")).toHaveLength(1);
});

test("an exchange of an early version is completed, what it said itself stays", async () => {
  const { exchange, listed, install } = open();
  const [market] = SIMULATED_MARKETS;
  const commands: Command[] = [
    // At that time plans came first.
    ...PLANS.map((plan): Command => ({
      type: "definePlan",
      plan: { ...earlyPlan(plan), name: `Old ${plan.name}` },
    })),
    ...COINS.map((coin): Command => ({ type: "listCoin", coin })),
    { type: "listMarket", market: earlyMarket(marketDefinition(market, false)) },
  ];
  for (const command of commands) exchange.run(command);
  await install();
  const free = listed.plans.get("free")?.definition;
  expect(free).toEqual({ ...PLANS[0], name: "Old Free" });
  expect(listed.markets.get(market.symbol)?.definition).toEqual(marketDefinition(market, false));
  const { sequence } = exchange.engine;
  await install();
  expect(exchange.engine.sequence).toBe(sequence);
});

test("redefined entries are left alone", async () => {
  const { exchange, listed, install } = open();
  await install();
  const plan = { ...earlyPlan(PLANS[0]), currency: "USD", makerFeeBps: 99 };
  exchange.run({ type: "updatePlan", planId: 1, plan });
  const { sequence } = exchange.engine;
  await install();
  expect(exchange.engine.sequence).toBe(sequence);
  expect(listed.plans.get("free")?.definition.makerFeeBps).toBe(99);
});

test("a market that was given a largest notional by an earlier version gets its price limits too", async () => {
  const { exchange, listed, install } = open();
  const definition = marketDefinition(SIMULATED_MARKETS[0], true);
  for (const coin of COINS) exchange.run({ type: "listCoin", coin });
  exchange.run({ type: "listMarket", market: earlyMarket(definition) });
  const notionalMax = 7_000_000 as Amount;
  const market = { ...earlyMarket(definition), notionalMax };
  exchange.run({ type: "updateMarket", marketId: 1, market });
  await install();
  expect(listed.markets.get(definition.symbol)?.definition).toEqual({ ...definition, notionalMax });
});

test("price limits that were taken away stay away", async () => {
  const { exchange, listed, install } = open();
  await install();
  const market = earlyMarket(marketDefinition(SIMULATED_MARKETS[0], true));
  exchange.run({ type: "updateMarket", marketId: 1, market });
  const { sequence } = exchange.engine;
  await install();
  expect(exchange.engine.sequence).toBe(sequence);
  expect(listed.markets.get(market.symbol)?.definition).toEqual(market);
});

test("a market that people alone trade is not measured from an invented price", () => {
  const [market] = SIMULATED_MARKETS;
  expect(marketDefinition(market, true).referenceTicks).toBe(6_425_000);
  expect(marketDefinition(market, false)).not.toHaveProperty("referenceTicks");
});

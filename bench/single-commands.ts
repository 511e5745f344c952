/**
 * `npm run bench-commands`: the worst case of each kind of command among a million resting orders:
 * percentiles and maximum of its runs, and which kinds take longer than a millisecond. Runs the engine
 * with its ledger and events, and with the exchange's limit of work. Every command must have its
 * expected outcome; every scene ends with the same state hash in every run.
 *
 *   --orders=1000000 --rounds=200
 */
import "#server/exchange/compile-engine-whole.ts";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { Command, OrderConditions, PlaceOrder, Side } from "#engine/commands.ts";
import { createEngine, type Engine } from "#engine/engine.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import { seededRandom } from "./flow.ts";
import { coinListing, marketListing, participantCommands, PLAN_DEFINITION } from "./listings.ts";

const { values: options } = parseArgs({
  options: {
    orders: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "200" },
  },
});
const ORDERS = Number(options.orders);
const ROUNDS = Number(options.rounds);
const FLAGGED_MS = 1;
const ORDERS_PER_COMMAND = 128;
const LEVELS_PER_ORDER = 4096;

const MAKER = 16;
const TAKER = 17;
const OTHER = 18;
/** An account without funds, whose orders are refused once their cost is known. */
const POOR = 19;
const MIDDLE = 2_000_000;
const START_MS = 1_800_000_000_000;
const STOPS = (1 << 16) - 1;

const print = (line = "") => process.stdout.write(`${line}\n`);

/** An exchange with one market and three accounts with ample funds. */
class Scene {
  readonly #name: string;
  readonly engine: Engine = createEngine();
  readonly #events = new EventBuffer();
  nowMs = START_MS;

  constructor(name: string) {
    this.#name = name;
    for (const command of opening()) this.apply(command);
  }

  apply(command: Command): void {
    this.#events.clear();
    this.engine.apply(this.engine.sequence + 1, this.nowMs, "", command, this.#events);
  }

  /** Type of the last command's last event, or the reason for its refusal. */
  outcome(): string {
    const last = this.#events.decode().at(-1);
    if (last === undefined) return "nothing";
    return last.type === "commandRejected" ? last.reason : last.type;
  }

  /**
   * Times `rounds` commands, each after an untimed preparation, and prints their percentiles.
   * @throws Error if a command does not have the expected outcome
   */
  time(
    kind: string,
    expected: string,
    command: (round: number) => Command,
    { rounds = ROUNDS, before }: { rounds?: number; before?: (round: number) => void } = {},
  ): void {
    const millis: number[] = [];
    for (let round = 0; round < rounds; round++) {
      before?.(round);
      const asked = command(round);
      const start = performance.now();
      this.apply(asked);
      millis.push(performance.now() - start);
      const outcome = this.outcome();
      if (outcome !== expected) throw new Error(`${kind}: ${outcome} in place of ${expected}`);
    }
    millis.sort((a, b) => a - b);
    const at = (share: number) => millis[Math.ceil(millis.length * share) - 1].toFixed(3);
    // p99 includes other load on the machine, so the flag is based on p90.
    const flag = Number(at(0.9)) > FLAGGED_MS ? "  OVER 1 ms" : "";
    print(
      `  ${kind.padEnd(46)} p50 ${at(0.5).padStart(7)}  p90 ${at(0.9).padStart(7)}` +
        `  p99 ${at(0.99).padStart(7)}  longest ${at(1).padStart(7)} ms${flag}`,
    );
  }

  end(): void {
    this.engine.read.checkInvariants();
    const { openOrderCount } = this.engine.read;
    print(`  ${this.#name}: ${openOrderCount} orders left, state hash ${this.engine.stateHash()}`);
    print();
  }
}

function opening(): Command[] {
  const terms = { lotUnits: 1, tickLotUnits: 1, quantityLotsMax: 1e12 as Lots };
  const endowment = 2.5e15 as Amount;
  const accounts = [MAKER, TAKER, OTHER].flatMap((account) =>
    participantCommands(account, `user ${account}`, 2, endowment),
  );
  return [
    coinListing("USD"),
    coinListing("BTC"),
    marketListing("BTC", terms),
    PLAN_DEFINITION,
    ...accounts,
    ...participantCommands(POOR, "poor", 0, 0 as Amount),
    {
      type: "limitWork",
      ordersMax: ORDERS_PER_COMMAND,
      levelsMax: LEVELS_PER_ORDER,
      marketsInParts: true,
    },
  ];
}

function order(
  account: number,
  side: Side,
  priceTicks: number,
  quantityLots: number,
  more: Partial<PlaceOrder> = {},
): PlaceOrder {
  return {
    type: "placeOrder",
    account,
    marketId: 1,
    side,
    orderType: "limit",
    timeInForce: "gtc",
    postOnly: false,
    priceTicks: priceTicks as Ticks,
    quantityLots: quantityLots as Lots,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
    ...more,
  };
}

const advance: Command = { type: "advanceTime" };
const fok = { timeInForce: "fok" } as const;
const atMarket = { orderType: "market", timeInForce: "ioc" } as const;
const stopAt = (ticks: number): { conditions: OrderConditions } => ({
  conditions: { trigger: { kind: "stop", triggerTicks: ticks as Ticks } },
});

/** Places half a million orders on each side, spread over `levels` levels, the best next to the mid price. */
function fill(scene: Scene, levels: number): void {
  const random = seededRandom(1);
  for (let index = 0; index < ORDERS / 2; index++) {
    const away = 1 + (levels >= ORDERS ? index : Math.floor((random() * levels) / 2));
    const mixed = levels >= ORDERS ? 1 + ((index * 7919) % (ORDERS / 2)) : away;
    scene.apply(order(MAKER, "sell", MIDDLE + mixed, 1));
    scene.apply(order(MAKER, "buy", MIDDLE - mixed, 1));
  }
}

print(
  `machine   ${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${process.platform} ${process.arch}`,
);
print(`versions  node ${process.version}`);
print(
  `workload  ${ORDERS.toLocaleString("en")} resting orders, ${ROUNDS} rounds, ` +
    `at most ${ORDERS_PER_COMMAND} orders a command and ${LEVELS_PER_ORDER} levels an order, ` +
    `wall clock`,
);
print();
warm();
for (const levels of [14_000, 60_000, ORDERS]) book(levels);
oneLevel();
ownOrders();
cascade();
sweeps();
wholeMarkets();

/** Warms up the compiler with the same commands on few orders. */
function warm(): void {
  const scene = new Scene("warm");
  for (let round = 0; round < 20_000; round++) {
    scene.apply(order(MAKER, "sell", MIDDLE + 1 + (round % 500), 1));
    scene.apply(order(MAKER, "buy", MIDDLE - 1 - (round % 500), 1));
    scene.apply(order(TAKER, "buy", 2 * MIDDLE, 1e6, fok));
    scene.apply(order(TAKER, "buy", 0, 1e6, atMarket));
    scene.apply({ type: "cancelOrder", account: MAKER, orderId: round });
    if (round % 100 === 0) scene.apply({ type: "cancelAllOrders", account: MAKER, marketId: 0 });
  }
}

/** Commands that search a side of many levels, or change it. */
function book(levels: number): void {
  const scene = new Scene(`${levels.toLocaleString("en")} levels`);
  print(`${ORDERS.toLocaleString("en")} orders on ${levels.toLocaleString("en")} levels`);
  fill(scene, levels);
  const side = ORDERS / 2;
  const far = MIDDLE + ORDERS;
  scene.time("fill or kill, a lot more than its side", "wouldNotFill", () =>
    order(TAKER, "buy", far, side + 1, fok),
  );
  scene.time("fill or kill to sell, a lot more than its side", "wouldNotFill", () =>
    order(TAKER, "sell", 1, side + 1, fok),
  );
  const iceberg = { conditions: { displayLots: 1 as Lots } };
  scene.apply(order(OTHER, "sell", far, 100, iceberg));
  scene.apply(order(OTHER, "buy", 1, 100, iceberg));
  scene.time("the same with an iceberg on the side", "wouldNotFill", () =>
    order(TAKER, "buy", far, side + 101, fok),
  );
  const tooMany = 1e9;
  scene.apply(order(OTHER, "sell", far + 1, tooMany));
  scene.time("market buy of a whole side, an iceberg on it", "insufficientAvailable", () =>
    order(POOR, "buy", 0, tooMany, atMarket),
  );
  scene.time("market sell for more than its side is worth", "insufficientAvailable", () =>
    order(POOR, "sell", 0, 0, { ...atMarket, quoteAmount: 2.4e15 as Amount }),
  );
  const random = seededRandom(2);
  const away = () => 1 + Math.floor(random() * (ORDERS / 2 - 1));
  const newest = () => ({ account: OTHER, orderId: lastOrderId(scene) }) as const;
  scene.time("limit order on any level", "orderRested", () =>
    order(OTHER, "buy", MIDDLE - away(), 1),
  );
  scene.time("amend to any level", "orderRested", () => ({
    type: "amendOrder",
    ...newest(),
    priceTicks: (MIDDLE - away()) as Ticks,
    quantityLots: 0 as Lots,
  }));
  scene.time("cancel", "orderEnded", () => ({ type: "cancelOrder", ...newest() }), {
    rounds: ROUNDS - 1,
  });
  // Each order becomes the best price, far from all other levels, and is cancelled.
  scene.time("limit order on a new level worse than all", "orderRested", (round) =>
    order(OTHER, "buy", MIDDLE - ORDERS / 2 - 2 - round, 1),
  );
  scene.end();
}

function lastOrderId({ engine }: Scene): number {
  return engine.read.openOrdersOf(OTHER).at(-1)?.orderId ?? 0;
}

/** One price with half a million orders, some of the taker's own among them. */
function oneLevel(): void {
  const scene = new Scene("one level");
  print(`${(ORDERS / 2).toLocaleString("en")} orders at one price`);
  for (let index = 0; index < ORDERS / 2; index++) {
    if (index === ORDERS / 4) scene.apply(order(TAKER, "sell", MIDDLE + 1, 1));
    scene.apply(order(MAKER, "sell", MIDDLE + 1, 1));
  }
  scene.time("fill or kill, an own order amid the queue", "wouldNotFill", () =>
    order(TAKER, "buy", MIDDLE + 1, ORDERS / 2, fok),
  );
  scene.end();
}

/** An account with 20 000 open orders among the others'. */
function ownOrders(): void {
  const scene = new Scene("own orders");
  const own = 20_000;
  print(`an account with ${own.toLocaleString("en")} open orders`);
  fill(scene, 14_000);
  for (let index = 0; index < own; index++) {
    scene.apply(order(TAKER, "sell", MIDDLE + 8000 + (index % 5000), 1));
  }
  scene.time("fill or kill that passes over own orders", "wouldNotFill", () =>
    order(TAKER, "buy", 2 * MIDDLE, ORDERS, {
      ...fok,
      conditions: { selfTradePrevention: "expireMaker" },
    }),
  );
  const cancelAll: Command = { type: "cancelAllOrders", account: TAKER, marketId: 0 };
  const steps = Math.floor(own / 2 / ORDERS_PER_COMMAND);
  scene.time("cancel all, one step", "ordersLeftOpen", () => cancelAll, { rounds: steps });
  scene.apply({ type: "setCancelTimer", account: TAKER, marketId: 0, delayMs: 1000 });
  scene.nowMs += 1000;
  scene.time("cancel timer, one step", "timeAdvanced", () => advance, { rounds: steps });
  for (let index = 0; index < own; index++) {
    const conditions = { expiresAtMs: scene.nowMs + 1000 };
    const gtd = { timeInForce: "gtd", conditions } as const;
    scene.apply(order(TAKER, "sell", MIDDLE + 8000 + (index % 5000), 1, gtd));
  }
  scene.nowMs += 1000;
  scene.time(
    `expiry of ${own.toLocaleString("en")} at one time, one step`,
    "timeAdvanced",
    () => advance,
    {
      rounds: steps,
    },
  );
  scene.end();
}

/** Measures one trade that triggers as many stops as a market allows. */
function cascade(): void {
  const scene = new Scene("stops");
  print(`${STOPS.toLocaleString("en")} stops`);
  fill(scene, 14_000);
  const touch = MIDDLE + 1;
  scene.apply(order(OTHER, "buy", touch, 1));
  const random = seededRandom(3);
  const trigger = () => stopAt(MIDDLE + 100_000 + Math.floor(random() * 1000));
  for (let index = 0; index < STOPS - ROUNDS; index++) {
    scene.apply(order(TAKER, "buy", MIDDLE - 9000, 1, trigger()));
  }
  scene.time("a stop among the others", "orderWaiting", () =>
    order(OTHER, "buy", MIDDLE - 9000, 1, trigger()),
  );
  scene.time("cancel of a stop among the others", "orderEnded", () => ({
    type: "cancelOrder",
    account: OTHER,
    orderId: lastOrderId(scene),
  }));
  const high = (round: number) => MIDDLE + 101_001 + round * 2000;
  scene.time(
    "the trade that reaches them all",
    "orderRested",
    (round) => order(OTHER, "buy", high(round), 1),
    {
      rounds: 5,
      before: (round) => {
        while (scene.engine.nextDueMs <= scene.nowMs) scene.apply(advance);
        for (let index = 0; round > 0 && index < STOPS; index++) {
          const ticks = high(round) - 1 - Math.floor(random() * 1000);
          scene.apply(order(TAKER, "buy", MIDDLE - 9000, 1, stopAt(ticks)));
        }
        scene.apply(order(MAKER, "sell", high(round), 1));
        // First buys everything offered below, so that a single trade triggers them all.
        scene.apply(order(OTHER, "buy", high(round) - 1001, ORDERS / 2));
        scene.apply({ type: "cancelAllOrders", account: OTHER, marketId: 0 });
      },
    },
  );
  scene.time("one step of their activation", "orderRested", () => advance, { rounds: ROUNDS });
  scene.end();
}

/** Commands whose cost grows with the number of orders they trade with, each placed by an earlier command. */
function sweeps(): void {
  const scene = new Scene("sweeps");
  print("orders that meet many");
  fill(scene, 14_000);
  for (const lots of [100, 1000, 10_000]) {
    scene.time(
      `immediate order that trades with ${lots.toLocaleString("en")}`,
      "orderEnded",
      () => order(TAKER, "buy", 2 * MIDDLE, lots, { timeInForce: "ioc" }),
      { rounds: Math.min(10, ROUNDS) },
    );
  }
  scene.end();
}

/** Commands on all orders of a market, by administrators or by the clock. */
function wholeMarkets(): void {
  const scene = new Scene("whole markets");
  print("a whole market of a million orders, by an administrator");
  fill(scene, 14_000);
  const set = (status: "auction" | "trading" | "closed"): Command => ({
    type: "setMarketStatus",
    marketId: 1,
    status,
    forMs: 0,
    byAdmin: "olga",
    reason: "a benchmark",
  });
  const freeze = (account: number): Command => ({
    type: "setAccountFreeze",
    account,
    isFrozen: true,
    cancelsOrders: true,
    byAdmin: "olga",
    reason: "a benchmark",
  });
  scene.time("opening an auction", "marketStatusChanged", () => set("auction"), { rounds: 1 });
  for (let index = 0; index < 10_000; index++) {
    scene.apply(order(TAKER, "buy", MIDDLE + 7000, 1));
  }
  const parts = Math.floor(10_000 / ORDERS_PER_COMMAND);
  const uncross = "uncrossing 10 000 orders";
  scene.time(`${uncross}, the price and the first part`, "orderEnded", () => set("trading"), {
    rounds: 1,
  });
  scene.time(`${uncross}, one part`, "timeAdvanced", () => advance, { rounds: parts });
  scene.time("freezing an account of 20 000 orders", "orderEnded", () => freeze(OTHER), {
    rounds: 1,
    before: () => {
      for (let index = 0; index < 20_000; index++) {
        scene.apply(order(OTHER, "buy", MIDDLE - 8000 - (index % 5000), 1));
      }
    },
  });
  const ended = Math.ceil(20_000 / ORDERS_PER_COMMAND);
  scene.time("the same, one part", "timeAdvanced", () => advance, { rounds: ended });
  scene.time("closing, the first part", "orderEnded", () => set("closed"), { rounds: 1 });
  scene.time("closing, one part", "timeAdvanced", () => advance);
  while (scene.engine.nextDueMs <= scene.nowMs) scene.apply(advance);
  scene.end();
}

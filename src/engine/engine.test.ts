import { describe, expect, test } from "vitest";
import { AMOUNT_MAX, type Amount, type Lots, type Ticks } from "./amount.ts";
import { InvariantError } from "./assert.ts";
import type {
  CoinDefinition,
  Command,
  CommandOf,
  MarketDefinition,
  PlanDefinition,
  PlaceOrder,
} from "./commands.ts";
import { createEngine } from "./engine.ts";
import { EventBuffer } from "./event-buffer.ts";

const DAY_MS = 86_400_000;

const usd: CoinDefinition = {
  symbol: "USD",
  name: "US dollar",
  kind: "fiat",
  status: "listed",
  scale: 6,
  displayDecimals: 2,
  description: "",
  website: "",
  riskNote: "",
};
const btc: CoinDefinition = { ...usd, symbol: "BTC", name: "Bitcoin", kind: "crypto", scale: 8 };
const market: MarketDefinition = {
  symbol: "BTC-USD",
  base: "BTC",
  quote: "USD",
  lotUnits: 1000,
  tickLotUnits: 10,
  notionalMin: 0 as Amount,
  quantityLotsMax: 1_000_000 as Lots,
  status: "trading",
  simulated: true,
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
  features: ["trading"],
};
const opening: Command[] = [
  { type: "listCoin", coin: usd },
  { type: "listCoin", coin: btc },
  { type: "listMarket", market },
  { type: "definePlan", plan },
  { type: "openAccount", userId: "ann", kind: "person" },
  { type: "openAccount", userId: "bob", kind: "participant" },
];
const ANN = 16;
const BOB = 17;

function buy(account: number, priceTicks: number, quantityLots: number): PlaceOrder {
  return {
    type: "placeOrder",
    account,
    marketId: 1,
    side: "buy",
    orderType: "limit",
    timeInForce: "gtc",
    postOnly: false,
    priceTicks: priceTicks as Ticks,
    quantityLots: quantityLots as Lots,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
  };
}

/** An engine that numbers its commands itself; `apply` returns the events without their timestamps. */
function start(commands: readonly Command[] = opening) {
  const engine = createEngine();
  const events = new EventBuffer();
  const apply = (command: Command, { atMs = engine.timestampMs, key = "" } = {}) => {
    engine.apply(engine.sequence + 1, atMs, key, command, events);
    const happened = events.decode().map(({ sequence: _s, timestampMs: _t, ...event }) => event);
    events.clear();
    return happened;
  };
  for (const command of commands) apply(command);
  return { engine, apply };
}

const rejected = (reason: string) => [{ type: "commandRejected", reason }];
const take = (amount: number): Command => ({
  type: "takePracticeFunds",
  account: ANN,
  assetId: 1,
  amount: amount as Amount,
});

describe("the catalogue", () => {
  test("hands out ids in order and says which", () => {
    const { apply } = start(opening.slice(0, 1));
    expect(apply({ type: "listCoin", coin: btc })).toEqual([
      { type: "coinListed", assetId: 2, coin: btc },
    ]);
    expect(apply({ type: "listMarket", market })).toEqual([
      { type: "marketListed", marketId: 1, baseAssetId: 2, quoteAssetId: 1, market },
    ]);
  });

  test.each<[string, Command, string]>([
    ["a second coin of a symbol", { type: "listCoin", coin: btc }, "duplicateSymbol"],
    [
      "a coin in lower case",
      { type: "listCoin", coin: { ...btc, symbol: "eth" } },
      "invalidCommand",
    ],
    [
      "a scale beyond exact amounts",
      { type: "listCoin", coin: { ...btc, symbol: "X", scale: 16 } },
      "invalidCommand",
    ],
    ["a coin without fields", { type: "listCoin", coin: {} as CoinDefinition }, "invalidCommand"],
    [
      "no coin at all",
      { type: "listCoin", coin: null as unknown as CoinDefinition },
      "invalidCommand",
    ],
    ["a second market of a pair", { type: "listMarket", market }, "duplicateSymbol"],
    [
      "a market of an unknown coin",
      { type: "listMarket", market: { ...market, base: "X", symbol: "X-USD" } },
      "unknownAsset",
    ],
    [
      "a market against itself",
      { type: "listMarket", market: { ...market, base: "USD", symbol: "USD-USD" } },
      "invalidCommand",
    ],
    [
      "a price step that is no power of ten",
      { type: "listMarket", market: { ...market, tickLotUnits: 15 } },
      "invalidCommand",
    ],
    [
      "orders beyond exact amounts",
      { type: "listMarket", market: { ...market, quantityLotsMax: (2 ** 50) as Lots } },
      "invalidCommand",
    ],
    [
      "a plan that takes more than all",
      { type: "definePlan", plan: { ...plan, slug: "x", takerFeeBps: 10_001 } },
      "invalidCommand",
    ],
    [
      "a plan whose price is no number",
      { type: "definePlan", plan: { ...plan, slug: "x", price: "free" } },
      "invalidCommand",
    ],
  ])("refuses %s", (_name, command, reason) => {
    const { engine, apply } = start();
    const hash = engine.stateHash();
    expect(apply(command)).toEqual(rejected(reason));
    expect(engine.stateHash()).toBe(hash);
  });
});

describe("accounts", () => {
  test("start on the first plan, one for each user", () => {
    const { apply } = start();
    expect(apply({ type: "openAccount", userId: "cat", kind: "person" })).toEqual([
      { type: "accountOpened", account: 18, userId: "cat", kind: "person" },
      { type: "planAssigned", account: 18, planId: 1 },
    ]);
    expect(apply({ type: "openAccount", userId: "ann", kind: "person" })).toEqual(
      rejected("duplicateAccount"),
    );
  });

  test("cannot be opened before there is a plan", () => {
    const { apply } = start(opening.slice(0, 3));
    expect(apply(opening[4])).toEqual(rejected("unknownPlan"));
  });

  test("of the house take no commands", () => {
    const { apply } = start();
    for (const account of [0, 1, 2, 15, 18, 16.5, NaN, "16" as unknown as number]) {
      expect(apply(buy(account, 1, 1))).toEqual(rejected("unknownAccount"));
    }
  });

  test("frozen, may still set cancel timers and take practice funds", () => {
    const { apply } = start();
    apply({
      type: "setAccountFreeze",
      account: ANN,
      isFrozen: true,
      cancelsOrders: false,
      byAdmin: "olga",
      reason: "stolen password",
    });
    expect(apply(buy(ANN, 1, 1))).toEqual(rejected("accountFrozen"));
    expect(
      apply({ type: "setCancelTimer", account: ANN, marketId: 0, delayMs: 1000 }),
    ).toMatchObject([{ type: "cancelTimerSet" }]);
    expect(apply(take(100))).toMatchObject([{ type: "practiceFundsTaken" }]);
  });
});

describe("practice funds", () => {
  test("come once per day of UTC", () => {
    const { apply } = start();
    const day = 20_000 * DAY_MS;
    expect(apply(take(100), { atMs: day })).toMatchObject([{ type: "practiceFundsTaken" }]);
    expect(apply(take(100), { atMs: day + DAY_MS - 1 })).toEqual(
      rejected("practiceFundsTakenToday"),
    );
    expect(apply(take(100), { atMs: day + DAY_MS })).toMatchObject([
      { type: "practiceFundsTaken" },
    ]);
  });

  test("come in several coins at once: all of them or none", () => {
    const { apply, engine } = start();
    const coins = (...otherCoins: unknown[]) => ({ ...take(5), otherCoins }) as unknown as Command;
    const btcUnits = (amount: number) => ({ assetId: 2, amount });
    expect(apply(coins(btcUnits(AMOUNT_MAX), btcUnits(1)))).toEqual(rejected("invalidCommand"));
    expect(apply(coins({ assetId: 1, amount: 1 }))).toEqual(rejected("invalidCommand"));
    expect(apply(coins(btcUnits(0)))).toEqual(rejected("invalidAmount"));
    expect(apply(coins({ assetId: 9, amount: 1 }))).toEqual(rejected("unknownAsset"));
    expect(apply(coins(null))).toEqual(rejected("invalidCommand"));
    expect(apply({ ...take(5), otherCoins: 1 } as unknown as Command)).toEqual(
      rejected("invalidCommand"),
    );
    // A participant already owns BTC: the same amount again does not fit, and no dollars are granted
    // either.
    apply({ type: "fundParticipant", account: BOB, assetId: 2, amount: 9 as Amount });
    expect(apply(coins(btcUnits(AMOUNT_MAX)))).toEqual(rejected("supplyExceeded"));
    expect(engine.read.balance(ANN, 1)).toEqual({ available: 0, held: 0 });
    expect(apply(coins(btcUnits(7)))).toEqual([
      { type: "practiceFundsTaken", account: ANN, assetId: 1, amount: 5 },
      { type: "practiceFundsTaken", account: ANN, assetId: 2, amount: 7 },
    ]);
    expect(apply(coins(btcUnits(7)))).toEqual(rejected("practiceFundsTakenToday"));
    expect(engine.read.balance(ANN, 2)).toEqual({ available: 7, held: 0 });
    engine.read.checkInvariants();
  });

  test("are reclaimed from who is gone, in every coin, and are there to be taken again", () => {
    const { apply, engine } = start();
    const day = 20_000 * DAY_MS;
    const most = take(AMOUNT_MAX);
    const reclaim = { type: "reclaimPracticeFunds", account: ANN } as const;
    expect(apply(reclaim)).toEqual(rejected("nothingToChange"));
    expect(apply({ ...reclaim, account: BOB })).toEqual(rejected("invalidCommand"));
    expect(apply({ ...reclaim, account: 99 })).toEqual(rejected("unknownAccount"));
    apply(most, { atMs: day });
    apply({ ...take(7), assetId: 2 } as Command, { atMs: day + DAY_MS });
    expect(apply(most, { atMs: day + 2 * DAY_MS })).toEqual(rejected("supplyExceeded"));
    apply(buy(ANN, 1, 1));
    expect(apply(reclaim)).toMatchObject([
      { type: "practiceFundsReclaimed", assetId: 1, amount: AMOUNT_MAX - 10 },
      { type: "practiceFundsReclaimed", assetId: 2, amount: 7 },
    ]);
    expect(engine.read.balance(ANN, 1)).toEqual({ available: 0, held: 10 });
    engine.read.checkInvariants();
    expect(apply(take(AMOUNT_MAX - 10), { atMs: day + 2 * DAY_MS })).toMatchObject([
      { type: "practiceFundsTaken" },
    ]);
  });

  test("are for persons, inventory is for participants", () => {
    const { apply } = start();
    expect(apply({ ...take(100), account: BOB } as Command)).toEqual(rejected("invalidCommand"));
    const fund = {
      type: "fundParticipant",
      account: ANN,
      assetId: 1,
      amount: 1 as Amount,
    } as const;
    expect(apply(fund)).toEqual(rejected("notAParticipant"));
  });

  test("never make an asset larger than exact arithmetic", () => {
    const { engine, apply } = start();
    const fund = (amount: number): Command => ({
      type: "fundParticipant",
      account: BOB,
      assetId: 1,
      amount: amount as Amount,
    });
    expect(apply(fund(AMOUNT_MAX))).toMatchObject([{ type: "participantFunded" }]);
    expect(apply(fund(1))).toEqual(rejected("supplyExceeded"));
    expect(apply(take(1))).toEqual(rejected("supplyExceeded"));
    expect(engine.read.assetSum(1)).toBe(0n);
  });
});

describe("idempotency keys", () => {
  test("answer a repeat with the first outcome for three days", () => {
    const { engine, apply } = start([...opening, take(1_000_000)]);
    const order = buy(ANN, 10, 1);
    const [placed] = apply(order, { key: "k" });
    expect(placed).toMatchObject({ type: "orderPlaced", orderId: 1 });
    const hash = engine.stateHash();
    const atMs = engine.timestampMs + 3 * DAY_MS - 1;
    expect(apply(order, { key: "k", atMs })).toEqual([
      { type: "requestRepeated", originalSequence: 8, orderId: 1 },
    ]);
    expect(engine.stateHash()).toBe(hash);
    expect(apply(order, { key: "k", atMs: atMs + 1 })).toMatchObject([{ orderId: 2 }, {}]);
  });

  test("answer a repeat that comes after its time limit", () => {
    const { apply } = start();
    apply(take(1_000_000));
    const order = { ...buy(ANN, 10, 1), validUntilMs: 2_000 };
    expect(apply(order, { key: "k", atMs: 2_000 })).toMatchObject([{ orderId: 1 }, {}]);
    expect(apply(order, { key: "k", atMs: 98_000 })).toEqual([
      { type: "requestRepeated", originalSequence: 8, orderId: 1 },
    ]);
    expect(apply(order, { key: "other", atMs: 98_000 })).toEqual(rejected("requestExpired"));
    // A refused request is not remembered: within its time it may be tried again.
    const again = { ...order, validUntilMs: 99_000 };
    expect(apply(again, { key: "other", atMs: 98_000 })).toMatchObject([{ orderId: 2 }, {}]);
  });

  test("of refused requests may be tried again", () => {
    const { apply } = start();
    expect(apply(buy(ANN, 10, 1), { key: "k" })).toEqual(rejected("insufficientAvailable"));
    apply(take(1_000_000));
    expect(apply(buy(ANN, 10, 1), { key: "k" })).toMatchObject([{ type: "orderPlaced" }, {}]);
  });

  test("have at most 64 characters", () => {
    const { apply } = start();
    expect(apply(take(1), { key: "x".repeat(65) })).toEqual(rejected("invalidCommand"));
    expect(apply(take(1), { key: "x".repeat(64) })).toMatchObject([{ type: "practiceFundsTaken" }]);
  });
});

describe("the state machine", () => {
  test("fixes an order's fees when it is placed", () => {
    const { apply } = start([
      ...opening,
      take(1_000_000),
      { type: "definePlan", plan: { ...plan, slug: "zero", makerFeeBps: 0 } },
    ]);
    apply({ type: "fundParticipant", account: BOB, assetId: 2, amount: 1_000_000 as Amount });
    apply(buy(ANN, 10, 10));
    apply({ type: "assignPlan", account: ANN, planId: 2 });
    const events = apply({ ...buy(BOB, 10, 10), side: "sell" });
    expect(events[1]).toMatchObject({ type: "traded", baseAmount: 10_000, makerFee: 20 });
  });

  test("begins a simulation once", () => {
    const { apply } = start();
    expect(apply({ type: "startSimulation", seed: 5 })).toEqual([
      { type: "simulationStarted", seed: 5 },
    ]);
    expect(apply({ type: "startSimulation", seed: 5 })).toEqual(
      rejected("simulationAlreadyStarted"),
    );
  });

  test("refuses an order in words that it does not know", () => {
    const { apply } = start([...opening, take(1_000_000)]);
    const odd = [
      { side: "hold" },
      { orderType: "stop" },
      { timeInForce: "day" },
      { postOnly: 1 },
      { clientOrderId: 5 },
    ];
    for (const word of odd) {
      expect(apply({ ...buy(ANN, 10, 1), ...word } as unknown as Command)).toEqual(
        rejected("invalidCommand"),
      );
    }
  });

  test("refuses a command of a kind that it does not know", () => {
    const { apply } = start();
    expect(apply({ type: "printMoney" } as unknown as Command)).toEqual(rejected("invalidCommand"));
  });

  test("halts at a gap in the sequence and stays halted", () => {
    const { engine } = start();
    const events = new EventBuffer();
    expect(() => engine.apply(engine.sequence + 2, 0, "", take(1), events)).toThrow(InvariantError);
    expect(() => engine.apply(engine.sequence + 1, 0, "", take(1), events)).toThrow("halted");
  });

  test("halts when time runs backwards", () => {
    const { engine, apply } = start();
    apply(take(1), { atMs: 1000 });
    expect(() => apply(take(1), { atMs: 999 })).toThrow("time never runs backwards");
    expect(engine.sequence).toBe(7);
  });

  test("hashes the same state to the same value, however it came to be", () => {
    const one = start([...opening, take(1_000_000)]);
    const two = start([...opening, take(1_000_000)]);
    const place = [buy(ANN, 10, 1), buy(ANN, 2 ** 20, 1), buy(ANN, 10, 1), buy(ANN, 11, 1)];
    for (const { apply } of [one, two]) for (const order of place) apply(order);
    // The same cancels in another order leave other slots free and another window.
    const cancel = (orderId: number): Command => ({ type: "cancelOrder", account: ANN, orderId });
    for (const orderId of [3, 1]) one.apply(cancel(orderId));
    for (const orderId of [1, 3]) two.apply(cancel(orderId));
    expect(one.engine.stateHash()).toBe(two.engine.stateHash());
    for (const { apply } of [one, two]) apply(buy(ANN, 12, 1));
    expect(one.engine.stateHash()).toBe(two.engine.stateHash());
    one.apply(cancel(4));
    expect(one.engine.stateHash()).not.toBe(two.engine.stateHash());
  });

  test("hashes what rests, and in which order, not only what it sums up to", () => {
    const one = start([...opening, take(1_000_000), buy(ANN, 10, 1), buy(ANN, 10, 2)]);
    const two = start([...opening, take(1_000_000), buy(ANN, 10, 2), buy(ANN, 10, 1)]);
    expect(one.engine.stateHash()).not.toBe(two.engine.stateHash());
  });
});

describe("an order that is only asked about", () => {
  test("is judged as it would be placed, but for its hold, and changes nothing", () => {
    const { engine, apply } = start();
    apply(take(1_000));
    apply({ ...buy(ANN, 10, 1), clientOrderId: "known" });
    const hash = engine.stateHash();
    const affordable = buy(ANN, 10, 1);
    expect(engine.refusalOf(affordable)).toBeNull();
    expect(engine.refusalOf(buy(ANN, 10, 1_000_000))).toBeNull();
    expect(engine.refusalOf(buy(ANN, 0, 1))).toBe("invalidPrice");
    expect(engine.refusalOf(buy(ANN, 10, 1_000_001))).toBe("quantityTooLarge");
    expect(engine.refusalOf({ ...affordable, marketId: 2 })).toBe("unknownMarket");
    expect(engine.refusalOf({ ...affordable, account: 99 })).toBe("unknownAccount");
    const named = { ...buy(ANN, 11, 1), clientOrderId: "known" };
    expect(engine.refusalOf(named)).toBe("duplicateClientOrderId");
    expect(engine.stateHash()).toBe(hash);
    expect(engine.read.openOrdersOf(ANN)).toHaveLength(1);
  });
});

describe("a list of orders", () => {
  const list: CommandOf<"placeOrderList"> = {
    type: "placeOrderList",
    account: ANN,
    marketId: 1,
    kind: "oto",
    orders: [buy(ANN, 10, 1), { ...buy(ANN, 11, 1), side: "sell" }],
  };
  const placedIn = (events: readonly object[]) =>
    events.find((event) => "type" in event && event.type === "orderListPlaced");

  test("keeps what its owner calls it, which need not be unique", () => {
    const { apply } = start();
    apply(take(1_000_000));
    expect(placedIn(apply(list))).not.toHaveProperty("clientListId");
    for (const listId of [2, 3]) {
      const placed = placedIn(apply({ ...list, clientListId: "mine" }));
      expect(placed).toMatchObject({ listId, clientListId: "mine" });
    }
  });

  test.each(["", "a b", "x".repeat(37), 5 as unknown as string])(
    "is not called %j",
    (clientListId) => {
      const { apply } = start();
      apply(take(1_000_000));
      expect(apply({ ...list, clientListId })).toEqual(rejected("invalidCommand"));
    },
  );
});

/** How much of a coin one account may own, and the effect on trades that would bring more. */
import { describe, expect, test } from "vitest";
import { coin, market, plan } from "#test/engine/commands.ts";
import { AMOUNT_MAX, type Amount, type Lots, type Ticks } from "../amount.ts";
import type { Command, MarketDefinition, PlaceOrder, Side } from "../commands.ts";
import { createEngine, restoreEngine, type Engine } from "../engine.ts";
import { EventBuffer } from "../event-buffer.ts";
import type { ExchangeEvent } from "../events.ts";
import { ADJUSTMENTS_ACCOUNT, EXTERNAL_ACCOUNT } from "./postings.ts";
import { SnapshotFormatError } from "../formats/snapshot.ts";

const ANN = 16;
const BOB = 17;
const CAT = 18;
const DAN = 19;
const PETE = 20;
const USD = 1;
const BTC = 2;
const FUNDS = 100_000;
const terms = { lotUnits: 1, tickLotUnits: 1, notionalMin: 0 as Amount };

/** Four participants with as much of both coins, Pete, a person, with nothing; no fees. */
class Scene {
  readonly engine: Engine = createEngine();
  nowMs = 1_700_000_000_000;

  constructor(unitsMax?: number, funds = FUNDS, changes: Partial<MarketDefinition> = {}) {
    const setting: Command[] = [
      { type: "listCoin", coin: coin("USD", 2) },
      { type: "listCoin", coin: coin("BTC", 2) },
      { type: "listMarket", market: market("BTC", { ...terms, ...changes }) },
      {
        type: "definePlan",
        plan: plan("free", { makerFeeBps: 0, takerFeeBps: 0 }),
      },
      ...[ANN, BOB, CAT, DAN].flatMap((account): Command[] => [
        { type: "openAccount", userId: `user ${account}`, kind: "participant" },
        fund(account, USD, funds),
        fund(account, BTC, funds),
      ]),
      { type: "openAccount", userId: "pete", kind: "person" },
      ...(unitsMax === undefined ? [] : [limit(unitsMax)]),
    ];
    for (const command of setting) expect(this.apply(command)[0].type).not.toBe("commandRejected");
  }

  /** Also checks that the snapshot of the result restores the same exchange. */
  apply(command: Command): ExchangeEvent[] {
    const events = new EventBuffer();
    const { engine } = this;
    engine.apply(engine.sequence + 1, this.nowMs, "", command, events);
    engine.read.checkInvariants();
    const restored = restoreEngine(engine.snapshot());
    expect(restored.stateHash()).toBe(engine.stateHash());
    restored.read.checkInvariants();
    return events.decode();
  }

  /** The events of orders, in words: "16 bought 3 at 100 of 17", "18 ended: filled". */
  story(command: Command): string[] {
    return this.apply(command).flatMap((event) => {
      switch (event.type) {
        case "traded": {
          const { makerAccount, priceTicks, quantityLots, takerAccount, takerSide } = event;
          const verb = takerSide === "buy" ? "bought" : "sold";
          const whom = `${takerSide === "buy" ? "of" : "to"} ${makerAccount}`;
          return [`${takerAccount} ${verb} ${quantityLots} at ${priceTicks} ${whom}`];
        }
        case "orderEnded":
          return [`${event.account} ended: ${event.reason}`];
        case "commandRejected":
          return [`refused: ${event.reason}`];
        case "orderRested":
          return [`${event.account} rests`];
        case "auctionUncrossed":
          return [`auction: ${event.volumeLots} at ${event.priceTicks}`];
        default:
          return [];
      }
    });
  }

  total(account: number, assetId: number): number {
    const { available, held } = this.engine.read.balance(account, assetId);
    return available + held;
  }
}

function fund(account: number, assetId: number, amount: number): Command {
  return {
    type: "fundParticipant",
    account,
    assetId,
    amount: amount as Amount,
  };
}

function limit(unitsMax: number): Command {
  return { type: "limitBalances", unitsMax: unitsMax as Amount };
}

function order(
  account: number,
  side: Side,
  priceTicks: number,
  quantityLots: number,
  changes: Partial<PlaceOrder> = {},
): PlaceOrder {
  return {
    type: "placeOrder",
    account,
    marketId: 1,
    side,
    orderType: priceTicks === 0 ? "market" : "limit",
    timeInForce: priceTicks === 0 ? "ioc" : "gtc",
    postOnly: false,
    priceTicks: priceTicks as Ticks,
    quantityLots: quantityLots as Lots,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
    ...changes,
  };
}

function status(name: "auction" | "trading"): Command {
  return {
    type: "setMarketStatus",
    marketId: 1,
    status: name,
    forMs: 0,
    byAdmin: "olga",
    reason: "an auction",
  };
}

describe("without a limit", () => {
  test("all accounts together own at most what is exact", () => {
    const scene = new Scene();
    const most = AMOUNT_MAX - 4 * FUNDS;
    expect(scene.story(fund(ANN, USD, most + 1))).toEqual(["refused: supplyExceeded"]);
    expect(scene.story(fund(ANN, USD, most))).toEqual([]);
    expect(scene.story(fund(BOB, USD, 1))).toEqual(["refused: supplyExceeded"]);
  });
});

describe("a limit", () => {
  test("is a whole number of units that is exact", () => {
    for (const unitsMax of [0, -1, 0.5, AMOUNT_MAX + 1, Infinity, "1"]) {
      expect(new Scene().story(limit(unitsMax as number))).toEqual(["refused: invalidCommand"]);
    }
    expect(new Scene().apply(limit(7))).toMatchObject([{ type: "balancesLimited", unitsMax: 7 }]);
  });

  test("is for each account: all together own any amount", () => {
    const scene = new Scene(AMOUNT_MAX);
    const most = AMOUNT_MAX - FUNDS;
    for (const account of [ANN, BOB, CAT]) {
      expect(scene.story(fund(account, USD, most + 1))).toEqual(["refused: balanceTooLarge"]);
      expect(scene.story(fund(account, USD, most))).toEqual([]);
      expect(scene.story(fund(account, USD, 1))).toEqual(["refused: balanceTooLarge"]);
    }
    const { read } = scene.engine;
    const supply = 3n * BigInt(AMOUNT_MAX) + BigInt(FUNDS);
    expect(read.supply(USD)).toBe(supply);
    expect(read.exactBalance(EXTERNAL_ACCOUNT, USD).available).toBe(-supply);
  });

  test("refuses practice funds in all coins where one would be too much", () => {
    const scene = new Scene(500);
    const take = (amount: number, other: number): Command => ({
      type: "takePracticeFunds",
      account: PETE,
      assetId: USD,
      amount: amount as Amount,
      otherCoins: [{ assetId: BTC, amount: other as Amount }],
    });
    expect(scene.story(take(1, 501))).toEqual(["refused: balanceTooLarge"]);
    expect(scene.total(PETE, USD)).toBe(0);
    expect(scene.story(take(500, 500))).toEqual([]);
    scene.nowMs += 86_400_000;
    expect(scene.story(take(1, 1))).toEqual(["refused: balanceTooLarge"]);
  });

  test("refuses adjustments that give too much, what is held counted; they stay pending", () => {
    const scene = new Scene(FUNDS + 10);
    scene.apply(order(ANN, "buy", 1, 50));
    const propose = (amount: number): Command => ({
      type: "proposeAdjustment",
      account: ANN,
      assetId: USD,
      amount,
      reason: "found",
      proposedBy: "olga",
    });
    const approve = (adjustmentId: number): Command => ({
      type: "approveAdjustment",
      adjustmentId,
      approvedBy: "paul",
    });
    for (const amount of [11, 10, -30]) scene.apply(propose(amount));
    expect(scene.story(approve(1))).toEqual(["refused: balanceTooLarge"]);
    expect(scene.story(approve(2))).toEqual([]);
    expect(scene.story(approve(3))).toEqual([]);
    expect(scene.story(approve(1))).toEqual([]);
    expect(scene.engine.read.exactBalance(ADJUSTMENTS_ACCOUNT, USD).available).toBe(9n);
  });

  test("takes nothing from who owns more already, who may only lose", () => {
    const scene = new Scene(FUNDS - 1);
    expect(scene.story(fund(ANN, USD, 1))).toEqual(["refused: balanceTooLarge"]);
    scene.apply(order(ANN, "sell", 10, 5));
    expect(scene.story(order(BOB, "buy", 10, 1))).toEqual(["17 ended: balanceTooLarge"]);
    scene.apply(limit(FUNDS + 10));
    expect(scene.story(order(BOB, "buy", 10, 1))).toEqual([
      "17 bought 1 at 10 of 16",
      "17 ended: filled",
    ]);
  });

  test("asks nothing of trades while all together own no more than one may", () => {
    const scene = new Scene(4 * FUNDS);
    scene.apply(order(ANN, "sell", 10, 5_000));
    expect(scene.story(order(BOB, "buy", 10, 5_000, { timeInForce: "fok" }))).toHaveLength(3);
    // One unit more is deposited, and withdrawn again.
    scene.apply(fund(CAT, BTC, 1));
    scene.apply({
      type: "proposeAdjustment",
      account: CAT,
      assetId: BTC,
      amount: -1,
      reason: "back",
      proposedBy: "olga",
    });
    scene.apply({
      type: "approveAdjustment",
      adjustmentId: 1,
      approvedBy: "paul",
    });
    scene.apply({ type: "reclaimPracticeFunds", account: PETE });
  });
});

describe("a trade that would bring too much", () => {
  test("ends the incoming order where it brings it to its own account; earlier trades stay", () => {
    const scene = new Scene(FUNDS + 10);
    scene.apply(order(ANN, "sell", 1, 6));
    scene.apply(order(CAT, "sell", 2, 5));
    expect(scene.story(order(BOB, "buy", 3, 20))).toEqual([
      "17 bought 6 at 1 of 16",
      "16 ended: filled",
      "17 ended: balanceTooLarge",
    ]);
    expect(scene.total(BOB, BTC)).toBe(FUNDS + 6);
    // The quantity that fits is traded.
    expect(scene.story(order(BOB, "buy", 3, 4))).toEqual([
      "17 bought 4 at 2 of 18",
      "17 ended: filled",
    ]);
  });

  test("ends the resting order where it brings it to the maker; the next in the queue trades", () => {
    const scene = new Scene(FUNDS + 100);
    scene.apply(order(ANN, "sell", 10, 11));
    scene.apply(order(CAT, "sell", 10, 5));
    expect(scene.story(order(BOB, "buy", 10, 15))).toEqual([
      "16 ended: balanceTooLarge",
      "17 bought 5 at 10 of 18",
      "18 ended: filled",
      "17 rests",
    ]);
    expect(scene.engine.read.balance(ANN, BTC)).toEqual({
      available: FUNDS,
      held: 0,
    });
  });

  test("is told by what is traded, not by what is asked: a part may fit", () => {
    const scene = new Scene(FUNDS + 100);
    scene.apply(order(ANN, "sell", 10, 11));
    expect(scene.story(order(BOB, "buy", 10, 10))).toEqual([
      "17 bought 10 at 10 of 16",
      "17 ended: filled",
    ]);
    expect(scene.story(order(CAT, "buy", 10, 1))).toEqual([
      "16 ended: balanceTooLarge",
      "18 rests",
    ]);
  });

  test("ends an iceberg with what it hides", () => {
    const scene = new Scene(FUNDS + 100);
    scene.apply(order(ANN, "sell", 10, 30, { conditions: { displayLots: 6 as Lots } }));
    expect(scene.story(order(BOB, "buy", 10, 30))).toEqual([
      "17 bought 6 at 10 of 16",
      "16 ended: balanceTooLarge",
      "17 rests",
    ]);
  });

  test("ends a list with its order", () => {
    const scene = new Scene(FUNDS + 100);
    scene.apply(order(CAT, "sell", 9, 1));
    scene.apply(order(DAN, "buy", 9, 1));
    const limitOrder = order(ANN, "sell", 10, 11);
    const stop = order(ANN, "sell", 8, 11, {
      conditions: { trigger: { kind: "stop", triggerTicks: 8 as Ticks } },
    });
    const list: Command = {
      type: "placeOrderList",
      account: ANN,
      marketId: 1,
      kind: "oco",
      orders: [limitOrder, stop],
    };
    expect(scene.story(list)).toEqual(["16 rests"]);
    expect(scene.story(order(BOB, "buy", 10, 11))).toEqual([
      "16 ended: balanceTooLarge",
      "16 ended: listEnded",
      "17 rests",
    ]);
  });

  test("leaves a sell by total no more to lose to its own order than it holds", () => {
    const scene = new Scene(FUNDS + 2_000, FUNDS, { selfTradePrevention: "decrement" });
    scene.apply(order(DAN, "sell", 1, 1_995));
    scene.apply(order(CAT, "buy", 1, 1_995));
    scene.apply(order(CAT, "buy", 100, 10));
    scene.apply(order(ANN, "buy", 50, 100));
    // Ten lots bring 1 000 at the better price, for which twenty would have to be sold at the order's own
    // price.
    const sell = order(ANN, "sell", 0, 0, { quoteAmount: 1_000 as Amount });
    expect(scene.story(sell)).toEqual(["18 ended: balanceTooLarge", "16 ended: selfTrade"]);
    expect(scene.engine.read.balance(ANN, BTC)).toEqual({ available: FUNDS, held: 0 });
    expect(scene.engine.read.openOrdersOf(ANN)).toMatchObject([{ remainingLots: 90 }]);
  });

  test("counts what open orders of the account hold", () => {
    const scene = new Scene(FUNDS + 10);
    scene.apply(order(BOB, "sell", 50, FUNDS / 2));
    scene.apply(order(ANN, "sell", 10, 20));
    expect(scene.story(order(BOB, "buy", 10, 11))).toEqual(["17 ended: balanceTooLarge"]);
  });
});

describe("a market order whose makers end", () => {
  test("buys as much as it holds enough for", () => {
    const scene = new Scene(FUNDS + 100);
    scene.apply(order(ANN, "sell", 10, 11));
    scene.apply(order(CAT, "sell", 12, 8));
    // It holds 110 for 11 at 10.
    expect(scene.story(order(BOB, "buy", 0, 11))).toEqual([
      "16 ended: balanceTooLarge",
      "17 bought 8 at 12 of 18",
      "18 ended: filled",
      "17 ended: bookExhausted",
    ]);
    scene.apply(order(ANN, "sell", 10, 11));
    scene.apply(order(DAN, "sell", 100, 9));
    // 110 are enough for one at 100, and not for another.
    expect(scene.story(order(BOB, "buy", 0, 11))).toEqual([
      "16 ended: balanceTooLarge",
      "17 bought 1 at 100 of 19",
      "17 ended: bookExhausted",
    ]);
    expect(scene.engine.read.balance(BOB, USD).held).toBe(0);
  });

  test("sells no more for an amount than it holds", () => {
    const scene = new Scene(FUNDS + 10);
    scene.apply(order(ANN, "buy", 100, 11));
    scene.apply(order(CAT, "buy", 50, 9));
    scene.apply(order(CAT, "buy", 40, 1));
    scene.apply(limit(FUNDS + 1000));
    scene.apply(fund(ANN, BTC, 995));
    // It holds 8 for 800 at 100; at 50 it would need 16.
    const sell = order(BOB, "sell", 0, 0, { quoteAmount: 800 as Amount });
    expect(scene.story(sell)).toEqual([
      "16 ended: balanceTooLarge",
      "17 sold 8 at 50 to 18",
      "17 ended: bookExhausted",
    ]);
    expect(scene.engine.read.balance(BOB, BTC)).toEqual({
      available: FUNDS - 8,
      held: 0,
    });
  });
});

describe("a fill-or-kill order", () => {
  const fok = { timeInForce: "fok" } as const;

  test("fills only where every party may own what it brings", () => {
    const scene = new Scene(FUNDS + 100);
    scene.apply(order(ANN, "sell", 10, 11));
    scene.apply(order(CAT, "sell", 10, 20));
    expect(scene.story(order(BOB, "buy", 10, 11, fok))).toEqual(["refused: wouldNotFill"]);
    expect(scene.story(order(BOB, "buy", 10, 10, fok))).toEqual([
      "17 bought 10 at 10 of 16",
      "17 ended: filled",
    ]);
    expect(scene.story(order(BOB, "buy", 1, 1, fok))).toEqual(["refused: wouldNotFill"]);
  });

  test("adds up what several orders of one account receive", () => {
    const scene = new Scene(FUNDS + 100);
    for (const price of [10, 11]) scene.apply(order(ANN, "sell", price, 5));
    expect(scene.story(order(BOB, "buy", 11, 10, fok))).toEqual(["refused: wouldNotFill"]);
    expect(scene.story(order(BOB, "buy", 11, 9, fok))).toHaveLength(4);
  });

  test("does not fill where its own account may not own it", () => {
    const scene = new Scene(FUNDS + 100);
    scene.apply(order(ANN, "buy", 10, 20));
    expect(scene.story(order(BOB, "sell", 10, 11, fok))).toEqual(["refused: wouldNotFill"]);
    expect(scene.story(order(BOB, "sell", 10, 10, fok))).toHaveLength(2);
    scene.apply(order(ANN, "sell", 1, 200));
    scene.apply(limit(FUNDS + 110));
    expect(scene.story(order(CAT, "buy", 1, 111, fok))).toEqual(["refused: wouldNotFill"]);
  });

  test("looks at no more orders than it may look at levels", () => {
    const scene = new Scene(FUNDS + 100);
    scene.apply({ type: "limitWork", ordersMax: 100, levelsMax: 3 });
    for (let maker = 0; maker < 4; maker++) scene.apply(order(ANN, "sell", 10, 1));
    expect(scene.story(order(BOB, "buy", 10, 2, fok))).toEqual(["refused: wouldNotFill"]);
    scene.apply({ type: "limitWork", ordersMax: 100, levelsMax: 4 });
    expect(scene.story(order(BOB, "buy", 10, 2, fok))).toHaveLength(5);
  });

  test("passes over orders of its own account", () => {
    const scene = new Scene(FUNDS + 100);
    scene.apply(order(BOB, "sell", 9, 50));
    scene.apply(order(ANN, "sell", 10, 10));
    const passing = {
      ...fok,
      conditions: { selfTradePrevention: "expireMaker" },
    } as const;
    expect(scene.story(order(BOB, "buy", 10, 10, passing))).toEqual([
      "17 ended: selfTrade",
      "17 bought 10 at 10 of 16",
      "16 ended: filled",
      "17 ended: filled",
    ]);
  });
});

describe("an auction", () => {
  test("leaves out the orders that would bring too much, and finds its price without them", () => {
    const scene = new Scene(FUNDS + 100);
    scene.apply(status("auction"));
    scene.apply(order(ANN, "sell", 10, 11));
    scene.apply(order(CAT, "sell", 12, 5));
    scene.apply(order(BOB, "buy", 12, 8));
    expect(scene.story(status("trading"))).toEqual([
      "auction: 8 at 10",
      "17 bought 8 at 10 of 16",
      "17 ended: filled",
    ]);
    scene.apply(status("auction"));
    scene.apply(order(BOB, "buy", 12, 8));
    // Ann has 80 more already: 3 lots at 10 no longer fit.
    expect(scene.story(status("trading"))).toEqual([
      "16 ended: balanceTooLarge",
      "auction: 5 at 12",
      "17 bought 5 at 12 of 18",
      "18 ended: filled",
    ]);
  });

  test("adds up the orders of an account, of which the last ones are left out", () => {
    const scene = new Scene(FUNDS + 20);
    scene.apply(status("auction"));
    for (const lots of [12, 6, 9]) scene.apply(order(ANN, "buy", 1, lots));
    scene.apply(order(BOB, "sell", 1, 30));
    // With 27 lots it would have exceeded Bob's limit too.
    expect(scene.story(status("trading"))).toEqual([
      "16 ended: balanceTooLarge",
      "auction: 18 at 1",
      "17 sold 12 at 1 to 16",
      "16 ended: filled",
      "17 sold 6 at 1 to 16",
      "16 ended: filled",
    ]);
  });

  test("is followed by trades that are looked at as before", () => {
    const scene = new Scene(FUNDS + 20);
    scene.apply(status("auction"));
    scene.apply(status("trading"));
    scene.apply(order(ANN, "sell", 1, 21));
    expect(scene.story(order(BOB, "buy", 1, 21))).toEqual(["17 ended: balanceTooLarge"]);
  });

  test("leaves out sellers after buyers, and does not happen without either", () => {
    const scene = new Scene(FUNDS + 20);
    scene.apply(status("auction"));
    scene.apply(order(ANN, "buy", 2, 20));
    scene.apply(order(BOB, "sell", 2, 15));
    expect(scene.story(status("trading"))).toEqual(["17 ended: balanceTooLarge"]);
    expect(scene.engine.read.openOrdersOf(ANN)).toHaveLength(1);
  });
});

describe("the lots of a book while balances are limited", () => {
  const LOTS_MAX = 2 ** 29;
  const large = { quantityLotsMax: AMOUNT_MAX as Lots };

  test("are bounded by order: larger ones end with the first limit and are refused after it", () => {
    const scene = new Scene(undefined, 2 ** 40, large);
    scene.apply(order(ANN, "buy", 1, LOTS_MAX));
    scene.apply(order(ANN, "buy", 1, LOTS_MAX + 1));
    expect(scene.story(limit(AMOUNT_MAX))).toEqual(["16 ended: quantityTooLarge"]);
    const again = order(ANN, "buy", 1, LOTS_MAX + 1);
    expect(scene.story(again)).toEqual(["refused: quantityTooLarge"]);
    expect(scene.story(order(ANN, "buy", 1, LOTS_MAX))).toEqual(["16 rests"]);
    expect(
      scene.story({
        type: "amendOrder",
        account: ANN,
        orderId: 1,
        priceTicks: 0 as Ticks,
        quantityLots: (LOTS_MAX + 1) as Lots,
      }),
    ).toEqual(["refused: quantityTooLarge"]);
  });

  test("are so in markets that are listed or redefined later", () => {
    const scene = new Scene(AMOUNT_MAX, 2 ** 40, large);
    scene.apply({ type: "listCoin", coin: coin("ETH", 2) });
    scene.apply({
      type: "listMarket",
      market: market("ETH", { ...terms, ...large }),
    });
    scene.apply({
      type: "updateMarket",
      marketId: 1,
      market: market("BTC", { ...terms, ...large }),
    });
    for (const marketId of [1, 2]) {
      const tooLarge = order(ANN, "buy", 1, LOTS_MAX + 1, { marketId });
      expect(scene.story(tooLarge)).toEqual(["refused: quantityTooLarge"]);
      expect(scene.story({ ...tooLarge, quantityLots: LOTS_MAX as Lots })).toEqual(["16 rests"]);
    }
  });
});

describe("a snapshot of an exchange with a limit", () => {
  test("is refused where a balance beyond the range says what no number is", () => {
    const scene = new Scene(AMOUNT_MAX);
    for (const account of [ANN, BOB]) scene.apply(fund(account, USD, AMOUNT_MAX - FUNDS));
    const excess = String(0n - BigInt(AMOUNT_MAX) - 2n * BigInt(FUNDS));
    const bytes = scene.engine.snapshot();
    const text = new TextDecoder("latin1").decode(bytes);
    const at = text.lastIndexOf(excess);
    expect(at).toBeGreaterThan(0);
    for (const [place, digit] of [
      [at + 3, "x"],
      [at + excess.length - 1, "2"],
    ] as const) {
      const changed = bytes.slice();
      changed[place] = digit.charCodeAt(0);
      expect(() => restoreEngine(changed)).toThrow(SnapshotFormatError);
    }
  });
});

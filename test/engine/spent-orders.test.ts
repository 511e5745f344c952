/**
 * An order that cannot pay for one more lot is done with the book: it ends no order of its own account
 * and halts no market.
 */
import { describe, expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import { market } from "./commands.ts";
import { runScript, scriptText, type ScriptOptions } from "./script.ts";
import { ANN, BOB, CAT, order, Scene } from "./work-scene.ts";

function play(script: string, options?: ScriptOptions): void {
  expect(runScript(script, options)).toBe(scriptText(script));
}

const BREAKER: ScriptOptions["market"] = {
  breaker: { bps: 1000, windowMs: 300_000, haltMs: 60_000, auctionMs: 30_000 },
};

describe("an order by total that is spent", () => {
  test.each(["expire-taker", "expire-maker", "expire-both", "decrement"])(
    "has filled, and leaves its owner's order alone: %s",
    (mode) =>
      play(`
        bob sells 3 at 100
          > 1 placed, 3 held
          > 1 rests with 3
        ann sells 2 at 101
          > 2 placed, 2 held
          > 2 rests with 2
        ann spends 300 at market or ${mode}
          > 3 placed, 300 held
          > 3 at 100 with 1: ann pays 1, bob pays 1
          > 1 filled
          > 3 filled
        book
          > sell 101: 2
      `),
  );

  test("so is one into which not one more lot fits, also to sell", () =>
    play(`
      bob sells 3 at 100
        > 1 placed, 3 held
        > 1 rests with 3
      ann sells 2 at 101
        > 2 placed, 2 held
        > 2 rests with 2
      ann spends 350 at market or expire-maker
        > 3 placed, 350 held
        > 3 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 3 filled, 50 released
      bob buys 3 at 90
        > 4 placed, 270 held
        > 4 rests with 3
      ann buys 2 at 80
        > 5 placed, 160 held
        > 5 rests with 2
      ann receives 300 at market or expire-maker
        > 6 placed, 3 held
        > 3 at 90 with 4: ann pays 1, bob pays 1
        > 4 filled
        > 6 filled
      book
        > sell 101: 2
        > buy 80: 2
    `));

  test("does not halt the market at a price beyond the breaker", () =>
    play(
      `
      bob sells 3 at 100
        > 1 placed, 3 held
        > 1 rests with 3
      bob sells 3 at 150
        > 2 placed, 3 held
        > 2 rests with 3
      ann spends 300 at market
        > 3 placed, 300 held
        > 3 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 3 filled
      ann spends 100 at market
        > refused: notionalTooSmall
      ann spends 150 at market
        > 4 placed, 150 held
        > the market is halted by the breaker for 60s
        > 4 expired (breaker), 150 released
    `,
      { market: BREAKER },
    ));
});

describe("in a journal from before that rule", () => {
  test("it meets its owner's order", () =>
    play(
      `
      bob sells 3 at 100
        > 1 placed, 3 held
        > 1 rests with 3
      ann sells 2 at 101
        > 2 placed, 2 held
        > 2 rests with 2
      ann spends 300 at market or expire-maker
        > 3 placed, 300 held
        > 3 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 expired (selfTrade), 2 left, 2 released
        > 3 filled
    `,
      { isOfOld: true },
    ));

  test("and the breaker", () =>
    play(
      `
      bob sells 3 at 100
        > 1 placed, 3 held
        > 1 rests with 3
      bob sells 3 at 150
        > 2 placed, 3 held
        > 2 rests with 3
      ann spends 300 at market
        > 3 placed, 300 held
        > 3 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > the market is halted by the breaker for 60s
        > 3 filled
    `,
      { market: BREAKER, isOfOld: true },
    ));
});

test("an order whose hold is spent leaves its owner's order alone", () => {
  const scene = new Scene();
  scene.apply({ type: "adoptRules", spentOrdersStop: true });
  scene.apply(order(BOB, "sell", 100));
  scene.apply(order(CAT, "buy", 100));
  const trigger = { kind: "stop", triggerTicks: 101 as Ticks } as const;
  scene.apply({
    ...order(ANN, "buy", 0),
    orderType: "market",
    timeInForce: "ioc",
    quantityLots: 10 as Lots,
    conditions: { trigger, selfTradePrevention: "expireMaker" },
  });
  // It holds 1 070, which is 7 lots at the new cap of 152.
  const terms = { lotUnits: 1, tickLotUnits: 1, notionalMin: 0 as Amount, protectionBps: 5_000 };
  scene.apply({ type: "updateMarket", marketId: 1, market: market("BTC", terms) });
  scene.apply({ ...order(BOB, "sell", 140), quantityLots: 7 as Lots });
  const [placed] = scene.apply(order(ANN, "sell", 141));
  scene.apply(order(BOB, "sell", 101));
  const events = scene.apply(order(CAT, "buy", 101));
  expect(events.at(-1)).toMatchObject({
    type: "orderEnded",
    remainingLots: 3,
    reason: "immediateOrCancel",
  });
  expect(scene.openOf(ANN)).toEqual([(placed as { orderId: number }).orderId]);
});

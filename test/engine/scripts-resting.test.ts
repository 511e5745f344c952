import { describe, expect, test } from "vitest";
import { runScript, scriptText, type ScriptOptions } from "./script.ts";

function play(script: string, options?: ScriptOptions): void {
  expect(runScript(script, options)).toBe(scriptText(script));
}

describe("an iceberg", () => {
  test("shows one part at a time, each at the end of the queue of its price", () =>
    play(`
      ann sells 9 at 100 showing 3
        > 1 placed, 9 held
        > 1 rests with 9, showing 3
      bob sells 2 at 100
        > 2 placed, 2 held
        > 2 rests with 2
      cat buys 4 at 100
        > 3 placed, 400 held
        > 3 at 100 with 1: cat pays 1, ann pays 1
        > 1 shows 3 of 6
        > 1 at 100 with 2: cat pays 1, bob pays 1
        > 3 filled
      book
        > sell 100: 4
      cat buys 7 at 100
        > 4 placed, 700 held
        > 1 at 100 with 2: cat pays 1, bob pays 1
        > 2 filled
        > 3 at 100 with 1: cat pays 1, ann pays 1
        > 1 shows 3 of 3
        > 3 at 100 with 1: cat pays 1, ann pays 1
        > 1 filled
        > 4 filled
      balances
        > ann: USD +897, BTC -9
        > bob: USD +198, BTC -2
        > cat: USD -1100, BTC +6
        > fees: USD +5, BTC +5
    `));

  test("hidden lots count for fill or kill and trade before a worse price", () =>
    play(`
      ann sells 9 at 100 showing 3
        > 1 placed, 9 held
        > 1 rests with 9, showing 3
      bob sells 5 at 101
        > 2 placed, 5 held
        > 2 rests with 5
      cat buys 10 at 101 fok
        > 3 placed, 1010 held
        > 3 at 100 with 1: cat pays 1, ann pays 1, 3 released
        > 1 shows 3 of 6
        > 3 at 100 with 1: cat pays 1, ann pays 1, 3 released
        > 1 shows 3 of 3
        > 3 at 100 with 1: cat pays 1, ann pays 1, 3 released
        > 1 filled
        > 1 at 101 with 2: cat pays 1, bob pays 1
        > 3 filled
      cat buys 5 at 101 fok
        > refused: wouldNotFill
      book
        > sell 101: 4
    `));

  test("a market order holds what hidden lots cost too", () =>
    play(`
      ann sells 9 at 100 showing 3
        > 1 placed, 9 held
        > 1 rests with 9, showing 3
      bob sells 5 at 200
        > 2 placed, 5 held
        > 2 rests with 5
      cat buys 10 at market
        > 3 placed, 1100 held
        > 3 at 100 with 1: cat pays 1, ann pays 1
        > 1 shows 3 of 6
        > 3 at 100 with 1: cat pays 1, ann pays 1
        > 1 shows 3 of 3
        > 3 at 100 with 1: cat pays 1, ann pays 1
        > 1 filled
        > 1 at 200 with 2: cat pays 1, bob pays 1
        > 3 filled
      balances
        > ann: USD +897, BTC -9
        > bob: USD +199, BTC -1 (4 held)
        > cat: USD -1100, BTC +6
        > fees: USD +4, BTC +4
    `));

  test("must rest, show less than it has and have at most a hundred parts", () =>
    play(`
      ann sells 9 at 100 showing 9
        > refused: invalidDisplay
      ann sells 9 at 100 showing 0
        > refused: invalidDisplay
      ann sells 9 at 100 ioc showing 3
        > refused: invalidDisplay
      ann sells 500 at 100 showing 4
        > refused: invalidDisplay
      ann sells 500 at 100 showing 5
        > 1 placed, 500 held
        > 1 rests with 500, showing 5
    `));

  test("crossing, it trades with all it has and then shows a part of the rest", () =>
    play(`
      bob buys 4 at 100
        > 1 placed, 400 held
        > 1 rests with 4
      ann sells 9 at 100 showing 2
        > 2 placed, 9 held
        > 4 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 rests with 5, showing 2
      book
        > sell 100: 2
    `));
});

describe("good till a date", () => {
  test("ends with the first command at its end, before that command", () =>
    play(`
      ann buys 3 at 100 until 60s
        > 1 placed, 300 held
        > 1 rests with 3
      time passes 59s
      bob cancels 1
        > refused: unknownOrder
      time passes 1s
      bob sells 3 at 100 ioc
        > 1 expired (expired), 3 left, 300 released
        > 2 placed, 3 held
        > 2 expired, 3 left, 3 released
      book
        > empty
    `));

  test("must end in the future and within 366 days", () =>
    play(`
      ann buys 3 at 100 until 0s
        > refused: invalidTimeInForce
      ann buys 3 at 100 until 31622401s
        > refused: invalidTimeInForce
      ann buys 3 at 100 until 31622400s
        > 1 placed, 300 held
        > 1 rests with 3
      ann cancels 1
        > 1 cancelled, 3 left, 300 released
      time passes 31622400s
      time advances
        > timeAdvanced
    `));

  test("asked for again with another end it is another order", () =>
    play(`
      ann buys 3 at 100 until 60s as a
        > 1 placed, 300 held
        > 1 rests with 3
      ann buys 3 at 100 until 60s as a
        > already placed as 1
      ann buys 3 at 100 until 61s as a
        > refused: duplicateClientOrderId
      ann buys 3 at 100 as a
        > refused: duplicateClientOrderId
    `));

  test("the earlier end comes first, then the lower order id", () =>
    play(`
      ann buys 3 at 100 until 60s
        > 1 placed, 300 held
        > 1 rests with 3
      ann buys 3 at 101 until 30s
        > 2 placed, 303 held
        > 2 rests with 3
      ann buys 3 at 102 until 30s
        > 3 placed, 306 held
        > 3 rests with 3
      time passes 60s
      time advances
        > 2 expired (expired), 3 left, 303 released
        > 3 expired (expired), 3 left, 306 released
        > 1 expired (expired), 3 left, 300 released
        > timeAdvanced
    `));
});

describe("the cancel timer", () => {
  test("cancels everything unless it is set again in time", () =>
    play(`
      ann buys 3 at 100
        > 1 placed, 300 held
        > 1 rests with 3
      ann sells 3 at 110
        > 2 placed, 3 held
        > 2 rests with 3
      bob buys 1 at 99
        > 3 placed, 99 held
        > 3 rests with 1
      ann cancels all after 10s
        > cancel timer in 10s
      time passes 9s
      ann cancels all after 10s
        > cancel timer in 10s
      time passes 9s
      time advances
        > timeAdvanced
      time passes 1s
      bob cancels 3
        > cancel timer fires
        > 1 cancelled (cancelTimer), 3 left, 300 released
        > 2 cancelled (cancelTimer), 3 left, 3 released
        > 3 cancelled, 1 left, 99 released
      book
        > empty
    `));

  test("runs from a second to a day, and can be switched off", () =>
    play(`
      ann cancels all after 0.5s
        > refused: invalidDelay
      ann cancels all after 86401s
        > refused: invalidDelay
      ann cancels all after 86400s
        > cancel timer in 86400s
      ann buys 3 at 100
        > 1 placed, 300 held
        > 1 rests with 3
      ann cancels all after 0s
        > cancel timer off
      time passes 86400s
      time advances
        > timeAdvanced
    `));
});

describe("cancelling all", () => {
  test("of one side leaves the other", () =>
    play(`
      ann buys 3 at 100
        > 1 placed, 300 held
        > 1 rests with 3
      ann sells 3 at 110
        > 2 placed, 3 held
        > 2 rests with 3
      ann buys 2 at 101
        > 3 placed, 202 held
        > 3 rests with 2
      ann cancels all buys
        > 1 cancelled, 3 left, 300 released
        > 3 cancelled, 2 left, 202 released
      ann cancels all buys
        > refused: unknownOrder
      book
        > sell 110: 3
    `));
});

describe("self-trade prevention", () => {
  test("expire maker ends the resting order and continues", () =>
    play(`
      ann sells 2 at 100
        > 1 placed, 2 held
        > 1 rests with 2
      bob sells 2 at 100
        > 2 placed, 2 held
        > 2 rests with 2
      ann buys 3 at 100 or expire-maker
        > 3 placed, 300 held
        > 1 expired (selfTrade), 2 left, 2 released
        > 2 at 100 with 2: ann pays 1, bob pays 1
        > 2 filled
        > 3 rests with 1
      book
        > buy 100: 1
    `));

  test("expire both ends both", () =>
    play(`
      ann sells 2 at 100
        > 1 placed, 2 held
        > 1 rests with 2
      bob sells 2 at 100
        > 2 placed, 2 held
        > 2 rests with 2
      ann buys 3 at 100 or expire-both
        > 3 placed, 300 held
        > 1 expired (selfTrade), 2 left, 2 released
        > 3 expired (selfTrade), 3 left, 300 released
      book
        > sell 100: 2
    `));

  test("decrement takes the smaller remainder off both, the incoming order continues", () =>
    play(`
      ann sells 2 at 100
        > 1 placed, 2 held
        > 1 rests with 2
      bob sells 2 at 100
        > 2 placed, 2 held
        > 2 rests with 2
      ann buys 5 at 101 or decrement
        > 3 placed, 505 held
        > 1 loses 2, 0 left, 2 released
        > 3 loses 2, 3 left, 202 released
        > 1 expired (selfTrade)
        > 2 at 100 with 2: ann pays 1, bob pays 1, 2 released
        > 2 filled
        > 3 rests with 1
      book
        > buy 101: 1
      balances
        > ann: USD -200 (101 held), BTC +1
        > bob: USD +199, BTC -2
        > cat: USD 0, BTC 0
        > fees: USD +1, BTC +1
    `));

  test("decrement leaves what the resting order has more", () =>
    play(`
      ann sells 5 at 100
        > 1 placed, 5 held
        > 1 rests with 5
      ann buys 2 at 101 or decrement
        > 2 placed, 202 held
        > 1 loses 2, 3 left, 2 released
        > 2 loses 2, 0 left, 202 released
        > 2 expired (selfTrade)
      book
        > sell 100: 3
      balances
        > ann: USD 0, BTC 0 (3 held)
        > bob: USD 0, BTC 0
        > cat: USD 0, BTC 0
        > fees: USD 0, BTC 0
    `));

  test("decrement takes hidden lots of an iceberg first", () =>
    play(`
      ann sells 9 at 100 showing 2
        > 1 placed, 9 held
        > 1 rests with 9, showing 2
      ann buys 4 at 100 or decrement
        > 2 placed, 400 held
        > 1 loses 4, 5 left, 4 released
        > 2 loses 4, 0 left, 400 released
        > 2 expired (selfTrade)
      book
        > sell 100: 2
    `));

  test("what decrement took off an order is not asked for any more", () =>
    play(`
      ann sells 2 at 100
        > 1 placed, 2 held
        > 1 rests with 2
      ann buys 5 at 100 or decrement
        > 2 placed, 500 held
        > 1 loses 2, 0 left, 2 released
        > 2 loses 2, 3 left, 200 released
        > 1 expired (selfTrade)
        > 2 rests with 3
      ann amends 2 to 2
        > 2 amended, 2 of 2 at 100, in its place, 100 released
      ann sells 1 at 100 or decrement
        > 3 placed, 1 held
        > 2 loses 1, 1 left, 100 released
        > 3 loses 1, 0 left, 1 released
        > 3 expired (selfTrade)
      ann amends 2 to 3
        > 2 amended, 3 of 3 at 100, 200 held
        > 2 rests with 3
    `));

  test("decrement of an order by total takes what the lots would have cost", () =>
    play(`
      ann sells 2 at 100
        > 1 placed, 2 held
        > 1 rests with 2
      bob sells 5 at 100
        > 2 placed, 5 held
        > 2 rests with 5
      ann spends 350 at market or decrement
        > 3 placed, 350 held
        > 1 loses 2, 0 left, 2 released
        > 3 loses 2, 0 left
        > 1 expired (selfTrade)
        > 1 at 100 with 2: ann pays 1, bob pays 1
        > 3 filled, 250 released
      balances
        > ann: USD -100, BTC 0
        > bob: USD +99, BTC -1 (4 held)
        > cat: USD 0, BTC 0
        > fees: USD +1, BTC +1
    `));

  test("a market order that passes over own orders holds what the others cost", () =>
    play(`
      ann sells 5 at 100
        > 1 placed, 5 held
        > 1 rests with 5
      bob sells 5 at 200
        > 2 placed, 5 held
        > 2 rests with 5
      ann buys 5 at market or expire-maker
        > 3 placed, 1000 held
        > 1 expired (selfTrade), 5 left, 5 released
        > 5 at 200 with 2: ann pays 1, bob pays 1
        > 2 filled
        > 3 filled
      balances
        > ann: USD -1000, BTC +4
        > bob: USD +999, BTC -5
        > cat: USD 0, BTC 0
        > fees: USD +1, BTC +1
    `));

  test("fill or kill counts past own orders with expire maker only", () =>
    play(`
      ann sells 2 at 100
        > 1 placed, 2 held
        > 1 rests with 2
      bob sells 2 at 100
        > 2 placed, 2 held
        > 2 rests with 2
      ann buys 2 at 100 fok
        > refused: wouldNotFill
      ann buys 2 at 100 fok or decrement
        > refused: wouldNotFill
      ann buys 2 at 100 fok or expire-maker
        > 3 placed, 200 held
        > 1 expired (selfTrade), 2 left, 2 released
        > 2 at 100 with 2: ann pays 1, bob pays 1
        > 2 filled
        > 3 filled
    `));

  test("an order that names no mode goes by the market's", () =>
    play(
      `
      ann sells 2 at 100
        > 1 placed, 2 held
        > 1 rests with 2
      bob sells 2 at 100
        > 2 placed, 2 held
        > 2 rests with 2
      ann buys 3 at 100
        > 3 placed, 300 held
        > 1 expired (selfTrade), 2 left, 2 released
        > 2 at 100 with 2: ann pays 1, bob pays 1
        > 2 filled
        > 3 rests with 1
      ann sells 2 at 100 or expire-taker
        > 4 placed, 2 held
        > 4 expired (selfTrade), 2 left, 2 released
    `,
      { market: { selfTradePrevention: "expireMaker" } },
    ));
});

describe("amending", () => {
  test("less quantity keeps the place in the queue", () =>
    play(`
      ann buys 5 at 100
        > 1 placed, 500 held
        > 1 rests with 5
      bob buys 5 at 100
        > 2 placed, 500 held
        > 2 rests with 5
      ann amends 1 to 3
        > 1 amended, 3 of 3 at 100, in its place, 200 released
      cat sells 4 at 100
        > 3 placed, 4 held
        > 3 at 100 with 1: cat pays 1, ann pays 1
        > 1 filled
        > 1 at 100 with 2: cat pays 1, bob pays 1
        > 3 filled
    `));

  test("more quantity goes to the end of the queue", () =>
    play(`
      ann buys 5 at 100
        > 1 placed, 500 held
        > 1 rests with 5
      bob buys 5 at 100
        > 2 placed, 500 held
        > 2 rests with 5
      ann amends 1 to 6
        > 1 amended, 6 of 6 at 100, 100 held
        > 1 rests with 6
      cat sells 7 at 100
        > 3 placed, 7 held
        > 5 at 100 with 2: cat pays 1, bob pays 1
        > 2 filled
        > 2 at 100 with 1: cat pays 1, ann pays 1
        > 3 filled
      balances
        > ann: USD -200 (400 held), BTC +1
        > bob: USD -500, BTC +4
        > cat: USD +698, BTC -7
        > fees: USD +2, BTC +2
    `));

  test("a price that crosses trades first and holds the difference", () =>
    play(`
      bob sells 2 at 105
        > 1 placed, 2 held
        > 1 rests with 2
      ann buys 5 at 100
        > 2 placed, 500 held
        > 2 rests with 5
      ann amends 2 at 105
        > 2 amended, 5 of 5 at 105, 25 held
        > 2 at 105 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 rests with 3
      book
        > buy 105: 3
      balances
        > ann: USD -210 (315 held), BTC +1
        > bob: USD +209, BTC -2
        > cat: USD 0, BTC 0
        > fees: USD +1, BTC +1
    `));

  test("is refused below what is filled, without a change, across for post-only, too large or dear", () =>
    play(`
      ann buys 5 at 100
        > 1 placed, 500 held
        > 1 rests with 5
      bob sells 2 at 100
        > 2 placed, 2 held
        > 2 at 100 with 1: bob pays 1, ann pays 1
        > 2 filled
      ann amends 1 to 2
        > refused: invalidQuantity
      ann amends 1 to 5
        > refused: nothingToChange
      ann amends 1
        > refused: nothingToChange
      ann amends 1 to 3
        > 1 amended, 1 of 3 at 100, in its place, 200 released
      bob amends 1 to 4
        > refused: unknownOrder
      bob sells 1 at 105
        > 3 placed, 1 held
        > 3 rests with 1
      cat buys 1 at 99 post-only
        > 4 placed, 99 held
        > 4 rests with 1
      cat amends 4 at 105
        > refused: wouldCross
      cat amends 4 to 1 at 99
        > refused: nothingToChange
      ann amends 1 to 2000
        > refused: quantityTooLarge
      ann amends 1 at 100000
        > refused: insufficientAvailable
      ann amends 1 at 1
        > refused: notionalTooSmall
    `));

  test("an iceberg loses hidden lots first", () =>
    play(`
      ann sells 9 at 100 showing 3
        > 1 placed, 9 held
        > 1 rests with 9, showing 3
      cat buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: cat pays 1, ann pays 1
        > 2 filled
      ann amends 1 to 6
        > 1 amended, 5 of 6 at 100, in its place, 3 released
      ann amends 1 to 2
        > refused: invalidDisplay
      ann amends 1 at 101 as of old
        > refused: invalidPrice
      ann amends 1 to 12
        > 1 amended, 11 of 12 at 100, 6 held
        > 1 rests with 11, showing 3
      ann amends 1 to 4
        > 1 amended, 3 of 4 at 100, in its place, 8 released
      book
        > sell 100: 3
    `));

  test("the order keeps its self-trade prevention, its end and its client order id", () =>
    play(`
      ann sells 1 at 105
        > 1 placed, 1 held
        > 1 rests with 1
      ann buys 3 at 100 until 60s or expire-maker as mine
        > 2 placed, 300 held
        > 2 rests with 3
      ann amends 2 at 105
        > 2 amended, 3 of 3 at 105, 15 held
        > 1 expired (selfTrade), 1 left, 1 released
        > 2 rests with 3
      ann buys 3 at 100 until 60s or expire-maker as mine
        > already placed as 2
      time passes 60s
      time advances
        > 2 expired (expired), 3 left, 315 released
        > timeAdvanced
    `));

  test("an order amended across the touch takes what is there", () =>
    play(`
      bob sells 5 at 105
        > 1 placed, 5 held
        > 1 rests with 5
      ann buys 3 at 100 post-only
        > 2 placed, 300 held
        > 2 rests with 3
      ann amends 2 to 5
        > 2 amended, 5 of 5 at 100, 200 held
        > 2 rests with 5
      ann amends 2 to 2 at 104
        > 2 amended, 2 of 2 at 104, 292 released
        > 2 rests with 2
      cat buys 1 at 100
        > 3 placed, 100 held
        > 3 rests with 1
      cat amends 3 to 5 at 105
        > 3 amended, 5 of 5 at 105, 425 held
        > 5 at 105 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 3 filled
      balances
        > ann: USD 0 (208 held), BTC 0
        > bob: USD +524, BTC -5
        > cat: USD -525, BTC +4
        > fees: USD +1, BTC +1
    `));
});

describe("cancel-replace", () => {
  test("does both or nothing, or only places where that is asked for", () =>
    play(`
      ann buys 5 at 100
        > 1 placed, 500 held
        > 1 rests with 5
      bob sells 1 at 105
        > 2 placed, 1 held
        > 2 rests with 1
      ann replaces 1: buys 5 at 105 fok
        > refused: wouldNotFill
      ann replaces 1: buys 1 at 105 post-only
        > refused: wouldCross
      ann replaces 1: buys 6 at 101
        > 1 cancelled (replaced), 5 left, 500 released
        > 3 placed, 606 held
        > 3 rests with 6
      ann replaces 1: buys 6 at 102
        > refused: unknownOrder
      ann replaces or places 1: buys 1 at 90
        > 4 placed, 90 held
        > 4 rests with 1
      ann replaces 3: sells 1 at 130
        > refused: invalidReplacement
      book
        > sell 105: 1
        > buy 101: 6
        > buy 90: 1
    `));

  test("what the old order holds is available to the new one", () =>
    play(`
      ann buys 999 at 100
        > 1 placed, 99900 held
        > 1 rests with 999
      ann buys 2 at 100
        > refused: insufficientAvailable
      ann replaces 1: buys 500 at 200
        > 1 cancelled (replaced), 999 left, 99900 released
        > 2 placed, 100000 held
        > 2 rests with 500
      ann replaces 1: buys 501 at 200
        > refused: unknownOrder
    `));

  test("the old order leaves its room to the new one", () =>
    play(
      `
      ann buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      ann replaces 1: buys 1 at 101
        > 1 cancelled (replaced), 1 left, 100 released
        > 2 placed, 101 held
        > 2 rests with 1
    `,
      { openOrdersMax: 1 },
    ));

  test("an order of another account is unknown", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      ann replaces 1: buys 1 at 101
        > refused: unknownOrder
      ann replaces or places 1: buys 1 at 101
        > 2 placed, 101 held
        > 2 rests with 1
      book
        > buy 101: 1
        > buy 100: 1
    `));
});

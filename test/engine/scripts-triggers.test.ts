import { describe, expect, test } from "vitest";
import { runScript, scriptText, type ScriptOptions } from "./script.ts";

function play(script: string, options?: ScriptOptions): void {
  expect(runScript(script, options)).toBe(scriptText(script));
}

describe("a trigger", () => {
  test("is refused in a market that has never traded", () =>
    play(`
      ann sells 1 at market stop 90
        > refused: noReferencePrice
    `));

  test("a stop to sell waits below the last price, holding its quantity", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      bob buys 9 at 95
        > 3 placed, 855 held
        > 3 rests with 9
      ann sells 3 at market stop 97
        > 4 placed, 3 held
        > 4 waits for 97
      ann sells 3 at market stop 100
        > refused: wouldTriggerAtOnce
      ann sells 3 at market stop 101
        > refused: wouldTriggerAtOnce
      cat sells 1 at 96
        > 5 placed, 1 held
        > 5 rests with 1
      balances
        > ann: USD 0, BTC 0 (3 held)
        > bob: USD -100 (855 held), BTC 0
        > cat: USD +99, BTC -1 (1 held)
        > fees: USD +1, BTC +1
    `));

  test("a stop-limit to buy waits above the last price and then rests at its limit", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      cat buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann buys 3 at 104 stop 103
        > 3 placed, 312 held
        > 3 waits for 103
      bob sells 1 at 103
        > 4 placed, 1 held
        > 4 rests with 1
      bob sells 2 at 106
        > 5 placed, 2 held
        > 5 rests with 2
      cat buys 1 at 103
        > 6 placed, 103 held
        > 1 at 103 with 4: cat pays 1, bob pays 1
        > 4 filled
        > 6 filled
        > 3 activated with 3
        > 3 rests with 3
      book
        > sell 106: 2
        > buy 104: 3
      balances
        > ann: USD 0 (312 held), BTC 0
        > bob: USD +201, BTC -2 (2 held)
        > cat: USD -203, BTC 0
        > fees: USD +2, BTC +2
    `));

  test("a take-profit waits on the better side of the last price", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      cat buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann sells 3 at 104 take-profit 105
        > 3 placed, 3 held
        > 3 waits for 105
      ann buys 3 at 94 take-profit 95
        > 4 placed, 282 held
        > 4 waits for 95
      ann buys 3 at 94 take-profit 100
        > refused: wouldTriggerAtOnce
      bob sells 1 at 105
        > 5 placed, 1 held
        > 5 rests with 1
      bob buys 1 at 95
        > 6 placed, 95 held
        > 6 rests with 1
      cat buys 1 at 105
        > 7 placed, 105 held
        > 1 at 105 with 5: cat pays 1, bob pays 1
        > 5 filled
        > 7 filled
        > 3 activated with 3
        > 3 rests with 3
      cat sells 1 at 95
        > 8 placed, 1 held
        > 1 at 95 with 6: cat pays 1, bob pays 1
        > 6 filled
        > 8 filled
        > 4 activated with 3
        > 4 rests with 3
      book
        > sell 104: 3
        > buy 94: 3
    `));

  test("a market order to buy by quantity holds and buys up to its cap", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      cat buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann buys 5 at market stop 110
        > 3 placed, 580 held
        > 3 waits for 110
      bob sells 1 at 110
        > 4 placed, 1 held
        > 4 rests with 1
      bob sells 1 at 112
        > 5 placed, 1 held
        > 5 rests with 1
      bob sells 1 at 115
        > 6 placed, 1 held
        > 6 rests with 1
      bob sells 5 at 116
        > 7 placed, 5 held
        > 7 rests with 5
      cat buys 1 at 110
        > 8 placed, 110 held
        > 1 at 110 with 4: cat pays 1, bob pays 1
        > 4 filled
        > 8 filled
        > 3 activated with 5
        > 1 at 112 with 5: ann pays 1, bob pays 1, 4 released
        > 5 filled
        > 1 at 115 with 6: ann pays 1, bob pays 1, 1 released
        > 6 filled
        > 3 at 116 with 7: ann pays 1, bob pays 1
        > 3 filled
      balances
        > ann: USD -575, BTC +2
        > bob: USD +780, BTC -7 (2 held)
        > cat: USD -210, BTC 0
        > fees: USD +5, BTC +5
    `));

  test("a market order to buy by total holds its total, to sell by total is refused", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      cat buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann spends 500 at market stop 110
        > 3 placed, 500 held
        > 3 waits for 110
      ann receives 500 at market stop 90
        > refused: invalidAmount
      bob sells 1 at 110
        > 4 placed, 1 held
        > 4 rests with 1
      bob sells 9 at 120
        > 5 placed, 9 held
        > 5 rests with 9
      cat buys 1 at 110
        > 6 placed, 110 held
        > 1 at 110 with 4: cat pays 1, bob pays 1
        > 4 filled
        > 6 filled
        > 3 activated with 0
        > 4 at 120 with 5: ann pays 1, bob pays 1
        > 3 filled, 20 released
      balances
        > ann: USD -480, BTC +3
        > bob: USD +687, BTC -6 (5 held)
        > cat: USD -210, BTC 0
        > fees: USD +3, BTC +3
    `));

  test("a trailing stop to sell follows the highest price and never moves away", () =>
    play(`
      bob buys 1 at 1000
        > 1 placed, 1000 held
        > 1 rests with 1
      cat sells 1 at 1000
        > 2 placed, 1 held
        > 1 at 1000 with 1: cat pays 2, bob pays 1
        > 1 filled
        > 2 filled
      ann sells 2 at market trail 500
        > 3 placed, 2 held
        > 3 waits for 950
      bob buys 1 at 1100
        > 4 placed, 1100 held
        > 4 rests with 1
      cat sells 1 at 1100
        > 5 placed, 1 held
        > 1 at 1100 with 4: cat pays 3, bob pays 1
        > 4 filled
        > 5 filled
      bob buys 1 at 1046
        > 6 placed, 1046 held
        > 6 rests with 1
      cat sells 1 at 1046
        > 7 placed, 1 held
        > 1 at 1046 with 6: cat pays 3, bob pays 1
        > 6 filled
        > 7 filled
      bob buys 4 at 1045
        > 8 placed, 4180 held
        > 8 rests with 4
      cat sells 1 at 1045
        > 9 placed, 1 held
        > 1 at 1045 with 8: cat pays 3, bob pays 1
        > 9 filled
        > 3 activated with 2
        > 2 at 1045 with 8: ann pays 5, bob pays 1
        > 3 filled
    `));

  test("a trailing stop to buy follows the lowest price", () =>
    play(`
      bob sells 1 at 1000
        > 1 placed, 1 held
        > 1 rests with 1
      cat buys 1 at 1000
        > 2 placed, 1000 held
        > 1 at 1000 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann buys 2 at 2000 trail 500
        > 3 placed, 4000 held
        > 3 waits for 1050
      bob sells 1 at 900
        > 4 placed, 1 held
        > 4 rests with 1
      cat buys 1 at 900
        > 5 placed, 900 held
        > 1 at 900 with 4: cat pays 1, bob pays 1
        > 4 filled
        > 5 filled
      bob sells 1 at 944
        > 6 placed, 1 held
        > 6 rests with 1
      cat buys 1 at 944
        > 7 placed, 944 held
        > 1 at 944 with 6: cat pays 1, bob pays 1
        > 6 filled
        > 7 filled
      bob sells 4 at 945
        > 8 placed, 4 held
        > 8 rests with 4
      cat buys 1 at 945
        > 9 placed, 945 held
        > 1 at 945 with 8: cat pays 1, bob pays 1
        > 9 filled
        > 3 activated with 2
        > 2 at 945 with 8: ann pays 1, bob pays 2, 2110 released
        > 3 filled
    `));

  test("a stop that trades activates another", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      bob buys 1 at 95
        > 3 placed, 95 held
        > 3 rests with 1
      bob buys 1 at 90
        > 4 placed, 90 held
        > 4 rests with 1
      bob buys 5 at 80
        > 5 placed, 400 held
        > 5 rests with 5
      cat sells 1 at 80 stop 91
        > 6 placed, 1 held
        > 6 waits for 91
      ann sells 1 at 80 stop 96
        > 7 placed, 1 held
        > 7 waits for 96
      cat sells 1 at 95
        > 8 placed, 1 held
        > 1 at 95 with 3: cat pays 1, bob pays 1
        > 3 filled
        > 8 filled
        > 7 activated with 1
        > 1 at 90 with 4: ann pays 1, bob pays 1
        > 4 filled
        > 7 filled
        > 6 activated with 1
        > 1 at 80 with 5: cat pays 1, bob pays 1
        > 6 filled
      book
        > buy 80: 4
    `));

  test("orders are taken up in the order of the trades that reach them, then by order id", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      bob buys 1 at 95
        > 3 placed, 95 held
        > 3 rests with 1
      bob buys 1 at 90
        > 4 placed, 90 held
        > 4 rests with 1
      bob buys 9 at 80
        > 5 placed, 720 held
        > 5 rests with 9
      ann sells 1 at market stop 90
        > 6 placed, 1 held
        > 6 waits for 90
      ann sells 2 at market stop 95
        > 7 placed, 2 held
        > 7 waits for 95
      cat sells 3 at market stop 95
        > 8 placed, 3 held
        > 8 waits for 95
      cat sells 2 at 90
        > 9 placed, 2 held
        > 1 at 95 with 3: cat pays 1, bob pays 1
        > 3 filled
        > 1 at 90 with 4: cat pays 1, bob pays 1
        > 4 filled
        > 9 filled
        > 7 activated with 2
        > 2 at 80 with 5: ann pays 1, bob pays 1
        > 7 filled
        > 8 activated with 3
        > 3 at 80 with 5: cat pays 1, bob pays 1
        > 8 filled
        > 6 activated with 1
        > 1 at 80 with 5: ann pays 1, bob pays 1
        > 6 filled
    `));

  test("post-only that crosses and fill or kill that would not fill end with the reason", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      bob buys 2 at 90
        > 3 placed, 180 held
        > 3 rests with 2
      ann sells 1 at 90 post-only stop 95
        > 4 placed, 1 held
        > 4 waits for 95
      ann sells 3 at 90 fok stop 95
        > 5 placed, 3 held
        > 5 waits for 95
      cat sells 1 at 90
        > 6 placed, 1 held
        > 1 at 90 with 3: cat pays 1, bob pays 1
        > 6 filled
        > 4 activated with 1
        > 4 expired (wouldCross), 1 left, 1 released
        > 5 activated with 3
        > 5 expired (wouldNotFill), 3 left, 3 released
      balances
        > ann: USD 0, BTC 0
        > bob: USD -190 (90 held), BTC 0
        > cat: USD +188, BTC -2
        > fees: USD +2, BTC +2
    `));

  test("of those that one trade reaches the lower order id goes first, whatever their prices", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann sells 1 at market stop 97
        > 3 placed, 1 held
        > 3 waits for 97
      ann sells 1 at market trail 100
        > 4 placed, 1 held
        > 4 waits for 99
      cat sells 1 at market stop 98
        > 5 placed, 1 held
        > 5 waits for 98
      bob buys 9 at 96
        > 6 placed, 864 held
        > 6 rests with 9
      cat sells 1 at 96
        > 7 placed, 1 held
        > 1 at 96 with 6: cat pays 1, bob pays 1
        > 7 filled
        > 3 activated with 1
        > 1 at 96 with 6: ann pays 1, bob pays 1
        > 3 filled
        > 4 activated with 1
        > 1 at 96 with 6: ann pays 1, bob pays 1
        > 4 filled
        > 5 activated with 1
        > 1 at 96 with 6: cat pays 1, bob pays 1
        > 5 filled
    `));

  test("waiting orders are cancelled, replaced and expire", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann sells 1 at 90 stop 95
        > 3 placed, 1 held
        > 3 waits for 95
      ann sells 2 at 90 until 60s stop 95
        > 4 placed, 2 held
        > 4 waits for 95
      ann amends 3 to 2 as of old
        > refused: orderNotResting
      ann cancels 3
        > 3 cancelled, 1 left, 1 released
      ann replaces 4: sells 3 at 89 until 60s stop 94
        > 4 cancelled (replaced), 2 left, 2 released
        > 5 placed, 3 held
        > 5 waits for 94
      time passes 60s
      time advances
        > 5 expired (expired), 3 left, 3 released
        > timeAdvanced
      balances
        > ann: USD 0, BTC 0
        > bob: USD -100, BTC 0
        > cat: USD +99, BTC -1
        > fees: USD +1, BTC +1
    `));

  test("waiting orders and icebergs count as algorithmic orders", () =>
    play(
      `
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann sells 1 at 90 stop 95
        > 3 placed, 1 held
        > 3 waits for 95
      ann sells 9 at 120 showing 2
        > 4 placed, 9 held
        > 4 rests with 9, showing 2
      ann sells 1 at 130
        > 5 placed, 1 held
        > 5 rests with 1
      ann sells 9 at 120 showing 2
        > refused: tooManyAlgoOrders
      ann cancels 4
        > 4 cancelled, 9 left, 9 released
      ann sells 9 at 120 showing 2
        > 6 placed, 9 held
        > 6 rests with 9, showing 2
      bob buys 1 at 95
        > 7 placed, 95 held
        > 7 rests with 1
      cat sells 1 at 95
        > 8 placed, 1 held
        > 1 at 95 with 7: cat pays 1, bob pays 1
        > 7 filled
        > 8 filled
        > 3 activated with 1
        > 3 rests with 1
      ann sells 9 at 120 showing 2
        > 9 placed, 9 held
        > 9 rests with 9, showing 2
    `,
      { algoOrdersMax: 2 },
    ));

  test("an iceberg with a trigger, an end and self-trade prevention has them all", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      bob buys 1 at 95
        > 3 placed, 95 held
        > 3 rests with 1
      ann buys 1 at 94
        > 4 placed, 94 held
        > 4 rests with 1
      ann sells 9 at 94 until 60s showing 2 or decrement stop 95
        > 5 placed, 9 held
        > 5 waits for 95
      cat sells 1 at 95
        > 6 placed, 1 held
        > 1 at 95 with 3: cat pays 1, bob pays 1
        > 3 filled
        > 6 filled
        > 5 activated with 9
        > 4 loses 1, 0 left, 94 released
        > 5 loses 1, 8 left, 1 released
        > 4 expired (selfTrade)
        > 5 rests with 8, showing 2
      book
        > sell 94: 2
      time passes 60s
      time advances
        > 5 expired (expired), 8 left, 8 released
        > timeAdvanced
    `));

  test("the cap is as wide as the market says", () =>
    play(
      `
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      cat buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann buys 5 at market stop 110
        > 3 placed, 605 held
        > 3 waits for 110
    `,
      { market: { protectionBps: 1000 } },
    ));
});

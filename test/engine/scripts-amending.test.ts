/** What can be amended of orders that wait, of orders of lists, and of prices in the book. */
import { describe, expect, test } from "vitest";
import { runScript, scriptText } from "./script.ts";

function play(script: string): void {
  expect(runScript(script)).toBe(scriptText(script));
  expect(runScript(script, { goesThroughSnapshots: true })).toBe(scriptText(script));
}

describe("an OCO pair that is amended", () => {
  test("moves its limit order alone", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oco: sells 3 at 110 | sells 3 at market stop 90
        > list 1 of 3, 4
        > 3 placed, 3 held
        > 4 placed, 0 held
        > 4 waits for 90
        > 3 rests with 3
      ann amends 3 at 108
        > 3 amended, 3 of 3 at 108
        > 3 rests with 3
      book
        > sell 108: 3
      bob buys 1 at 108
        > 5 placed, 108 held
        > 1 at 108 with 3: bob pays 1, ann pays 1
        > 4 cancelled (listEnded), 3 left
        > 5 filled
      balances
        > ann: USD +107, BTC -1 (2 held)
        > bob: USD -208, BTC 0
        > cat: USD +99, BTC -1
        > fees: USD +2, BTC +2
    `));

  test("moves its stop alone, trigger price and limit price", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oco: sells 3 at 110 | sells 3 at 85 stop 90
        > list 1 of 3, 4
        > 3 placed, 3 held
        > 4 placed, 0 held
        > 4 waits for 90
        > 3 rests with 3
      ann amends 4 stop 95
        > 4 amended as it waits, 3 to trade at 85 from 95
      ann amends 4 at 94
        > 4 amended as it waits, 3 to trade at 94 from 95
      ann amends 4 at 93 stop 96
        > 4 amended as it waits, 3 to trade at 93 from 96
      bob buys 1 at 96
        > 5 placed, 96 held
        > 5 rests with 1
      cat sells 1 at 96
        > 6 placed, 1 held
        > 1 at 96 with 5: cat pays 1, bob pays 1
        > 5 filled
        > 6 filled
        > 3 cancelled (listEnded), 3 left
        > 4 activated with 3
        > 4 rests with 3
      book
        > sell 93: 3
    `));

  test("has one quantity: amending either order changes both", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oco: sells 3 at 110 | sells 3 at 85 stop 90
        > list 1 of 3, 4
        > 3 placed, 3 held
        > 4 placed, 0 held
        > 4 waits for 90
        > 3 rests with 3
      ann amends 3 to 5
        > 3 amended, 5 of 5 at 110, 2 held
        > 3 rests with 5
        > 4 amended as it waits, 5 to trade at 85 from 90
      ann amends 4 to 2
        > 3 amended, 2 of 2 at 110, in its place, 3 released
        > 4 amended as it waits, 2 to trade at 85 from 90
      balances
        > ann: USD 0, BTC 0 (2 held)
        > bob: USD -100, BTC 0
        > cat: USD +99, BTC -1
        > fees: USD +1, BTC +1
      bob buys 1 at 90
        > 5 placed, 90 held
        > 5 rests with 1
      cat sells 1 at 90
        > 6 placed, 1 held
        > 1 at 90 with 5: cat pays 1, bob pays 1
        > 5 filled
        > 6 filled
        > 3 cancelled (listEnded), 2 left
        > 4 activated with 2
        > 4 rests with 2
      book
        > sell 85: 2
    `));

  test("keeps the place of its limit order only with less quantity", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oco: sells 3 at 110 | sells 3 at 85 stop 90
        > list 1 of 3, 4
        > 3 placed, 3 held
        > 4 placed, 0 held
        > 4 waits for 90
        > 3 rests with 3
      bob sells 1 at 110
        > 5 placed, 1 held
        > 5 rests with 1
      ann amends 4 to 2
        > 3 amended, 2 of 2 at 110, in its place, 1 released
        > 4 amended as it waits, 2 to trade at 85 from 90
      cat buys 1 at 110
        > 6 placed, 110 held
        > 1 at 110 with 3: cat pays 1, ann pays 1
        > 4 cancelled (listEnded), 2 left
        > 6 filled
    `));

  test("to buy holds the larger of both needs, whichever order is amended", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oco: buys 3 at 90 | buys 3 at 115 stop 110
        > list 1 of 3, 4
        > 3 placed, 270 held
        > 4 placed, 75 held
        > 4 waits for 110
        > 3 rests with 3
      ann amends 3 at 95
        > 4 amended as it waits, 3 to trade at 115 from 110, 15 released
        > 3 amended, 3 of 3 at 95, 15 held
        > 3 rests with 3
      balances
        > ann: USD 0 (345 held), BTC 0
        > bob: USD -100, BTC 0
        > cat: USD +99, BTC -1
        > fees: USD +1, BTC +1
      ann amends 4 at 120
        > 4 amended as it waits, 3 to trade at 120 from 110, 15 held
      ann amends 4 at 92
        > 4 amended as it waits, 3 to trade at 92 from 110, 75 released
      balances
        > ann: USD 0 (285 held), BTC 0
        > bob: USD -100, BTC 0
        > cat: USD +99, BTC -1
        > fees: USD +1, BTC +1
      ann amends 4 to 2
        > 3 amended, 2 of 2 at 95, in its place, 95 released
        > 4 amended as it waits, 2 to trade at 92 from 110
      ann cancels 3
        > 3 cancelled, 2 left, 190 released
        > 4 cancelled (listEnded), 2 left
      balances
        > ann: USD 0, BTC 0
        > bob: USD -100, BTC 0
        > cat: USD +99, BTC -1
        > fees: USD +1, BTC +1
    `));

  test("holds what it needs when the stop is reached", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oco: buys 3 at 90 | buys 3 at 115 stop 110
        > list 1 of 3, 4
        > 3 placed, 270 held
        > 4 placed, 75 held
        > 4 waits for 110
        > 3 rests with 3
      ann amends 4 to 5 at 112 stop 108
        > 3 amended, 5 of 5 at 90, 180 held
        > 3 rests with 5
        > 4 amended as it waits, 5 to trade at 112 from 108, 35 held
      bob sells 1 at 108
        > 5 placed, 1 held
        > 5 rests with 1
      cat buys 1 at 108
        > 6 placed, 108 held
        > 1 at 108 with 5: cat pays 1, bob pays 1
        > 5 filled
        > 6 filled
        > 3 cancelled (listEnded), 5 left
        > 4 activated with 5
        > 4 rests with 5
      balances
        > ann: USD 0 (560 held), BTC 0
        > bob: USD +7, BTC -1
        > cat: USD -9, BTC -1
        > fees: USD +2, BTC +2
      book
        > buy 112: 5
    `));

  test("is refused what it cannot hold, and nothing changes", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      cat lists oco: buys 3 at 90 | buys 3 at 115 stop 110
        > list 1 of 3, 4
        > 3 placed, 270 held
        > 4 placed, 75 held
        > 4 waits for 110
        > 3 rests with 3
      cat amends 3 to 900
        > refused: insufficientAvailable
      cat amends 4 to 900
        > refused: insufficientAvailable
      cat amends 4 to 870
        > 3 amended, 870 of 870 at 90, 78030 held
        > 3 rests with 870
        > 4 amended as it waits, 870 to trade at 115 from 110, 21675 held
      balances
        > ann: USD 0, BTC 0
        > bob: USD -100, BTC 0
        > cat: USD +99 (100050 held), BTC -1
        > fees: USD +1, BTC +1
    `));

  test("does not trade at once", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      bob buys 1 at 99
        > 3 placed, 99 held
        > 3 rests with 1
      bob sells 1 at 111
        > 4 placed, 1 held
        > 4 rests with 1
      ann lists oco: sells 3 at 110 | sells 3 at 85 stop 90
        > list 1 of 5, 6
        > 5 placed, 3 held
        > 6 placed, 0 held
        > 6 waits for 90
        > 5 rests with 3
      ann amends 5 at 99
        > refused: wouldCross
      ann amends 5 at 98
        > refused: wouldCross
      ann amends 6 stop 100
        > refused: wouldTriggerAtOnce
      ann amends 6 stop 99
        > 6 amended as it waits, 3 to trade at 85 from 99
      ann amends 5 at 100
        > 5 amended, 3 of 3 at 100
        > 5 rests with 3
      book
        > sell 111: 1
        > sell 100: 3
        > buy 99: 1
    `));

  test("is refused what an order of its kind may not have, by either order", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oco: sells 9 at 110 showing 3 | sells 9 at market stop 90
        > list 1 of 3, 4
        > 3 placed, 9 held
        > 4 placed, 0 held
        > 4 waits for 90
        > 3 rests with 9, showing 3
      ann amends 4 to 3
        > refused: invalidDisplay
      ann amends 4 to 1001
        > refused: invalidDisplay
      ann amends 4 at 80
        > refused: invalidPrice
      ann amends 4 trail 300
        > refused: invalidTrigger
      ann amends 4 spending 400
        > refused: invalidAmount
      ann amends 3 stop 80
        > refused: invalidTrigger
      ann amends 3 trail 80
        > refused: invalidTrigger
      ann amends 3 spending 400
        > refused: invalidAmount
      ann amends 3
        > refused: nothingToChange
      ann amends 4 stop 90
        > refused: nothingToChange
      bob amends 3 to 4
        > refused: unknownOrder
      ann amends 4 to 6
        > 3 amended, 6 of 6 at 110, in its place, 3 released
        > 4 amended as it waits, 6 to trade from 90
      book
        > sell 110: 3
    `));

  test("is amended while its market gathers orders, and not while it halts", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oco: sells 3 at 110 | sells 3 at 85 stop 90
        > list 1 of 3, 4
        > 3 placed, 3 held
        > 4 placed, 0 held
        > 4 waits for 90
        > 3 rests with 3
      the market is halted
        > the market is halted
      ann amends 3 at 108
        > refused: marketNotTrading
      ann amends 4 stop 92
        > refused: marketNotTrading
      the market is auction
        > the market is auction
      ann amends 3 at 108
        > 3 amended, 3 of 3 at 108
        > 3 rests with 3
      ann amends 4 stop 92
        > 4 amended as it waits, 3 to trade at 85 from 92
      ann amends 4 stop 101
        > refused: wouldTriggerAtOnce
      the market is trading
        > the market is trading
      book
        > sell 108: 3
    `));
});

describe("an order that waits for its working order", () => {
  test("is amended in price and trigger, and goes to the market so", () =>
    play(`
      ann lists otoco: buys 3 at 100 | sells 3 at 120 | sells 3 at 85 stop 90
        > list 1 of 1, 2, 3
        > 1 placed, 300 held
        > 2 placed, 0 held
        > 2 waits
        > 3 placed, 0 held
        > 3 waits
        > 1 rests with 3
      ann amends 2 at 115
        > 2 amended as it waits, 3 to trade at 115
      ann amends 3 at 90 stop 95
        > 3 amended as it waits, 3 to trade at 90 from 95
      bob sells 3 at 100
        > 4 placed, 3 held
        > 3 at 100 with 1: bob pays 1, ann pays 1
        > 1 filled
        > 4 filled
        > 3 activated with 3
        > 3 waits for 95
        > 2 activated with 3, 3 held
        > 2 rests with 3
      book
        > sell 115: 3
      balances
        > ann: USD -300, BTC +2 (3 held)
        > bob: USD +299, BTC -3
        > cat: USD 0, BTC 0
        > fees: USD +1, BTC +1
    `));

  test("has one quantity with the other of its pair", () =>
    play(`
      ann lists otoco: buys 3 at 100 | sells 3 at 120 | sells 3 at market stop 90
        > list 1 of 1, 2, 3
        > 1 placed, 300 held
        > 2 placed, 0 held
        > 2 waits
        > 3 placed, 0 held
        > 3 waits
        > 1 rests with 3
      ann amends 3 to 2
        > 2 amended as it waits, 2 to trade at 120
        > 3 amended as it waits, 2 to trade from 90
      ann amends 2 to 1001
        > refused: quantityTooLarge
      bob sells 3 at 100
        > 4 placed, 3 held
        > 3 at 100 with 1: bob pays 1, ann pays 1
        > 1 filled
        > 4 filled
        > 3 activated with 2
        > 3 waits for 90
        > 2 activated with 2, 2 held
        > 2 rests with 2
    `));

  test("has no quantity of its own where it takes what that receives", () =>
    play(`
      ann lists oto: buys 3 at 100 | sells 0 at 120
        > list 1 of 1, 2
        > 1 placed, 300 held
        > 2 placed, 0 held
        > 2 waits
        > 1 rests with 3
      ann amends 2 to 2
        > refused: invalidQuantity
      ann amends 2 at 121
        > 2 amended as it waits at 121
      bob sells 3 at 100
        > 3 placed, 3 held
        > 3 at 100 with 1: bob pays 1, ann pays 1
        > 1 filled
        > 3 filled
        > 2 activated with 2, 2 held
        > 2 rests with 2
    `));

  test("is not triggered by the very fill that sets it free", () =>
    play(`
      ann lists otoco: buys 3 at 100 | sells 0 at 120 | sells 0 at market stop 90
        > list 1 of 1, 2, 3
        > 1 placed, 300 held
        > 2 placed, 0 held
        > 2 waits
        > 3 placed, 0 held
        > 3 waits
        > 1 rests with 3
      ann amends 3 stop 100
        > refused: wouldTriggerAtOnce
      ann amends 3 stop 99
        > 3 amended as it waits from 99
      ann amends 1 at 99
        > refused: wouldTriggerAtOnce
      ann amends 1 at 101
        > 1 amended, 3 of 3 at 101, 3 held
        > 1 rests with 3
      bob sells 3 at 101
        > 4 placed, 3 held
        > 3 at 101 with 1: bob pays 1, ann pays 1
        > 1 filled
        > 4 filled
        > 3 activated with 2
        > 3 waits for 99
        > 2 activated with 2, 2 held
        > 2 rests with 2
    `));

  test("stays on the other side of its pair", () =>
    play(`
      ann lists otoco: sells 3 at 100 | buys 3 at 80 | buys 3 at market stop 110
        > list 1 of 1, 2, 3
        > 1 placed, 3 held
        > 2 placed, 0 held
        > 2 waits
        > 3 placed, 0 held
        > 3 waits
        > 1 rests with 3
      ann amends 2 at 110
        > refused: invalidList
      ann amends 3 stop 80
        > refused: invalidList
      ann amends 2 at 109
        > 2 amended as it waits, 3 to trade at 109
      ann amends 3 to 4
        > 2 amended as it waits, 4 to trade at 109
        > 3 amended as it waits, 4 to trade from 110
    `));

  test("takes another distance, from the price at which its working order fills", () =>
    play(`
      ann lists oto: buys 3 at 100 | sells 0 at market trail 500
        > list 1 of 1, 2
        > 1 placed, 300 held
        > 2 placed, 0 held
        > 2 waits
        > 1 rests with 3
      ann amends 2 trail 300
        > 2 amended as it waits
      ann amends 2 trail 10000
        > refused: invalidTrigger
      bob sells 3 at 100
        > 3 placed, 3 held
        > 3 at 100 with 1: bob pays 1, ann pays 1
        > 1 filled
        > 3 filled
        > 2 activated with 2, 2 held
        > 2 waits for 97
    `));
});

describe("a stop alone", () => {
  test("is amended in trigger, price and quantity, and holds the difference", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann buys 3 at 115 stop 110
        > 3 placed, 345 held
        > 3 waits for 110
      ann amends 3 at 112
        > 3 amended as it waits, 3 to trade at 112 from 110, 9 released
      ann amends 3 stop 108
        > 3 amended as it waits, 3 to trade at 112 from 108
      ann amends 3 to 5
        > 3 amended as it waits, 5 to trade at 112 from 108, 224 held
      ann amends 3 stop 100
        > refused: wouldTriggerAtOnce
      ann amends 3 to 900
        > refused: insufficientAvailable
      ann amends 3
        > refused: nothingToChange
      bob sells 5 at 108
        > 4 placed, 5 held
        > 4 rests with 5
      cat buys 1 at 108
        > 5 placed, 108 held
        > 1 at 108 with 4: cat pays 1, bob pays 1
        > 5 filled
        > 3 activated with 5
        > 4 at 108 with 4: ann pays 1, bob pays 1, 16 released
        > 4 filled
        > 3 rests with 1
      balances
        > ann: USD -432 (112 held), BTC +3
        > bob: USD +438, BTC -5
        > cat: USD -9, BTC -1
        > fees: USD +3, BTC +3
    `));

  test("at the market holds its quantity at the new cap", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann buys 3 at market stop 110
        > 3 placed, 348 held
        > 3 waits for 110
      ann amends 3 stop 120
        > 3 amended as it waits, 3 to trade from 120, 30 held
      ann amends 3 to 2
        > 3 amended as it waits, 2 to trade from 120, 126 released
      ann amends 3 at 120
        > refused: invalidPrice
    `));

  test("by total spends another one", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann spends 500 at market stop 110
        > 3 placed, 500 held
        > 3 waits for 110
      ann amends 3 spending 400
        > 3 amended as it waits, 400 in total from 110, 100 released
      ann amends 3 spending 0
        > refused: invalidAmount
      ann amends 3 spending 5
        > refused: notionalTooSmall
      ann amends 3 to 4
        > refused: invalidQuantity
      bob sells 9 at 110
        > 4 placed, 9 held
        > 4 rests with 9
      cat buys 1 at 110
        > 5 placed, 110 held
        > 1 at 110 with 4: cat pays 1, bob pays 1
        > 5 filled
        > 3 activated with 0
        > 3 at 110 with 4: ann pays 1, bob pays 1
        > 3 filled, 70 released
    `));

  test("that trails keeps the best price that it has followed", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann sells 3 at market trail 1000
        > 3 placed, 3 held
        > 3 waits for 90
      bob buys 1 at 120
        > 4 placed, 120 held
        > 4 rests with 1
      cat sells 1 at 120
        > 5 placed, 1 held
        > 1 at 120 with 4: cat pays 1, bob pays 1
        > 4 filled
        > 5 filled
      bob buys 1 at 115
        > 6 placed, 115 held
        > 6 rests with 1
      cat sells 1 at 115
        > 7 placed, 1 held
        > 1 at 115 with 6: cat pays 1, bob pays 1
        > 6 filled
        > 7 filled
      ann amends 3 trail 500
        > 3 amended as it waits, 3 to trade from 114
      ann amends 3 trail 400
        > refused: wouldTriggerAtOnce
      ann amends 3 stop 90
        > refused: invalidTrigger
      bob buys 5 at 114
        > 8 placed, 570 held
        > 8 rests with 5
      cat sells 1 at 114
        > 9 placed, 1 held
        > 1 at 114 with 8: cat pays 1, bob pays 1
        > 9 filled
        > 3 activated with 3
        > 3 at 114 with 8: ann pays 1, bob pays 1
        > 3 filled
    `));
});

describe("the price of an order in the book", () => {
  test("of an iceberg: it trades with all it has where it crosses, and shows a part of the rest", () =>
    play(`
      ann sells 9 at 105 showing 3
        > 1 placed, 9 held
        > 1 rests with 9, showing 3
      bob buys 5 at 100
        > 2 placed, 500 held
        > 2 rests with 5
      ann amends 1 at 104
        > 1 amended, 9 of 9 at 104
        > 1 rests with 9, showing 3
      ann amends 1 at 100
        > 1 amended, 9 of 9 at 100
        > 5 at 100 with 2: ann pays 1, bob pays 1
        > 2 filled
        > 1 rests with 4, showing 3
      book
        > sell 100: 3
    `));

  test("of a working order: its fill sets the pending order free", () =>
    play(`
      ann lists oto: buys 3 at 100 | sells 0 at 120
        > list 1 of 1, 2
        > 1 placed, 300 held
        > 2 placed, 0 held
        > 2 waits
        > 1 rests with 3
      bob sells 2 at 103
        > 3 placed, 2 held
        > 3 rests with 2
      ann amends 1 at 103
        > 1 amended, 3 of 3 at 103, 9 held
        > 2 at 103 with 3: ann pays 1, bob pays 1
        > 3 filled
        > 1 rests with 1
      book
        > buy 103: 1
      bob sells 1 at 103
        > 4 placed, 1 held
        > 1 at 103 with 1: bob pays 1, ann pays 1
        > 1 filled
        > 4 filled
        > 2 activated with 1, 1 held
        > 2 rests with 1
      book
        > sell 120: 1
    `));
});

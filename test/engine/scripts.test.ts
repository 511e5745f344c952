import { describe, expect, test } from "vitest";
import { runScript, scriptText, type ScriptOptions } from "./script.ts";

function play(script: string, options?: ScriptOptions): void {
  expect(runScript(script, options)).toBe(scriptText(script));
}

describe("limit orders", () => {
  test("an order that meets no other waits in the book and holds what it may cost", () =>
    play(`
      ann buys 3 at 100
        > 1 placed, 300 held
        > 1 rests with 3
      bob sells 2 at 105
        > 2 placed, 2 held
        > 2 rests with 2
      book
        > sell 105: 2
        > buy 100: 3
      balances
        > ann: USD 0 (300 held), BTC 0
        > bob: USD 0, BTC 0 (2 held)
        > cat: USD 0, BTC 0
        > fees: USD 0, BTC 0
    `));

  test("the best price trades first, then the oldest order at a price", () =>
    play(`
      ann sells 5 at 101
        > 1 placed, 5 held
        > 1 rests with 5
      bob sells 5 at 100
        > 2 placed, 5 held
        > 2 rests with 5
      ann sells 5 at 100
        > 3 placed, 5 held
        > 3 rests with 5
      cat buys 12 at 101
        > 4 placed, 1212 held
        > 5 at 100 with 2: cat pays 1, bob pays 1, 5 released
        > 2 filled
        > 5 at 100 with 3: cat pays 1, ann pays 1, 5 released
        > 3 filled
        > 2 at 101 with 1: cat pays 1, ann pays 1
        > 4 filled
      book
        > sell 101: 3
      balances
        > ann: USD +700, BTC -7 (3 held)
        > bob: USD +499, BTC -5
        > cat: USD -1202, BTC +9
        > fees: USD +3, BTC +3
    `));

  test("a buyer gets the maker's better price and the difference back at once", () =>
    play(`
      bob sells 10 at 90
        > 1 placed, 10 held
        > 1 rests with 10
      ann buys 4 at 100
        > 2 placed, 400 held
        > 4 at 90 with 1: ann pays 1, bob pays 1, 40 released
        > 2 filled
      balances
        > ann: USD -360, BTC +3
        > bob: USD +359, BTC -4 (6 held)
        > cat: USD 0, BTC 0
        > fees: USD +1, BTC +1
    `));

  test("what an order cannot trade at once waits at its limit", () =>
    play(`
      bob sells 2 at 100
        > 1 placed, 2 held
        > 1 rests with 2
      ann buys 5 at 100
        > 2 placed, 500 held
        > 2 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 rests with 3
      book
        > buy 100: 3
      balances
        > ann: USD -200 (300 held), BTC +1
        > bob: USD +199, BTC -2
        > cat: USD 0, BTC 0
        > fees: USD +1, BTC +1
    `));

  test("a cancelled order gives back what it held, its queue keeps its order", () =>
    play(`
      ann buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      bob buys 2 at 100
        > 2 placed, 200 held
        > 2 rests with 2
      cat buys 3 at 100
        > 3 placed, 300 held
        > 3 rests with 3
      bob cancels 2
        > 2 cancelled, 2 left, 200 released
      bob cancels 2
        > refused: unknownOrder
      ann cancels 3
        > refused: unknownOrder
      cat sells 1 at 100
        > 4 placed, 1 held
        > 1 at 100 with 1: cat pays 1, ann pays 1
        > 1 filled
        > 4 filled
      book
        > buy 100: 3
    `));

  test("cancelling all ends each order of the account, oldest first", () =>
    play(`
      ann buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      bob buys 1 at 100
        > 2 placed, 100 held
        > 2 rests with 1
      ann sells 1 at 110
        > 3 placed, 1 held
        > 3 rests with 1
      ann cancels all
        > 1 cancelled, 1 left, 100 released
        > 3 cancelled, 1 left, 1 released
      ann cancels all
        > refused: unknownOrder
      book
        > buy 100: 1
      balances
        > ann: USD 0, BTC 0
        > bob: USD 0 (100 held), BTC 0
        > cat: USD 0, BTC 0
        > fees: USD 0, BTC 0
    `));

  test("a price far away from all others is kept and found", () =>
    play(`
      ann sells 1 at 99000
        > 1 placed, 1 held
        > 1 rests with 1
      ann sells 1 at 40000
        > 2 placed, 1 held
        > 2 rests with 1
      bob buys 1 at 50
        > 3 placed, 50 held
        > 3 rests with 1
      bob buys 1 at 20000
        > 4 placed, 20000 held
        > 4 rests with 1
      cat sells 2 at 10
        > 5 placed, 2 held
        > 1 at 20000 with 4: cat pays 40, bob pays 1
        > 4 filled
        > 1 at 50 with 3: cat pays 1, bob pays 1
        > 3 filled
        > 5 filled
      book
        > sell 99000: 1
        > sell 40000: 1
    `));
});

describe("time in force", () => {
  test("immediate or cancel trades what it can and never waits", () =>
    play(`
      bob sells 2 at 100
        > 1 placed, 2 held
        > 1 rests with 2
      ann buys 5 at 100 ioc
        > 2 placed, 500 held
        > 2 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 expired, 3 left, 300 released
      ann buys 5 at 100 ioc
        > 3 placed, 500 held
        > 3 expired, 5 left, 500 released
      book
        > empty
    `));

  test("fill or kill trades all of it or is refused", () =>
    play(`
      bob sells 2 at 100
        > 1 placed, 2 held
        > 1 rests with 2
      bob sells 2 at 101
        > 2 placed, 2 held
        > 2 rests with 2
      ann buys 5 at 101 fok
        > refused: wouldNotFill
      ann buys 4 at 100 fok
        > refused: wouldNotFill
      ann buys 4 at 101 fok
        > 3 placed, 404 held
        > 2 at 100 with 1: ann pays 1, bob pays 1, 2 released
        > 1 filled
        > 2 at 101 with 2: ann pays 1, bob pays 1
        > 2 filled
        > 3 filled
    `));

  test("post-only order that would cross is refused, one that would not rests", () =>
    play(`
      bob sells 2 at 100
        > 1 placed, 2 held
        > 1 rests with 2
      ann buys 1 at 100 post-only
        > refused: wouldCross
      ann buys 1 at 99 post-only
        > 2 placed, 99 held
        > 2 rests with 1
      cat sells 1 at 99 post-only
        > refused: wouldCross
      book
        > sell 100: 2
        > buy 99: 1
    `));
});

describe("market orders", () => {
  test("by quantity holds exactly what the book asks for, level by level", () =>
    play(`
      bob sells 2 at 100
        > 1 placed, 2 held
        > 1 rests with 2
      bob sells 2 at 110
        > 2 placed, 2 held
        > 2 rests with 2
      ann buys 3 at market
        > 3 placed, 310 held
        > 2 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 1 at 110 with 2: ann pays 1, bob pays 1
        > 3 filled
      ann buys 9 at market
        > 4 placed, 110 held
        > 1 at 110 with 2: ann pays 1, bob pays 1
        > 2 filled
        > 4 expired, 8 left
      ann buys 1 at market
        > refused: noLiquidity
    `));

  test("by quote amount buys as many lots as it pays for and returns the rest", () =>
    play(`
      bob sells 2 at 100
        > 1 placed, 2 held
        > 1 rests with 2
      bob sells 5 at 110
        > 2 placed, 5 held
        > 2 rests with 5
      ann spends 350 at market
        > 3 placed, 350 held
        > 2 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 1 at 110 with 2: ann pays 1, bob pays 1
        > 3 filled, 40 released
      ann spends 50 at market
        > refused: notionalTooSmall
      ann spends 10000 at market
        > 4 placed, 10000 held
        > 4 at 110 with 2: ann pays 1, bob pays 1
        > 2 filled
        > 4 expired, 9560 released
    `));

  test("by quote amount sells until one lot more would bring too much", () =>
    play(`
      bob buys 2 at 100
        > 1 placed, 200 held
        > 1 rests with 2
      bob buys 5 at 90
        > 2 placed, 450 held
        > 2 rests with 5
      ann receives 390 at market
        > 3 placed, 4 held
        > 2 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 at 90 with 2: ann pays 1, bob pays 1
        > 3 filled
      book
        > buy 90: 3
    `));

  test("selling for a quote amount continues at a worse price that still fits", () =>
    play(`
      bob buys 4 at 95
        > 1 placed, 380 held
        > 1 rests with 4
      bob buys 5 at 10
        > 2 placed, 50 held
        > 2 rests with 5
      ann receives 391 at market
        > 3 placed, 5 held
        > 4 at 95 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 1 at 10 with 2: ann pays 1, bob pays 1
        > 3 filled
      book
        > buy 10: 4
    `));
});

describe("no account trades with itself", () => {
  test("the rest of an order that meets its own account expires", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      ann sells 2 at 100
        > 2 placed, 2 held
        > 2 rests with 2
      bob sells 3 at 100
        > 3 placed, 3 held
        > 3 rests with 3
      ann buys 5 at 100
        > 4 placed, 500 held
        > 1 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 4 expired (selfTrade), 4 left, 400 released
      book
        > sell 100: 5
      balances
        > ann: USD -100, BTC 0 (2 held)
        > bob: USD +99, BTC -1 (3 held)
        > cat: USD 0, BTC 0
        > fees: USD +1, BTC +1
    `));

  test("fill or kill behind an own order is refused", () =>
    play(`
      ann sells 2 at 100
        > 1 placed, 2 held
        > 1 rests with 2
      bob sells 3 at 100
        > 2 placed, 3 held
        > 2 rests with 3
      ann buys 3 at 100 fok
        > refused: wouldNotFill
      cat buys 3 at 100 fok
        > 3 placed, 300 held
        > 2 at 100 with 1: cat pays 1, ann pays 1
        > 1 filled
        > 1 at 100 with 2: cat pays 1, bob pays 1
        > 3 filled
    `));
});

describe("limits and refusals", () => {
  test("no account spends what it does not have", () =>
    play(`
      ann buys 1000 at 101
        > refused: insufficientAvailable
      ann buys 999 at 100
        > 1 placed, 99900 held
        > 1 rests with 999
      ann buys 1 at 101
        > refused: insufficientAvailable
      bob sells 1000 at 100
        > 2 placed, 1000 held
        > 999 at 100 with 1: bob pays 200, ann pays 1
        > 1 filled
        > 2 rests with 1
      bob sells 1 at 100
        > refused: insufficientAvailable
    `));

  test("an account has at most as many open orders as its plan allows", () =>
    play(
      `
      ann buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      ann buys 1 at 101
        > 2 placed, 101 held
        > 2 rests with 1
      ann buys 1 at 102
        > refused: tooManyOpenOrders
      ann sells 1 at 101 ioc
        > 3 placed, 1 held
        > 3 expired (selfTrade), 1 left, 1 released
      ann cancels 1
        > 1 cancelled, 1 left, 100 released
      ann buys 1 at 102
        > 4 placed, 102 held
        > 4 rests with 1
    `,
      { openOrdersMax: 2 },
    ));

  test("orders too small, too large or without a price are refused", () =>
    play(`
      ann buys 1 at 9
        > refused: notionalTooSmall
      ann buys 1001 at 10
        > refused: quantityTooLarge
      ann buys 0 at 100
        > refused: invalidQuantity
      ann buys 1.5 at 100
        > refused: invalidQuantity
      ann buys 1 at 0
        > refused: invalidPrice
      ann buys 1 at -1
        > refused: invalidPrice
      ann buys 1 at market
        > refused: noLiquidity
      ann buys 1000 at 9007199254741
        > refused: notionalTooLarge
    `));
});

describe("client order ids", () => {
  test("placing twice places once, with other terms it is refused", () =>
    play(`
      ann buys 1 at 100 as one
        > 1 placed, 100 held
        > 1 rests with 1
      ann buys 1 at 100 as one
        > already placed as 1
      ann buys 2 at 100 as one
        > refused: duplicateClientOrderId
      bob buys 1 at 100 as one
        > 2 placed, 100 held
        > 2 rests with 1
      book
        > buy 100: 2
    `));

  test("an id is free again three days after its order was placed, once that has ended", () =>
    play(`
      ann buys 1 at 100 as open
        > 1 placed, 100 held
        > 1 rests with 1
      ann buys 1 at 101 as ended
        > 2 placed, 101 held
        > 2 rests with 1
      ann cancels 2
        > 2 cancelled, 1 left, 101 released
      a day passes
      ann buys 1 at 101 as ended
        > already placed as 2
      three days pass
      ann buys 1 at 101 as ended
        > 3 placed, 101 held
        > 3 rests with 1
      ann buys 1 at 100 as open
        > already placed as 1
      ann cancels 1
        > 1 cancelled, 1 left, 100 released
      ann buys 1 at 100 as open
        > 4 placed, 100 held
        > 4 rests with 1
    `));
});

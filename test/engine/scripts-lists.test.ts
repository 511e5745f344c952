import { describe, expect, test } from "vitest";
import { runScript, scriptText, type ScriptOptions } from "./script.ts";

function play(script: string, options?: ScriptOptions): void {
  expect(runScript(script, options)).toBe(scriptText(script));
}

describe("one cancels the other", () => {
  test("the first trade of the limit order ends the trigger order", () =>
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
      balances
        > ann: USD 0, BTC 0 (3 held)
        > bob: USD -100, BTC 0
        > cat: USD +99, BTC -1
        > fees: USD +1, BTC +1
      bob buys 1 at 110
        > 5 placed, 110 held
        > 1 at 110 with 3: bob pays 1, ann pays 1
        > 4 cancelled (listEnded), 3 left
        > 5 filled
      balances
        > ann: USD +109, BTC -1 (2 held)
        > bob: USD -210, BTC 0
        > cat: USD +99, BTC -1
        > fees: USD +2, BTC +2
    `));

  test("the trigger ends the limit order and takes over its hold", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      bob buys 5 at 89
        > 3 placed, 445 held
        > 3 rests with 5
      ann lists oco: sells 3 at 110 | sells 3 at market stop 90
        > list 1 of 4, 5
        > 4 placed, 3 held
        > 5 placed, 0 held
        > 5 waits for 90
        > 4 rests with 3
      cat sells 1 at 89
        > 6 placed, 1 held
        > 1 at 89 with 3: cat pays 1, bob pays 1
        > 6 filled
        > 4 cancelled (listEnded), 3 left
        > 5 activated with 3
        > 3 at 89 with 3: ann pays 1, bob pays 1
        > 5 filled
      balances
        > ann: USD +266, BTC -3
        > bob: USD -456 (89 held), BTC +2
        > cat: USD +187, BTC -2
        > fees: USD +3, BTC +3
    `));

  test("the larger of both holds is held, once, and goes back as a whole", () =>
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
      balances
        > ann: USD 0 (345 held), BTC 0
        > bob: USD -100, BTC 0
        > cat: USD +99, BTC -1
        > fees: USD +1, BTC +1
      ann cancels 4
        > 4 cancelled, 3 left, 75 released
        > 3 cancelled (listEnded), 3 left, 270 released
      balances
        > ann: USD 0, BTC 0
        > bob: USD -100, BTC 0
        > cat: USD +99, BTC -1
        > fees: USD +1, BTC +1
    `));

  test("the hold passes to the trigger order without a movement", () =>
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
      bob sells 1 at 110
        > 5 placed, 1 held
        > 5 rests with 1
      cat buys 1 at 110
        > 6 placed, 110 held
        > 1 at 110 with 5: cat pays 1, bob pays 1
        > 5 filled
        > 6 filled
        > 3 cancelled (listEnded), 3 left
        > 4 activated with 3
        > 4 rests with 3
      balances
        > ann: USD 0 (345 held), BTC 0
        > bob: USD +9, BTC -1
        > cat: USD -11, BTC -1
        > fees: USD +2, BTC +2
      book
        > buy 115: 3
    `));

  test("where the trigger order needs less it holds nothing of its own", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oco: buys 3 at 99 | buys 3 at 92 take-profit 95
        > list 1 of 3, 4
        > 3 placed, 297 held
        > 4 placed, 0 held
        > 4 waits for 95
        > 3 rests with 3
      bob buys 1 at 95
        > 5 placed, 95 held
        > 5 rests with 1
      cat sells 4 at 95
        > 6 placed, 4 held
        > 3 at 99 with 3: cat pays 1, ann pays 1
        > 4 cancelled (listEnded), 3 left
        > 3 filled
        > 1 at 95 with 5: cat pays 1, bob pays 1
        > 5 filled
        > 6 filled
      balances
        > ann: USD -297, BTC +2
        > bob: USD -195, BTC 0
        > cat: USD +489, BTC -5
        > fees: USD +3, BTC +3
    `));

  test("what the trigger order does not need goes back when it is reached", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oco: buys 3 at 90 | buys 3 at 85 take-profit 95
        > list 1 of 3, 4
        > 3 placed, 270 held
        > 4 placed, 0 held
        > 4 waits for 95
        > 3 rests with 3
      bob buys 1 at 95
        > 5 placed, 95 held
        > 5 rests with 1
      cat sells 1 at 95
        > 6 placed, 1 held
        > 1 at 95 with 5: cat pays 1, bob pays 1
        > 5 filled
        > 6 filled
        > 3 cancelled (listEnded), 3 left, 15 released
        > 4 activated with 3
        > 4 rests with 3
      balances
        > ann: USD 0 (255 held), BTC 0
        > bob: USD -195, BTC 0
        > cat: USD +193, BTC -2
        > fees: USD +2, BTC +2
    `));

  test("the limit order may trade at once, which ends the other", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      bob buys 1 at 89
        > 3 placed, 89 held
        > 3 rests with 1
      ann buys 1 at 85
        > 4 placed, 85 held
        > 4 rests with 1
      ann cancels 4
        > 4 cancelled, 1 left, 85 released
      ann lists oco: sells 1 at 89 | sells 1 at market stop 89
        > list 1 of 5, 6
        > 5 placed, 1 held
        > 6 placed, 0 held
        > 6 waits for 89
        > 1 at 89 with 3: ann pays 1, bob pays 1
        > 6 cancelled (listEnded), 1 left
        > 3 filled
        > 5 filled
      bob buys 1 at 88
        > 7 placed, 88 held
        > 7 rests with 1
    `));

  test("where one command reaches both, the trade of the limit order decides", () =>
    play(`
      cat sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      bob buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: bob pays 1, cat pays 1
        > 1 filled
        > 2 filled
      ann lists oco: sells 2 at 103 | sells 2 at market take-profit 102
        > list 1 of 3, 4
        > 3 placed, 2 held
        > 4 placed, 0 held
        > 4 waits for 102
        > 3 rests with 2
      cat sells 1 at 102
        > 5 placed, 1 held
        > 5 rests with 1
      bob buys 2 at 103
        > 6 placed, 206 held
        > 1 at 102 with 5: bob pays 1, cat pays 1, 1 released
        > 5 filled
        > 1 at 103 with 3: bob pays 1, ann pays 1
        > 4 cancelled (listEnded), 2 left
        > 6 filled
      balances
        > ann: USD +102, BTC -1 (1 held)
        > bob: USD -305, BTC 0
        > cat: USD +200, BTC -2
        > fees: USD +3, BTC +3
    `));

  test("needs one side, one quantity, a limit and a trigger, and their hold", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oco: sells 3 at 110 | buys 3 at 120 stop 115
        > refused: invalidList
      ann lists oco: sells 3 at 110 | sells 2 at 80 stop 90
        > refused: invalidList
      ann lists oco: sells 3 at 110 | sells 3 at 120
        > refused: invalidList
      ann lists oco: sells 3 at 110 ioc | sells 3 at 80 stop 90
        > refused: invalidList
      ann lists oco: sells 3 at 110 | sells 3 at 80 stop 101
        > refused: wouldTriggerAtOnce
      ann lists oco: sells 1001 at 110 | sells 1001 at 80 stop 90
        > refused: quantityTooLarge
      ann lists oco: buys 900 at 99 | buys 900 at 130 stop 120
        > refused: insufficientAvailable
    `));

  test("its orders are not replaced; cancelling one ends both", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oco: sells 3 at 110 | sells 3 at 80 stop 90
        > list 1 of 3, 4
        > 3 placed, 3 held
        > 4 placed, 0 held
        > 4 waits for 90
        > 3 rests with 3
      ann amends 3 to 2 as of old
        > refused: invalidList
      ann amends 4 to 2 as of old
        > refused: orderNotResting
      ann replaces 3: sells 3 at 111
        > refused: invalidReplacement
      ann cancels 3
        > 3 cancelled, 3 left, 3 released
        > 4 cancelled (listEnded), 3 left
    `));
});

describe("one triggers the other", () => {
  test("the pending order is placed when the working order has filled completely", () =>
    play(`
      ann lists oto: buys 3 at 100 | sells 3 at 110
        > list 1 of 1, 2
        > 1 placed, 300 held
        > 2 placed, 0 held
        > 2 waits
        > 1 rests with 3
      bob sells 1 at 100
        > 3 placed, 1 held
        > 1 at 100 with 1: bob pays 1, ann pays 1
        > 3 filled
      bob sells 2 at 100
        > 4 placed, 2 held
        > 2 at 100 with 1: bob pays 1, ann pays 1
        > 1 filled
        > 4 filled
        > 2 activated with 3, 3 held
        > 2 rests with 3
      balances
        > ann: USD -300, BTC +1 (3 held)
        > bob: USD +298, BTC -3
        > cat: USD 0, BTC 0
        > fees: USD +2, BTC +2
      book
        > sell 110: 3
    `));

  test("an open quantity becomes what was received after the fee, in whole lots", () =>
    play(`
      ann lists oto: buys 3 at 100 | sells 0 at 110
        > list 1 of 1, 2
        > 1 placed, 300 held
        > 2 placed, 0 held
        > 2 waits
        > 1 rests with 3
      bob sells 3 at 100
        > 3 placed, 3 held
        > 3 at 100 with 1: bob pays 1, ann pays 1
        > 1 filled
        > 3 filled
        > 2 activated with 2, 2 held
        > 2 rests with 2
      book
        > sell 110: 2
    `));

  test("an open quantity to buy becomes what the proceeds buy at the price", () =>
    play(`
      ann lists oto: sells 3 at 100 | buys 0 at 90
        > list 1 of 1, 2
        > 1 placed, 3 held
        > 2 placed, 0 held
        > 2 waits
        > 1 rests with 3
      bob buys 3 at 100
        > 3 placed, 300 held
        > 3 at 100 with 1: bob pays 1, ann pays 1
        > 1 filled
        > 3 filled
        > 2 activated with 3, 270 held
        > 2 rests with 3
      book
        > buy 90: 3
    `));

  test("the pending order ends where the working order ends otherwise", () =>
    play(`
      ann lists oto: buys 3 at 100 | sells 3 at 110
        > list 1 of 1, 2
        > 1 placed, 300 held
        > 2 placed, 0 held
        > 2 waits
        > 1 rests with 3
      bob sells 1 at 100
        > 3 placed, 1 held
        > 1 at 100 with 1: bob pays 1, ann pays 1
        > 3 filled
      ann cancels 1
        > 1 cancelled, 2 left, 200 released
        > 2 cancelled (listEnded), 3 left
    `));

  test("cancelling the pending order ends the working one", () =>
    play(`
      ann lists oto: buys 3 at 100 | sells 3 at 110
        > list 1 of 1, 2
        > 1 placed, 300 held
        > 2 placed, 0 held
        > 2 waits
        > 1 rests with 3
      ann cancels 2
        > 2 cancelled, 3 left
        > 1 cancelled (listEnded), 3 left, 300 released
      book
        > empty
    `));

  test("a pending order that cannot be placed ends with the refusal as its reason", () =>
    play(`
      ann lists oto: buys 3 at 100 | sells 3 at 110 stop 101
        > list 1 of 1, 2
        > 1 placed, 300 held
        > 2 placed, 0 held
        > 2 waits
        > 1 rests with 3
      bob sells 3 at 100
        > 3 placed, 3 held
        > 3 at 100 with 1: bob pays 1, ann pays 1
        > 1 filled
        > 3 filled
        > 2 expired (wouldTriggerAtOnce), 3 left
    `));

  test("a working order at the market sets the pending one free at once", () =>
    play(`
      bob sells 3 at 100
        > 1 placed, 3 held
        > 1 rests with 3
      ann lists oto: buys 3 at market | sells 0 at market stop 95
        > list 1 of 2, 3
        > 2 placed, 300 held
        > 3 placed, 0 held
        > 3 waits
        > 3 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled
        > 3 activated with 2, 2 held
        > 3 waits for 95
    `));

  test("less than a lot received is no quantity", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      ann lists oto: buys 1 at 100 | sells 0 at 110
        > list 1 of 2, 3
        > 2 placed, 100 held
        > 3 placed, 0 held
        > 3 waits
        > 1 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled
        > 3 expired (invalidQuantity)
    `));
});

describe("a bracket", () => {
  test("the pair is live when the working order has filled", () =>
    play(`
      bob sells 9 at 100
        > 1 placed, 9 held
        > 1 rests with 9
      ann lists otoco: buys 3 at 100 | sells 0 at 110 | sells 0 at market stop 95
        > list 1 of 2, 3, 4
        > 2 placed, 300 held
        > 3 placed, 0 held
        > 3 waits
        > 4 placed, 0 held
        > 4 waits
        > 3 at 100 with 1: ann pays 1, bob pays 1
        > 2 filled
        > 4 activated with 2
        > 4 waits for 95
        > 3 activated with 2, 2 held
        > 3 rests with 2
      balances
        > ann: USD -300, BTC +2 (2 held)
        > bob: USD +299, BTC -3 (6 held)
        > cat: USD 0, BTC 0
        > fees: USD +1, BTC +1
      bob buys 1 at 95
        > 5 placed, 95 held
        > 5 rests with 1
      bob buys 5 at 94
        > 6 placed, 470 held
        > 6 rests with 5
      cat sells 1 at 95
        > 7 placed, 1 held
        > 1 at 95 with 5: cat pays 1, bob pays 1
        > 5 filled
        > 7 filled
        > 3 cancelled (listEnded), 2 left
        > 4 activated with 2
        > 2 at 94 with 6: ann pays 1, bob pays 1
        > 4 filled
      balances
        > ann: USD -113, BTC 0
        > bob: USD +16 (282 held), BTC -2 (6 held)
        > cat: USD +94, BTC -1
        > fees: USD +3, BTC +3
    `));

  test("a take-profit that fills at once ends the stop", () =>
    play(`
      bob sells 3 at 100
        > 1 placed, 3 held
        > 1 rests with 3
      cat buys 2 at 98
        > 2 placed, 196 held
        > 2 rests with 2
      ann lists otoco: buys 3 at 100 | sells 2 at 97 | sells 2 at 80 stop 90
        > list 1 of 3, 4, 5
        > 3 placed, 300 held
        > 4 placed, 0 held
        > 4 waits
        > 5 placed, 0 held
        > 5 waits
        > 3 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 3 filled
        > 5 activated with 2
        > 5 waits for 90
        > 4 activated with 2, 2 held
        > 2 at 98 with 2: ann pays 1, cat pays 1
        > 5 cancelled (listEnded), 2 left
        > 2 filled
        > 4 filled
      balances
        > ann: USD -105, BTC 0
        > bob: USD +299, BTC -3
        > cat: USD -196, BTC +1
        > fees: USD +2, BTC +2
    `));

  test("where one of the pair is refused both end", () =>
    play(`
      ann lists otoco: buys 3 at 100 | sells 2 at 110 | sells 2 at 90 stop 105
        > list 1 of 1, 2, 3
        > 1 placed, 300 held
        > 2 placed, 0 held
        > 2 waits
        > 3 placed, 0 held
        > 3 waits
        > 1 rests with 3
      bob sells 3 at 100
        > 4 placed, 3 held
        > 3 at 100 with 1: bob pays 1, ann pays 1
        > 1 filled
        > 4 filled
        > 3 expired (wouldTriggerAtOnce), 2 left
        > 2 cancelled (listEnded), 2 left
    `));
});

describe("lists", () => {
  test("a working order that is amended in quantity brings its pending order more", () =>
    play(`
      ann lists oto: buys 3 at 100 | sells 0 at 110
        > list 1 of 1, 2
        > 1 placed, 300 held
        > 2 placed, 0 held
        > 2 waits
        > 1 rests with 3
      ann amends 1 at 101 as of old
        > refused: invalidPrice
      ann amends 1 to 4
        > 1 amended, 4 of 4 at 100, 100 held
        > 1 rests with 4
      bob sells 4 at 100
        > 3 placed, 4 held
        > 4 at 100 with 1: bob pays 1, ann pays 1
        > 1 filled
        > 3 filled
        > 2 activated with 3, 3 held
        > 2 rests with 3
    `));

  test("cancelling all goes by order of placement", () =>
    play(`
      bob buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      cat sells 1 at 100
        > 2 placed, 1 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oco: sells 3 at 110 | sells 3 at 80 stop 90
        > list 1 of 3, 4
        > 3 placed, 3 held
        > 4 placed, 0 held
        > 4 waits for 90
        > 3 rests with 3
      ann lists oto: buys 3 at 90 | sells 3 at 110
        > list 2 of 5, 6
        > 5 placed, 270 held
        > 6 placed, 0 held
        > 6 waits
        > 5 rests with 3
      ann cancels all
        > 3 cancelled, 3 left, 3 released
        > 4 cancelled (listEnded), 3 left
        > 5 cancelled, 3 left, 270 released
        > 6 cancelled (listEnded), 3 left
    `));

  test("repeated with the same client order ids are placed once", () =>
    play(`
      ann lists oto: buys 3 at 90 as a | sells 3 at 110 as b
        > list 1 of 1, 2
        > 1 placed, 270 held
        > 2 placed, 0 held
        > 2 waits
        > 1 rests with 3
      ann lists oto: buys 3 at 90 as a | sells 3 at 110 as b
        > already placed as 1
      ann lists oto: buys 3 at 90 as c | sells 3 at 110 as b
        > refused: duplicateClientOrderId
      ann lists oto: buys 3 at 90 as c | sells 3 at 110 as c
        > refused: duplicateClientOrderId
    `));
});

/** Conditions, lists, changes and states of the market that come together. */
import { describe, expect, test } from "vitest";
import { runScript, scriptText, type ScriptOptions } from "./script.ts";

function play(script: string, options: ScriptOptions = {}): void {
  for (const goesThroughSnapshots of [false, true]) {
    const played = runScript(script, { ...options, goesThroughSnapshots });
    expect(played).toBe(scriptText(script));
  }
}

describe("an iceberg", () => {
  test("as the limit order of a pair ends the stop with the first lot of its first part", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      cat buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oco: sells 9 at 110 showing 3 | sells 9 at 85 stop 90
        > list 1 of 3, 4
        > 3 placed, 9 held
        > 4 placed, 0 held
        > 4 waits for 90
        > 3 rests with 9, showing 3
      bob buys 1 at 110
        > 5 placed, 110 held
        > 1 at 110 with 3: bob pays 1, ann pays 1
        > 4 cancelled (listEnded), 9 left
        > 5 filled
      book
        > sell 110: 2
    `));

  test("in a pair leaves its hold, hidden lots included, to the stop that is reached", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      cat buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oco: sells 9 at 110 showing 3 | sells 9 at 85 stop 90
        > list 1 of 3, 4
        > 3 placed, 9 held
        > 4 placed, 0 held
        > 4 waits for 90
        > 3 rests with 9, showing 3
      cat buys 1 at 90
        > 5 placed, 90 held
        > 5 rests with 1
      bob sells 1 at 90
        > 6 placed, 1 held
        > 1 at 90 with 5: bob pays 1, cat pays 1
        > 5 filled
        > 6 filled
        > 3 cancelled (listEnded), 9 left
        > 4 activated with 9
        > 4 rests with 9
      balances
        > ann: USD 0, BTC 0 (9 held)
        > bob: USD +188, BTC -2
        > cat: USD -190, BTC 0
        > fees: USD +2, BTC +2
    `));

  test("as a working order sets its pending order free with its last part", () =>
    play(`
      ann lists oto: sells 6 at 100 showing 2 | buys 0 at 90
        > list 1 of 1, 2
        > 1 placed, 6 held
        > 2 placed, 0 held
        > 2 waits
        > 1 rests with 6, showing 2
      bob buys 4 at 100
        > 3 placed, 400 held
        > 2 at 100 with 1: bob pays 1, ann pays 1
        > 1 shows 2 of 4
        > 2 at 100 with 1: bob pays 1, ann pays 1
        > 1 shows 2 of 2
        > 3 filled
      bob buys 2 at 100
        > 4 placed, 200 held
        > 2 at 100 with 1: bob pays 1, ann pays 1
        > 1 filled
        > 4 filled
        > 2 activated with 6, 540 held
        > 2 rests with 6
      book
        > buy 90: 6
    `));

  test("is bought from by total, part after part", () =>
    play(`
      ann sells 6 at 100 showing 2
        > 1 placed, 6 held
        > 1 rests with 6, showing 2
      bob sells 2 at 100
        > 2 placed, 2 held
        > 2 rests with 2
      cat spends 750 at market
        > 3 placed, 750 held
        > 2 at 100 with 1: cat pays 1, ann pays 1
        > 1 shows 2 of 4
        > 2 at 100 with 2: cat pays 1, bob pays 1
        > 2 filled
        > 2 at 100 with 1: cat pays 1, ann pays 1
        > 1 shows 2 of 2
        > 1 at 100 with 1: cat pays 1, ann pays 1
        > 3 filled, 50 released
      book
        > sell 100: 1
      balances
        > ann: USD +497, BTC -5 (1 held)
        > bob: USD +199, BTC -2
        > cat: USD -700, BTC +3
        > fees: USD +4, BTC +4
    `));

  test("is sold to by total: what hidden lots may take is held", () =>
    play(`
      ann buys 6 at 100 showing 2
        > 1 placed, 600 held
        > 1 rests with 6, showing 2
      bob buys 2 at 99
        > 2 placed, 198 held
        > 2 rests with 2
      cat receives 650 at market
        > 3 placed, 6 held
        > 2 at 100 with 1: cat pays 1, ann pays 1
        > 1 shows 2 of 4
        > 2 at 100 with 1: cat pays 1, ann pays 1
        > 1 shows 2 of 2
        > 2 at 100 with 1: cat pays 1, ann pays 1
        > 1 filled
        > 3 filled
      cat receives 250 at market
        > 4 placed, 2 held
        > 2 at 99 with 2: cat pays 1, bob pays 1
        > 2 filled
        > 4 expired
    `));

  test("meets a fill-or-kill order of its own account as its mode says", () =>
    play(`
      ann sells 6 at 100 showing 2
        > 1 placed, 6 held
        > 1 rests with 6, showing 2
      bob sells 4 at 100
        > 2 placed, 4 held
        > 2 rests with 4
      ann buys 4 at 100 fok
        > refused: wouldNotFill
      ann buys 4 at 100 fok or decrement
        > refused: wouldNotFill
      ann buys 4 at 100 fok or expire-both
        > refused: wouldNotFill
      ann buys 4 at 100 fok or expire-maker
        > 3 placed, 400 held
        > 1 expired (selfTrade), 6 left, 6 released
        > 4 at 100 with 2: ann pays 1, bob pays 1
        > 2 filled
        > 3 filled
      book
        > empty
    `));

  test("waits for its trigger, then shows its part and expires as one", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      cat buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann sells 9 at 85 showing 3 stop 90 until 60s
        > 3 placed, 9 held
        > 3 waits for 90
      cat buys 1 at 90
        > 4 placed, 90 held
        > 4 rests with 1
      bob sells 1 at 90
        > 5 placed, 1 held
        > 1 at 90 with 4: bob pays 1, cat pays 1
        > 4 filled
        > 5 filled
        > 3 activated with 9
        > 3 rests with 9, showing 3
      book
        > sell 85: 3
      time passes 60s
      time advances
        > 3 expired (expired), 9 left, 9 released
        > timeAdvanced
    `));
});

describe("a fill-or-kill order", () => {
  test("that fills before it reaches an own order trades, whatever its mode", () =>
    play(`
      bob sells 2 at 100
        > 1 placed, 2 held
        > 1 rests with 2
      ann sells 5 at 101
        > 2 placed, 5 held
        > 2 rests with 5
      ann buys 2 at 101 fok
        > 3 placed, 202 held
        > 2 at 100 with 1: ann pays 1, bob pays 1, 2 released
        > 1 filled
        > 3 filled
    `));

  test("behind an own order is refused, unless that would expire", () =>
    play(`
      ann sells 5 at 100
        > 1 placed, 5 held
        > 1 rests with 5
      bob sells 2 at 101
        > 2 placed, 2 held
        > 2 rests with 2
      ann buys 2 at 101 fok or expire-both
        > refused: wouldNotFill
      ann buys 2 at 101 fok or decrement
        > refused: wouldNotFill
      ann buys 2 at 101 fok or expire-maker
        > 3 placed, 202 held
        > 1 expired (selfTrade), 5 left, 5 released
        > 2 at 101 with 2: ann pays 1, bob pays 1
        > 2 filled
        > 3 filled
    `));
});

describe("a bracket", () => {
  test("ends with its working order's time", () =>
    play(`
      ann lists otoco: buys 2 at 100 until 60s | sells 2 at 110 | sells 2 at 85 stop 90
        > list 1 of 1, 2, 3
        > 1 placed, 200 held
        > 2 placed, 0 held
        > 2 waits
        > 3 placed, 0 held
        > 3 waits
        > 1 rests with 2
      time passes 60s
      time advances
        > 1 expired (expired), 2 left, 200 released
        > 2 cancelled (listEnded), 2 left
        > 3 cancelled (listEnded), 2 left
        > timeAdvanced
      balances
        > ann: USD 0, BTC 0
        > bob: USD 0, BTC 0
        > cat: USD 0, BTC 0
        > fees: USD 0, BTC 0
    `));

  test("ends its pair where the limit order's time comes", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      cat buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      bob sells 2 at 100
        > 3 placed, 2 held
        > 3 rests with 2
      ann lists otoco: buys 2 at 100 | sells 2 at 110 until 60s | sells 2 at 85 stop 90
        > list 1 of 4, 5, 6
        > 4 placed, 200 held
        > 5 placed, 0 held
        > 5 waits
        > 6 placed, 0 held
        > 6 waits
        > 2 at 100 with 3: ann pays 1, bob pays 1
        > 3 filled
        > 4 filled
        > 6 activated with 2
        > 6 waits for 90
        > 5 activated with 2, 2 held
        > 5 rests with 2
      time passes 60s
      time advances
        > 5 expired (expired), 2 left, 2 released
        > 6 cancelled (listEnded), 2 left
        > timeAdvanced
      balances
        > ann: USD -200, BTC +1
        > bob: USD +298, BTC -3
        > cat: USD -100, BTC 0
        > fees: USD +2, BTC +2
    `));

  test("ends where its pair's time comes before the working order has filled", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      cat buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists otoco: buys 2 at 100 | sells 2 at 110 until 60s | sells 2 at 85 stop 90
        > list 1 of 3, 4, 5
        > 3 placed, 200 held
        > 4 placed, 0 held
        > 4 waits
        > 5 placed, 0 held
        > 5 waits
        > 3 rests with 2
      time passes 60s
      bob sells 2 at 100
        > 4 expired (expired), 2 left
        > 3 cancelled (listEnded), 2 left, 200 released
        > 5 cancelled (listEnded), 2 left
        > 6 placed, 2 held
        > 6 rests with 2
    `));

  test("whose working order was amended gives its pair what that brought", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      cat buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists otoco: buys 20 at 100 | sells 0 at 110 | sells 0 at 85 stop 90
        > list 1 of 3, 4, 5
        > 3 placed, 2000 held
        > 4 placed, 0 held
        > 4 waits
        > 5 placed, 0 held
        > 5 waits
        > 3 rests with 20
      ann amends 3 to 30
        > 3 amended, 30 of 30 at 100, 1000 held
        > 3 rests with 30
      ann amends 3 to 30 at 101 as of old
        > refused: invalidPrice
      bob sells 30 at 100
        > 6 placed, 30 held
        > 30 at 100 with 3: bob pays 6, ann pays 1
        > 3 filled
        > 6 filled
        > 5 activated with 29
        > 5 waits for 90
        > 4 activated with 29, 29 held
        > 4 rests with 29
      ann amends 4 to 5 as of old
        > refused: invalidList
      book
        > sell 110: 29
    `));

  test("follows with a trailing stop from the price at which its working order filled", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      cat buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists otoco: buys 2 at 120 | sells 2 at 140 | sells 2 at market trail 1000
        > list 1 of 3, 4, 5
        > 3 placed, 240 held
        > 4 placed, 0 held
        > 4 waits
        > 5 placed, 0 held
        > 5 waits
        > 3 rests with 2
      bob sells 2 at 90
        > 6 placed, 2 held
        > 2 at 120 with 3: bob pays 1, ann pays 1
        > 3 filled
        > 6 filled
        > 5 activated with 2
        > 5 waits for 108
        > 4 activated with 2, 2 held
        > 4 rests with 2
      bob sells 2 at 120
        > 7 placed, 2 held
        > 7 rests with 2
    `));
});

describe("a replacement", () => {
  test("of an order that has since filled is refused, or placed where failure is allowed", () =>
    play(`
      ann buys 2 at 100
        > 1 placed, 200 held
        > 1 rests with 2
      bob sells 2 at 100
        > 2 placed, 2 held
        > 2 at 100 with 1: bob pays 1, ann pays 1
        > 1 filled
        > 2 filled
      ann replaces 1: buys 2 at 99
        > refused: unknownOrder
      ann replaces or places 1: buys 2 at 99
        > 3 placed, 198 held
        > 3 rests with 2
      book
        > buy 99: 2
    `));

  test("of an order that has filled in part is for the quantity that it names", () =>
    play(`
      ann buys 5 at 100
        > 1 placed, 500 held
        > 1 rests with 5
      bob sells 2 at 100
        > 2 placed, 2 held
        > 2 at 100 with 1: bob pays 1, ann pays 1
        > 2 filled
      ann replaces 1: buys 5 at 101
        > 1 cancelled (replaced), 3 left, 300 released
        > 3 placed, 505 held
        > 3 rests with 5
      balances
        > ann: USD -200 (505 held), BTC +1
        > bob: USD +199, BTC -2
        > cat: USD 0, BTC 0
        > fees: USD +1, BTC +1
    `));

  test("of another account's order, if failure is allowed, leaves that alone", () =>
    play(`
      bob buys 2 at 98
        > 1 placed, 196 held
        > 1 rests with 2
      ann replaces or places 1: buys 2 at 99
        > 2 placed, 198 held
        > 2 rests with 2
      book
        > buy 99: 2
        > buy 98: 2
    `));

  test("that would cross an own order goes by its mode", () =>
    play(`
      ann buys 2 at 99
        > 1 placed, 198 held
        > 1 rests with 2
      ann sells 2 at 101
        > 2 placed, 2 held
        > 2 rests with 2
      ann replaces 1: buys 3 at 101 or expire-maker
        > 1 cancelled (replaced), 2 left, 198 released
        > 3 placed, 303 held
        > 2 expired (selfTrade), 2 left, 2 released
        > 3 rests with 3
      book
        > buy 101: 3
    `));
});

test("a replacement at the market goes as far as the band does with the order that it replaces", () =>
  play(
    `
    ann buys 1 at 100
      > 1 placed, 100 held
      > 1 rests with 1
    bob sells 1 at 100
      > 2 placed, 1 held
      > 1 at 100 with 1: bob pays 1, ann pays 1
      > 1 filled
      > 2 filled
    bob sells 2 at 109
      > 3 placed, 2 held
      > 3 rests with 2
    ann buys 1 at 104
      > 4 placed, 104 held
      > 4 rests with 1
    ann replaces 4: buys 2 at market
      > 4 cancelled (replaced), 1 left, 104 released
      > 5 placed, 218 held
      > 2 at 109 with 3: ann pays 1, bob pays 1
      > 3 filled
      > 5 filled
  `,
    { market: { priceBandBps: 500, passiveBandBps: 3000 } },
  ));

describe("a market that is post-only", () => {
  test("takes post-only icebergs and replacements that wait, and no others", () =>
    play(`
      ann sells 2 at 100
        > 1 placed, 2 held
        > 1 rests with 2
      the market is postOnly
        > the market is postOnly
      bob buys 6 at 99 showing 2 post-only
        > 2 placed, 594 held
        > 2 rests with 6, showing 2
      bob replaces 2: buys 6 at 98
        > refused: marketNotTrading
      bob replaces 2: buys 6 at 100 post-only
        > refused: wouldCross
      bob replaces 2: buys 6 at 98 post-only
        > 2 cancelled (replaced), 6 left, 594 released
        > 3 placed, 588 held
        > 3 rests with 6
      bob amends 3 to 6 at 100
        > refused: wouldCross
      bob amends 3 to 9
        > 3 amended, 9 of 9 at 98, 294 held
        > 3 rests with 9
      ann lists oco: sells 2 at 110 post-only | sells 2 at 90 stop 95
        > refused: marketNotTrading
      book
        > sell 100: 2
        > buy 98: 9
    `));

  test("lets waiting triggers wait", () =>
    play(`
      ann sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      bob buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: bob pays 1, ann pays 1
        > 1 filled
        > 2 filled
      cat buys 1 at 110 stop 105
        > 3 placed, 110 held
        > 3 waits for 105
      the market is postOnly
        > the market is postOnly
      bob buys 1 at 99 post-only
        > 4 placed, 99 held
        > 4 rests with 1
      the market is trading
        > the market is trading
    `));
});

describe("a cancel timer", () => {
  test("fires as a halt lasts, and ends what a breaker left to rest", () =>
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
      bob sells 1 at 110
        > 3 placed, 1 held
        > 3 rests with 1
      ann cancels all after 3s
        > cancel timer in 3s
      ann buys 3 at 110
        > 4 placed, 330 held
        > the market is halted by the breaker for 5s
        > 4 rests with 3
      time passes 3s
      time advances
        > cancel timer fires
        > 4 cancelled (cancelTimer), 3 left, 330 released
        > timeAdvanced
      book
        > sell 110: 1
    `,
      { market: { breaker: { bps: 500, windowMs: 60000, haltMs: 5000, auctionMs: 10000 } } },
    ));

  test("is set again in a halt, where nothing else but cancels is taken", () =>
    play(`
      ann buys 1 at 99
        > 1 placed, 99 held
        > 1 rests with 1
      ann cancels all after 3s
        > cancel timer in 3s
      the market is halted
        > the market is halted
      ann cancels all after 60s
        > cancel timer in 60s
      time passes 3s
      time advances
        > timeAdvanced
      ann cancels all
        > 1 cancelled, 1 left, 99 released
    `));
});

describe("an amendment", () => {
  test("across the breaker's edge halts the market and leaves the order to the auction", () =>
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
      bob sells 1 at 110
        > 3 placed, 1 held
        > 3 rests with 1
      ann buys 2 at 99
        > 4 placed, 198 held
        > 4 rests with 2
      ann amends 4 to 2 at 110
        > 4 amended, 2 of 2 at 110, 22 held
        > the market is halted by the breaker for 5s
        > 4 rests with 2
      book
        > sell 110: 1
        > buy 110: 2
      the market is trading
        > the market is trading
        > uncrossed: 1 at 110, surplus 1
        > 1 at 110 with 3: ann pays 1, bob pays 1
        > 3 filled
    `,
      { market: { breaker: { bps: 500, windowMs: 60000, haltMs: 5000, auctionMs: 10000 } } },
    ));

  test("of an iceberg in an auction goes to the end of its queue, and trades with all it has", () =>
    play(`
      the market is auction
        > the market is auction
      ann sells 6 at 100 showing 2
        > 1 placed, 6 held
        > 1 rests with 6, showing 2
      bob sells 2 at 100
        > 2 placed, 2 held
        > 2 rests with 2
      ann amends 1 to 8
        > 1 amended, 8 of 8 at 100, 2 held
        > 1 rests with 8, showing 2
      cat buys 9 at 100
        > 3 placed, 900 held
        > 3 rests with 9
      the market is trading
        > the market is trading
        > uncrossed: 9 at 100, surplus -1
        > 2 at 100 with 2: cat pays 1, bob pays 1
        > 2 filled
        > 2 at 100 with 1: cat pays 1, ann pays 1
        > 1 shows 2 of 6
        > 2 at 100 with 1: cat pays 1, ann pays 1
        > 1 shows 2 of 4
        > 2 at 100 with 1: cat pays 1, ann pays 1
        > 1 shows 2 of 2
        > 1 at 100 with 1: cat pays 1, ann pays 1
        > 3 filled
    `));
});

describe("the limit order of a pair", () => {
  test("that loses quantity to self-trade prevention ends the stop as a trade would", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      cat buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oco: sells 5 at 110 | sells 5 at 85 stop 90
        > list 1 of 3, 4
        > 3 placed, 5 held
        > 4 placed, 0 held
        > 4 waits for 90
        > 3 rests with 5
      ann buys 2 at 110 or decrement
        > 5 placed, 220 held
        > 3 loses 2, 3 left, 2 released
        > 5 loses 2, 0 left, 220 released
        > 4 cancelled (listEnded), 5 left
        > 5 expired (selfTrade)
      balances
        > ann: USD 0, BTC 0 (3 held)
        > bob: USD +99, BTC -1
        > cat: USD -100, BTC 0
        > fees: USD +1, BTC +1
    `));
});

describe("an open quantity", () => {
  test("of a pair to buy is what the proceeds buy at the higher price of both", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      cat buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists otoco: sells 20 at 100 | buys 0 at 90 | buys 0 at 130 stop 120
        > list 1 of 3, 4, 5
        > 3 placed, 20 held
        > 4 placed, 0 held
        > 4 waits
        > 5 placed, 0 held
        > 5 waits
        > 3 rests with 20
      bob buys 20 at 100
        > 6 placed, 2000 held
        > 20 at 100 with 3: bob pays 1, ann pays 2
        > 3 filled
        > 6 filled
        > 5 activated with 15, 600 held
        > 5 waits for 120
        > 4 activated with 15, 1350 held
        > 4 rests with 15
      balances
        > ann: USD +1998 (1950 held), BTC -20
        > bob: USD -1901, BTC +18
        > cat: USD -100, BTC 0
        > fees: USD +3, BTC +2
    `));

  test("of a stop to buy at the market is what the proceeds buy at its cap", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      cat buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oto: sells 20 at 100 | buys 0 at market stop 110
        > list 1 of 3, 4
        > 3 placed, 20 held
        > 4 placed, 0 held
        > 4 waits
        > 3 rests with 20
      bob buys 20 at 100
        > 5 placed, 2000 held
        > 20 at 100 with 3: bob pays 1, ann pays 2
        > 3 filled
        > 5 filled
        > 4 activated with 17, 1972 held
        > 4 waits for 110
      balances
        > ann: USD +1998 (1972 held), BTC -20
        > bob: USD -1901, BTC +18
        > cat: USD -100, BTC 0
        > fees: USD +3, BTC +2
    `));
});

describe("a triggered order", () => {
  test("meets one of its own account as its mode says", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      cat buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann buys 2 at 89
        > 3 placed, 178 held
        > 3 rests with 2
      ann buys 1 at 88
        > 4 placed, 88 held
        > 4 rests with 1
      ann sells 4 at 85 stop 90 or decrement
        > 5 placed, 4 held
        > 5 waits for 90
      cat buys 1 at 90
        > 6 placed, 90 held
        > 6 rests with 1
      bob sells 1 at 90
        > 7 placed, 1 held
        > 1 at 90 with 6: bob pays 1, cat pays 1
        > 6 filled
        > 7 filled
        > 5 activated with 4
        > 3 loses 2, 0 left, 178 released
        > 5 loses 2, 2 left, 2 released
        > 3 expired (selfTrade)
        > 4 loses 1, 0 left, 88 released
        > 5 loses 1, 1 left, 1 released
        > 4 expired (selfTrade)
        > 5 rests with 1
      book
        > sell 85: 1
    `));

  test("goes by the market's mode where it names none", () =>
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
      ann buys 2 at 89
        > 3 placed, 178 held
        > 3 rests with 2
      cat buys 4 at 88
        > 4 placed, 352 held
        > 4 rests with 4
      ann sells 4 at market stop 90
        > 5 placed, 4 held
        > 5 waits for 90
      cat buys 1 at 90
        > 6 placed, 90 held
        > 6 rests with 1
      bob sells 1 at 90
        > 7 placed, 1 held
        > 1 at 90 with 6: bob pays 1, cat pays 1
        > 6 filled
        > 7 filled
        > 5 activated with 4
        > 3 expired (selfTrade), 2 left, 178 released
        > 4 at 88 with 4: ann pays 1, cat pays 1
        > 4 filled
        > 5 filled
      book
        > empty
    `,
      { market: { selfTradePrevention: "expireMaker" } },
    ));
});

describe("the breaker", () => {
  test("counts the first trade of a market too: from the best price that its order meets", () =>
    play(
      `
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      bob sells 1 at 106
        > 2 placed, 1 held
        > 2 rests with 1
      bob sells 1 at 112
        > 3 placed, 1 held
        > 3 rests with 1
      cat buys 2 at 106
        > 4 placed, 212 held
        > 1 at 100 with 1: cat pays 1, bob pays 1, 6 released
        > 1 filled
        > the market is halted by the breaker for 5s
        > 4 rests with 1
    `,
      { market: { breaker: { bps: 500, windowMs: 60000, haltMs: 5000, auctionMs: 10000 } } },
    ));
});

describe("a command with a time limit", () => {
  test("is refused past it and changes nothing, whatever it asks for", () =>
    play(`
      ann buys 1 at 90
        > 1 placed, 90 held
        > 1 rests with 1
      ann buys 2 at 90 valid -0.001s
        > refused: requestExpired
      ann replaces 1: buys 2 at 90 valid -0.001s
        > refused: requestExpired
      ann lists oco: sells 3 at 110 | sells 3 at 85 stop 90 valid -0.001s
        > refused: requestExpired
      ann amends 1 to 5 valid -0.001s
        > refused: requestExpired
      ann cancels 1 valid -0.001s
        > refused: requestExpired
      ann cancels all valid -0.001s
        > refused: requestExpired
      ann cancels all after 10s valid -0.001s
        > refused: requestExpired
      book
        > buy 90: 1
    `));

  test("is carried out up to and at it", () =>
    play(`
      ann buys 1 at 90 valid 60s
        > 1 placed, 90 held
        > 1 rests with 1
      ann amends 1 to 2 valid 0s
        > 1 amended, 2 of 2 at 90, 90 held
        > 1 rests with 2
      ann replaces 1: buys 2 at 91 valid 0s
        > 1 cancelled (replaced), 2 left, 180 released
        > 2 placed, 182 held
        > 2 rests with 2
      ann cancels all after 10s valid 0s
        > cancel timer in 10s
      ann cancels 2 valid 0s
        > 2 cancelled, 2 left, 182 released
    `));

  test("is refused where that is no time, or more than a minute away", () =>
    play(`
      ann buys 1 at 90 valid 60.001s
        > refused: invalidValidUntil
      ann buys 1 at 90 valid 0.0005s
        > refused: invalidValidUntil
      ann cancels all valid -NaNs
        > refused: invalidValidUntil
    `));

  test("is answered as its first request was, however late it comes again", () =>
    play(`
      ann buys 1 at 90 as a valid 2s
        > 1 placed, 90 held
        > 1 rests with 1
      ann lists oco: sells 3 at 110 as b | sells 3 at 85 valid 2s
        > refused: invalidList
      time passes 98s
      ann buys 1 at 90 as a valid -96s
        > already placed as 1
      ann buys 1 at 90 as b valid -96s
        > refused: requestExpired
    `));
});

describe("of several refusals the first is given, that", () => {
  test("of its words, account, name, the order to be replaced and its market", () =>
    play(`
      ann buys 1 at 90 as a
        > 1 placed, 90 held
        > 1 rests with 1
      the market is halted
        > the market is halted
      zoe buys 0 at 100 as ü
        > refused: invalidCommand
      zoe buys 0 at 100 as a
        > refused: unknownAccount
      ann buys 0 at 100 as a valid -1s
        > refused: duplicateClientOrderId
      ann buys 1 at 90 as a valid -1s
        > already placed as 1
      ann replaces 9: buys 0 at 100 valid -1s
        > refused: requestExpired
      ann replaces 9: buys 0 at 100
        > refused: unknownOrder
      ann buys 0 at 100
        > refused: marketNotTrading
    `));

  test("of its time in force, display, trigger, price, quantity and size", () =>
    play(`
      ann buys 0 at 0 showing 1 trail 10000 until 0s
        > refused: invalidTimeInForce
      ann buys 0 at 0 showing 1 trail 10000
        > refused: invalidDisplay
      ann buys 0 at 0 trail 10000
        > refused: invalidTrigger
      ann buys 0 at 0
        > refused: invalidPrice
      ann buys 0 at 100
        > refused: invalidQuantity
      ann spends 0 at market
        > refused: invalidAmount
      ann buys 2000 at 100
        > refused: quantityTooLarge
      ann buys 1 at 9
        > refused: notionalTooSmall
    `));

  test("of the orders that are open, then of the book, then of what it must hold", () =>
    play(
      `
      bob sells 2 at 100
        > 1 placed, 2 held
        > 1 rests with 2
      ann buys 900 at 90
        > 2 placed, 81000 held
        > 2 rests with 900
      ann sells 2000 at 90 stop 95
        > refused: quantityTooLarge
      ann sells 2 at 90 stop 95
        > refused: noReferencePrice
      cat buys 1 at 100
        > 3 placed, 100 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 3 filled
      ann sells 2 at 90 stop 101
        > refused: wouldTriggerAtOnce
      ann sells 2 at 90 stop 95
        > 4 placed, 2 held
        > 4 waits for 95
      ann sells 9 at 110 showing 2
        > refused: tooManyAlgoOrders
      ann buys 900 at 200 post-only
        > refused: wouldCross
      ann buys 900 at 200 fok
        > refused: wouldNotFill
      ann buys 900 at 91
        > refused: insufficientAvailable
      ann buys 1 at 91
        > 5 placed, 91 held
        > 5 rests with 1
      ann sells 9 at 110 showing 2
        > refused: tooManyOpenOrders
      ann buys 900 at 200 post-only
        > refused: tooManyOpenOrders
      bob cancels 5
        > refused: unknownOrder
    `,
      { openOrdersMax: 3, algoOrdersMax: 1 },
    ));
});

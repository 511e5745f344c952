/**
 * What continues when a market trades again: triggers and pending orders that a halt or an auction
 * left behind, each once and in its turn.
 */
import { describe, expect, test } from "vitest";
import { runScript, scriptText, type ScriptOptions } from "./script.ts";

function play(script: string, options: ScriptOptions = {}): void {
  for (const goesThroughSnapshots of [false, true]) {
    const played = runScript(script, { ...options, goesThroughSnapshots });
    expect(played).toBe(scriptText(script));
  }
}

describe("an auction that fills a working order", () => {
  test("sets its pending order free once, when trading begins", () =>
    play(`
      the market is auction
        > the market is auction
      ann lists oto: buys 2 at 100 | sells 2 at 110
        > list 1 of 1, 2
        > 1 placed, 200 held
        > 2 placed, 0 held
        > 2 waits
        > 1 rests with 2
      bob sells 2 at 100
        > 3 placed, 2 held
        > 3 rests with 2
      the market is trading
        > the market is trading
        > uncrossed: 2 at 100, surplus 0
        > 2 at 100 with 1: bob pays 1, ann pays 1
        > 1 filled
        > 3 filled
        > 2 activated with 2, 2 held
        > 2 rests with 2
      book
        > sell 110: 2
      balances
        > ann: USD -200, BTC +1 (2 held)
        > bob: USD +199, BTC -2
        > cat: USD 0, BTC 0
        > fees: USD +1, BTC +1
      cat buys 2 at 110
        > 4 placed, 220 held
        > 2 at 110 with 2: cat pays 1, ann pays 1
        > 2 filled
        > 4 filled
    `));

  test("sets a pending stop free once, which then waits for its price", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      ann buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled
      the market is auction
        > the market is auction
      ann lists oto: buys 2 at 100 | sells 2 at 90 stop 95
        > list 1 of 3, 4
        > 3 placed, 200 held
        > 4 placed, 0 held
        > 4 waits
        > 3 rests with 2
      bob sells 2 at 100
        > 5 placed, 2 held
        > 5 rests with 2
      the market is trading
        > the market is trading
        > uncrossed: 2 at 100, surplus 0
        > 2 at 100 with 3: bob pays 1, ann pays 1
        > 3 filled
        > 5 filled
        > 4 activated with 2, 2 held
        > 4 waits for 95
      balances
        > ann: USD -300, BTC +1 (2 held)
        > bob: USD +298, BTC -3
        > cat: USD 0, BTC 0
        > fees: USD +2, BTC +2
      cat buys 1 at 95
        > 6 placed, 95 held
        > 6 rests with 1
      bob sells 1 at 95
        > 7 placed, 1 held
        > 1 at 95 with 6: bob pays 1, cat pays 1
        > 6 filled
        > 7 filled
        > 4 activated with 2
        > 4 rests with 2
    `));

  test("makes the pair of a bracket live once", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      ann buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled
      the market is auction
        > the market is auction
      ann lists otoco: buys 2 at 100 | sells 2 at 110 | sells 2 at 90 stop 95
        > list 1 of 3, 4, 5
        > 3 placed, 200 held
        > 4 placed, 0 held
        > 4 waits
        > 5 placed, 0 held
        > 5 waits
        > 3 rests with 2
      bob sells 2 at 100
        > 6 placed, 2 held
        > 6 rests with 2
      the market is trading
        > the market is trading
        > uncrossed: 2 at 100, surplus 0
        > 2 at 100 with 3: bob pays 1, ann pays 1
        > 3 filled
        > 6 filled
        > 5 activated with 2
        > 5 waits for 95
        > 4 activated with 2, 2 held
        > 4 rests with 2
      cat buys 1 at 110
        > 7 placed, 110 held
        > 1 at 110 with 4: cat pays 1, ann pays 1
        > 5 cancelled (listEnded), 2 left
        > 7 filled
    `));

  test("sets nothing free before the market trades, and then triggers first", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      ann buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled
      cat buys 2 at 120 stop 105
        > 3 placed, 240 held
        > 3 waits for 105
      the market is auction
        > the market is auction
      ann lists oto: sells 1 at 106 | buys 1 at 90
        > list 1 of 4, 5
        > 4 placed, 1 held
        > 5 placed, 0 held
        > 5 waits
        > 4 rests with 1
      bob buys 1 at 106
        > 6 placed, 106 held
        > 6 rests with 1
      the market is postOnly
        > the market is postOnly
        > uncrossed: 1 at 106, surplus 0
        > 1 at 106 with 4: bob pays 1, ann pays 1
        > 6 filled
        > 4 filled
      the market is trading
        > the market is trading
        > 3 activated with 2
        > 3 rests with 2
        > 5 activated with 1, 90 held
        > 5 rests with 1
      book
        > buy 120: 2
        > buy 90: 1
    `));

  test("sets its pending order free once, also where the market is set to trade as it does so by itself", () =>
    play(`
      the market is auction for 60s
        > the market is auction for 60s
      ann lists oto: buys 2 at 100 | sells 2 at 110
        > list 1 of 1, 2
        > 1 placed, 200 held
        > 2 placed, 0 held
        > 2 waits
        > 1 rests with 2
      bob sells 2 at 100
        > 3 placed, 2 held
        > 3 rests with 2
      time passes 60s
      the market is trading
        > the market is trading by the timer
        > uncrossed: 2 at 100, surplus 0
        > 2 at 100 with 1: bob pays 1, ann pays 1
        > 1 filled
        > 3 filled
        > the market is trading
        > 2 activated with 2, 2 held
        > 2 rests with 2
      book
        > sell 110: 2
    `));

  test("gives an open quantity what the auction brought after the fee", () =>
    play(`
      the market is auction
        > the market is auction
      ann lists oto: buys 20 at 100 | sells 0 at 110
        > list 1 of 1, 2
        > 1 placed, 2000 held
        > 2 placed, 0 held
        > 2 waits
        > 1 rests with 20
      bob sells 20 at 90
        > 3 placed, 20 held
        > 3 rests with 20
      the market is trading
        > the market is trading
        > uncrossed: 20 at 90, surplus 0
        > 20 at 90 with 1: bob pays 2, ann pays 1, 200 released
        > 1 filled
        > 3 filled
        > 2 activated with 19, 19 held
        > 2 rests with 19
      balances
        > ann: USD -1800, BTC +19 (19 held)
        > bob: USD +1798, BTC -20
        > cat: USD 0, BTC 0
        > fees: USD +2, BTC +1
    `));
});

describe("a halt", () => {
  test("leaves the pending order of a working order that filled before it; it is placed when trading begins", () =>
    play(
      `
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      ann buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oto: sells 2 at 101 | buys 2 at 90
        > list 1 of 3, 4
        > 3 placed, 2 held
        > 4 placed, 0 held
        > 4 waits
        > 3 rests with 2
      bob sells 2 at 110
        > 5 placed, 2 held
        > 5 rests with 2
      cat buys 3 at 110
        > 6 placed, 330 held
        > 2 at 101 with 3: cat pays 1, ann pays 1, 18 released
        > 3 filled
        > the market is halted by the breaker for 5s
        > 6 rests with 1
      balances
        > ann: USD +101, BTC -2
        > bob: USD +99, BTC -1 (2 held)
        > cat: USD -202 (110 held), BTC +1
        > fees: USD +2, BTC +2
      time passes 5s
      time advances
        > the market is auction by the timer for 10s
        > timeAdvanced
      time passes 10s
      time advances
        > the market is trading by the timer
        > uncrossed: 1 at 110, surplus -1
        > 1 at 110 with 5: cat pays 1, bob pays 1
        > 6 filled
        > timeAdvanced
        > 4 activated with 2, 180 held
        > 4 rests with 2
      book
        > sell 110: 1
        > buy 90: 2
    `,
      { market: { breaker: { bps: 500, windowMs: 60000, haltMs: 5000, auctionMs: 10000 } } },
    ));

  test("leaves pending orders of several lists; that of the oldest comes first", () =>
    play(
      `
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      ann buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oto: sells 2 at 102 | buys 2 at 90
        > list 1 of 3, 4
        > 3 placed, 2 held
        > 4 placed, 0 held
        > 4 waits
        > 3 rests with 2
      bob lists oto: sells 2 at 101 | buys 2 at 90
        > list 2 of 5, 6
        > 5 placed, 2 held
        > 6 placed, 0 held
        > 6 waits
        > 5 rests with 2
      bob sells 2 at 110
        > 7 placed, 2 held
        > 7 rests with 2
      cat buys 5 at 110 ioc
        > 8 placed, 550 held
        > 2 at 101 with 5: cat pays 1, bob pays 1, 18 released
        > 5 filled
        > 2 at 102 with 3: cat pays 1, ann pays 1, 16 released
        > 3 filled
        > the market is halted by the breaker for 5s
        > 8 expired (breaker), 1 left, 110 released
      time passes 5s
      time advances
        > the market is auction by the timer for 10s
        > timeAdvanced
      time passes 10s
      time advances
        > the market is trading by the timer
        > timeAdvanced
        > 4 activated with 2, 180 held
        > 4 rests with 2
        > 6 activated with 2, 180 held
        > 6 rests with 2
      book
        > sell 110: 2
        > buy 90: 4
    `,
      { market: { breaker: { bps: 500, windowMs: 60000, haltMs: 5000, auctionMs: 10000 } } },
    ));

  test("leaves a pending order that may be cancelled", () =>
    play(
      `
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      ann buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oto: sells 2 at 101 | buys 2 at 90
        > list 1 of 3, 4
        > 3 placed, 2 held
        > 4 placed, 0 held
        > 4 waits
        > 3 rests with 2
      bob sells 2 at 110
        > 5 placed, 2 held
        > 5 rests with 2
      cat buys 3 at 110
        > 6 placed, 330 held
        > 2 at 101 with 3: cat pays 1, ann pays 1, 18 released
        > 3 filled
        > the market is halted by the breaker for 5s
        > 6 rests with 1
      ann cancels 4
        > 4 cancelled, 2 left
      the market is trading
        > the market is trading
        > uncrossed: 1 at 110, surplus -1
        > 1 at 110 with 5: cat pays 1, bob pays 1
        > 6 filled
      book
        > sell 110: 1
    `,
      { market: { breaker: { bps: 500, windowMs: 60000, haltMs: 5000, auctionMs: 10000 } } },
    ));

  test("leaves a pending order that expires in its turn", () =>
    play(
      `
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      ann buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oto: sells 2 at 101 | buys 2 at 90 until 3s
        > list 1 of 3, 4
        > 3 placed, 2 held
        > 4 placed, 0 held
        > 4 waits
        > 3 rests with 2
      bob sells 2 at 110
        > 5 placed, 2 held
        > 5 rests with 2
      cat buys 3 at 110
        > 6 placed, 330 held
        > 2 at 101 with 3: cat pays 1, ann pays 1, 18 released
        > 3 filled
        > the market is halted by the breaker for 5s
        > 6 rests with 1
      time passes 5s
      time advances
        > 4 expired (expired), 2 left
        > the market is auction by the timer for 10s
        > timeAdvanced
    `,
      { market: { breaker: { bps: 500, windowMs: 60000, haltMs: 5000, auctionMs: 10000 } } },
    ));

  test("looks at triggers when trading begins, with the price of the auction", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      ann buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled
      cat sells 2 at 90 stop 95
        > 3 placed, 2 held
        > 3 waits for 95
      the market is auction
        > the market is auction
      bob buys 1 at 94
        > 4 placed, 94 held
        > 4 rests with 1
      ann sells 1 at 94
        > 5 placed, 1 held
        > 5 rests with 1
      the market is cancelOnly
        > the market is cancelOnly
      time passes 60s
      the market is trading
        > the market is trading
        > uncrossed: 1 at 94, surplus 0
        > 1 at 94 with 4: ann pays 1, bob pays 1
        > 4 filled
        > 5 filled
        > 3 activated with 2
        > 3 rests with 2
    `));

  test("moves a trailing stop by the price of the auction only", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      ann buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled
      cat sells 2 at market trail 1000
        > 3 placed, 2 held
        > 3 waits for 90
      the market is auction
        > the market is auction
      bob buys 2 at 120
        > 4 placed, 240 held
        > 4 rests with 2
      ann sells 1 at 120
        > 5 placed, 1 held
        > 5 rests with 1
      ann sells 1 at 130
        > 6 placed, 1 held
        > 6 rests with 1
      the market is trading
        > the market is trading
        > uncrossed: 1 at 120, surplus 1
        > 1 at 120 with 4: ann pays 1, bob pays 1
        > 5 filled
      ann sells 1 at 109
        > 7 placed, 1 held
        > 1 at 120 with 4: ann pays 1, bob pays 1
        > 4 filled
        > 7 filled
      bob buys 1 at 108
        > 8 placed, 108 held
        > 8 rests with 1
      ann sells 1 at 108
        > 9 placed, 1 held
        > 1 at 108 with 8: ann pays 1, bob pays 1
        > 8 filled
        > 9 filled
        > 3 activated with 2
        > 3 expired, 2 left, 2 released
    `));

  test("the cancel timer fires in it, for waiting orders too", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      ann buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann buys 2 at 99
        > 3 placed, 198 held
        > 3 rests with 2
      ann buys 2 at 120 stop 110
        > 4 placed, 240 held
        > 4 waits for 110
      ann cancels all after 10s
        > cancel timer in 10s
      the market is halted for 5s
        > the market is halted for 5s
      time passes 10s
      time advances
        > the market is auction by the timer for 55s
        > cancel timer fires
        > 3 cancelled (cancelTimer), 2 left, 198 released
        > 4 cancelled (cancelTimer), 2 left, 240 released
        > timeAdvanced
    `));
});

describe("closing", () => {
  test("ends a pending order whose working order filled before the halt", () =>
    play(
      `
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      ann buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann lists oto: sells 2 at 101 | buys 2 at 90
        > list 1 of 3, 4
        > 3 placed, 2 held
        > 4 placed, 0 held
        > 4 waits
        > 3 rests with 2
      bob sells 2 at 110
        > 5 placed, 2 held
        > 5 rests with 2
      cat buys 3 at 110
        > 6 placed, 330 held
        > 2 at 101 with 3: cat pays 1, ann pays 1, 18 released
        > 3 filled
        > the market is halted by the breaker for 5s
        > 6 rests with 1
      the market is closed
        > the market is closed
        > 4 cancelled (marketClosed), 2 left
        > 5 cancelled (marketClosed), 2 left, 2 released
        > 6 cancelled (marketClosed), 1 left, 110 released
      the market is trading
        > the market is trading
      book
        > empty
    `,
      { market: { breaker: { bps: 500, windowMs: 60000, haltMs: 5000, auctionMs: 10000 } } },
    ));

  test("ends a trigger that was reached as the market began to trade at the same moment", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      ann buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled
      cat buys 1 at 110 stop 105
        > 3 placed, 110 held
        > 3 waits for 105
      the market is auction for 60s
        > the market is auction for 60s
      ann buys 1 at 106
        > 4 placed, 106 held
        > 4 rests with 1
      bob sells 1 at 106
        > 5 placed, 1 held
        > 5 rests with 1
      time passes 60s
      the market is closed
        > the market is trading by the timer
        > uncrossed: 1 at 106, surplus 0
        > 1 at 106 with 4: bob pays 1, ann pays 1
        > 4 filled
        > 5 filled
        > the market is closed
        > 3 cancelled (marketClosed), 1 left, 110 released
      balances
        > ann: USD -206, BTC 0
        > bob: USD +204, BTC -2
        > cat: USD 0, BTC 0
        > fees: USD +2, BTC +2
    `));
});

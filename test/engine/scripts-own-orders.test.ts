/** Orders of one account on both sides while a market gathers orders: they never meet in an auction. */
import { describe, expect, test } from "vitest";
import { runScript, scriptText, type ScriptOptions } from "./script.ts";

function play(script: string, options: ScriptOptions = {}): void {
  for (const goesThroughSnapshots of [false, true]) {
    const played = runScript(script, { ...options, goesThroughSnapshots });
    expect(played).toBe(scriptText(script));
  }
}

describe("while a market gathers orders no account stands across an own order", () => {
  test("whichever of both comes second, at the same price too", () =>
    play(`
      the market is preOpen
        > the market is preOpen
      ann sells 5 at 100
        > 1 placed, 5 held
        > 1 rests with 5
      ann buys 5 at 101
        > refused: wouldCrossOwnOrder
      ann buys 5 at 100
        > refused: wouldCrossOwnOrder
      ann buys 5 at 99
        > 2 placed, 495 held
        > 2 rests with 5
      ann sells 5 at 99
        > refused: wouldCrossOwnOrder
      ann sells 5 at 98 post-only
        > refused: wouldCrossOwnOrder
      bob sells 5 at 98
        > 3 placed, 5 held
        > 3 rests with 5
      the market is trading
        > the market is trading
        > uncrossed: 5 at 98, surplus 0
        > 5 at 98 with 2: bob pays 1, ann pays 1, 5 released
        > 2 filled
        > 3 filled
      balances
        > ann: USD -490, BTC +4 (5 held)
        > bob: USD +489, BTC -5
        > cat: USD 0, BTC 0
        > fees: USD +1, BTC +1
    `));

  test("by amending the price of either; another quantity is no matter", () =>
    play(`
      the market is auction
        > the market is auction
      ann sells 5 at 100
        > 1 placed, 5 held
        > 1 rests with 5
      ann buys 5 at 95
        > 2 placed, 475 held
        > 2 rests with 5
      ann amends 1 to 5 at 95
        > refused: wouldCrossOwnOrder
      ann amends 2 to 5 at 100
        > refused: wouldCrossOwnOrder
      ann amends 2 to 9
        > 2 amended, 9 of 9 at 95, 380 held
        > 2 rests with 9
      ann amends 1 to 2
        > 1 amended, 2 of 2 at 100, in its place, 3 released
      bob buys 3 at 100
        > 3 placed, 300 held
        > 3 rests with 3
      the market is trading
        > the market is trading
        > uncrossed: 2 at 100, surplus 1
        > 2 at 100 with 1: bob pays 1, ann pays 1
        > 1 filled
    `));

  test("whose hidden lots count as it does", () =>
    play(`
      the market is auction
        > the market is auction
      ann sells 9 at 100 showing 1
        > 1 placed, 9 held
        > 1 rests with 9, showing 1
      ann buys 3 at 100
        > refused: wouldCrossOwnOrder
      bob buys 20 at 100
        > 2 placed, 2000 held
        > 2 rests with 20
      the market is trading
        > the market is trading
        > uncrossed: 9 at 100, surplus 11
        > 1 at 100 with 1: bob pays 1, ann pays 1
        > 1 shows 1 of 8
        > 1 at 100 with 1: bob pays 1, ann pays 1
        > 1 shows 1 of 7
        > 1 at 100 with 1: bob pays 1, ann pays 1
        > 1 shows 1 of 6
        > 1 at 100 with 1: bob pays 1, ann pays 1
        > 1 shows 1 of 5
        > 1 at 100 with 1: bob pays 1, ann pays 1
        > 1 shows 1 of 4
        > 1 at 100 with 1: bob pays 1, ann pays 1
        > 1 shows 1 of 3
        > 1 at 100 with 1: bob pays 1, ann pays 1
        > 1 shows 1 of 2
        > 1 at 100 with 1: bob pays 1, ann pays 1
        > 1 shows 1 of 1
        > 1 at 100 with 1: bob pays 1, ann pays 1
        > 1 filled
      ann buys 3 at 100
        > 3 placed, 300 held
        > 3 rests with 3
    `));

  test("by replacing an order or placing a list", () =>
    play(`
      the market is auction
        > the market is auction
      ann sells 5 at 100
        > 1 placed, 5 held
        > 1 rests with 5
      ann buys 5 at 95
        > 2 placed, 475 held
        > 2 rests with 5
      ann replaces 1: sells 5 at 95
        > refused: wouldCrossOwnOrder
      ann replaces or places 9: sells 5 at 94
        > refused: wouldCrossOwnOrder
      ann lists oto: buys 2 at 100 | sells 2 at 120
        > refused: wouldCrossOwnOrder
      book
        > sell 100: 5
        > buy 95: 5
    `));

  test("in whatever state it gathers them, and after a halt", () =>
    play(`
      ann sells 5 at 100
        > 1 placed, 5 held
        > 1 rests with 5
      the market is halted
        > the market is halted
      the market is preOpen
        > the market is preOpen
      ann buys 5 at 100
        > refused: wouldCrossOwnOrder
      the market is auction
        > the market is auction
      ann buys 5 at 100
        > refused: wouldCrossOwnOrder
      the market is cancelOnly
        > the market is cancelOnly
      ann buys 5 at 100
        > refused: marketNotTrading
      the market is auction
        > the market is auction
      bob buys 5 at 100
        > 2 placed, 500 held
        > 2 rests with 5
      the market is trading
        > the market is trading
        > uncrossed: 5 at 100, surplus 0
        > 5 at 100 with 1: bob pays 1, ann pays 1
        > 2 filled
        > 1 filled
    `));
});

describe("an order that stands in no book", () => {
  test("does not stand across: a stop meets its owner's orders when the auction is over", () =>
    play(`
      bob sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      cat buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100 with 1: cat pays 1, bob pays 1
        > 1 filled
        > 2 filled
      ann sells 5 at 90 stop 95
        > 3 placed, 5 held
        > 3 waits for 95
      the market is auction
        > the market is auction
      ann buys 5 at 93
        > 4 placed, 465 held
        > 4 rests with 5
      cat buys 2 at 94
        > 5 placed, 188 held
        > 5 rests with 2
      bob sells 2 at 94
        > 6 placed, 2 held
        > 6 rests with 2
      the market is trading
        > the market is trading
        > uncrossed: 2 at 94, surplus 0
        > 2 at 94 with 5: bob pays 1, cat pays 1
        > 5 filled
        > 6 filled
        > 3 activated with 5
        > 3 expired (selfTrade), 5 left, 5 released
      book
        > buy 93: 5
      balances
        > ann: USD 0 (465 held), BTC 0
        > bob: USD +286, BTC -3
        > cat: USD -288, BTC +1
        > fees: USD +2, BTC +2
    `));

  test("does not stand across: neither does one that waits for a working order", () =>
    play(`
      the market is auction
        > the market is auction
      ann lists oto: buys 2 at 100 | sells 2 at 90
        > list 1 of 1, 2
        > 1 placed, 200 held
        > 2 placed, 0 held
        > 2 waits
        > 1 rests with 2
      ann buys 3 at 95
        > 3 placed, 285 held
        > 3 rests with 3
      bob sells 2 at 100
        > 4 placed, 2 held
        > 4 rests with 2
      the market is trading
        > the market is trading
        > uncrossed: 2 at 100, surplus 0
        > 2 at 100 with 1: bob pays 1, ann pays 1
        > 1 filled
        > 4 filled
        > 2 activated with 2, 2 held
        > 2 expired (selfTrade), 2 left, 2 released
      book
        > buy 95: 3
    `));
});

describe("an order that the breaker stops", () => {
  test("expires where it would stand across an own order further away", () =>
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
      ann sells 1 at 112
        > 3 placed, 1 held
        > 3 rests with 1
      bob sells 1 at 110
        > 4 placed, 1 held
        > 4 rests with 1
      ann buys 3 at 115
        > 5 placed, 345 held
        > the market is halted by the breaker for 5s
        > 5 expired (selfTrade), 3 left, 345 released
      book
        > sell 112: 1
        > sell 110: 1
    `,
      { market: { breaker: { bps: 500, windowMs: 60000, haltMs: 5000, auctionMs: 10000 } } },
    ));

  test("rests where its owner's order stands beyond its limit", () =>
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
      ann sells 1 at 112
        > 3 placed, 1 held
        > 3 rests with 1
      bob sells 1 at 110
        > 4 placed, 1 held
        > 4 rests with 1
      ann buys 3 at 111
        > 5 placed, 333 held
        > the market is halted by the breaker for 5s
        > 5 rests with 3
      the market is trading
        > the market is trading
        > uncrossed: 1 at 110, surplus 2
        > 1 at 110 with 4: ann pays 1, bob pays 1, 1 released
        > 4 filled
      book
        > sell 112: 1
        > buy 111: 2
    `,
      { market: { breaker: { bps: 500, windowMs: 60000, haltMs: 5000, auctionMs: 10000 } } },
    ));

  test("has taken the own orders before out of its way, as its mode says", () =>
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
      ann sells 1 at 101
        > 3 placed, 1 held
        > 3 rests with 1
      bob sells 1 at 110
        > 4 placed, 1 held
        > 4 rests with 1
      ann buys 3 at 115 or expire-maker
        > 5 placed, 345 held
        > 3 expired (selfTrade), 1 left, 1 released
        > the market is halted by the breaker for 5s
        > 5 rests with 3
      the market is trading
        > the market is trading
        > uncrossed: 1 at 110, surplus 2
        > 1 at 110 with 4: ann pays 1, bob pays 1, 5 released
        > 4 filled
      book
        > buy 115: 2
    `,
      { market: { breaker: { bps: 500, windowMs: 60000, haltMs: 5000, auctionMs: 10000 } } },
    ));
});

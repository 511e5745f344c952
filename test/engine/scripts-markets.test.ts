import { describe, expect, test } from "vitest";
import type { Amount, Ticks } from "#engine/amount.ts";
import type { MarketDefinition } from "#engine/commands.ts";
import { runMarketScript } from "./script-markets.ts";
import { scriptText } from "./script.ts";

function play(script: string, terms: Partial<MarketDefinition> = {}): void {
  for (const goesThroughSnapshots of [false, true]) {
    const options = { terms, goesThroughSnapshots };
    expect(runMarketScript(script, options)).toBe(scriptText(script));
  }
}

describe("an auction", () => {
  test("gathers orders that cross and uncrosses them at one price, both sides paying a maker fee", () =>
    play(`
      the market is auction
        > the market is auction
      ann buys 10 at 105
        > 1 placed, 1050 held
        > 1 rests with 10
      bob sells 6 at 99
        > 2 placed, 6 held
        > 2 rests with 6
      cat sells 8 at 101
        > 3 placed, 8 held
        > 3 rests with 8
      dan buys 3 at 101
        > 4 placed, 303 held
        > 4 rests with 3
      book
        > sell 101: 8
        > sell 99: 6
        > buy 105: 10
        > buy 101: 3
      indicative
        > 13 at 101
      the market is trading
        > the market is trading
        > uncrossed: 13 at 101, surplus -1
        > 6 at 101: ann pays 1, bob pays 1, 24 released
        > 2 filled
        > 4 at 101: ann pays 1, cat pays 1, 16 released
        > 1 filled
        > 3 at 101: cat pays 1, dan pays 1
        > 4 filled
      book
        > sell 101: 1
      balances
        > ann: USD -1010, BTC +8
        > bob: USD +605, BTC -6
        > cat: USD +705, BTC -7 (1 held)
        > dan: USD -303, BTC +2
        > fees: USD +3, BTC +3
      ann buys 1 at 101
        > 5 placed, 101 held
        > 1 at 101: cat pays 1, ann pays 1
        > 3 filled
        > 5 filled
    `));

  test("takes limit orders that rest, and no others", () =>
    play(`
      the market is auction
        > the market is auction
      ann buys 1 at 100 ioc
        > refused: marketNotTrading
      ann buys 1 at 100 fok
        > refused: marketNotTrading
      ann buys 1 at market
        > refused: marketNotTrading
      ann buys 1 at 100 when 105
        > refused: marketNotTrading
      ann sells 5 at 100
        > 1 placed, 5 held
        > 1 rests with 5
      bob buys 5 at 101 post-only
        > 2 placed, 505 held
        > 2 rests with 5
      ann cancels 1
        > 1 cancelled, 5 released
      the market is trading
        > the market is trading
      book
        > buy 101: 5
    `));

  test("lets no account stand across an own order", () =>
    play(`
      the market is preOpen
        > the market is preOpen
      ann sells 5 at 100
        > 1 placed, 5 held
        > 1 rests with 5
      ann buys 5 at 100
        > refused: wouldCrossOwnOrder
      ann buys 5 at 99
        > 2 placed, 495 held
        > 2 rests with 5
      ann amends 2 to 5 at 100
        > refused: wouldCrossOwnOrder
      ann amends 2 to 6 at 98
        > 2 amended
        > 2 rests with 6
      bob buys 5 at 100
        > 3 placed, 500 held
        > 3 rests with 5
      bob amends 3 to 2 at 100
        > 3 amended
      the market is trading
        > the market is trading
        > uncrossed: 2 at 100, surplus -3
        > 2 at 100: ann pays 1, bob pays 1
        > 3 filled
    `));

  test("trades what icebergs hide after what is shown at their price", () =>
    play(`
      the market is auction
        > the market is auction
      ann sells 6 at 100 showing 2
        > 1 placed, 6 held
        > 1 rests with 6
      bob sells 3 at 100
        > 2 placed, 3 held
        > 2 rests with 3
      book
        > sell 100: 5
      cat buys 7 at 100
        > 3 placed, 700 held
        > 3 rests with 7
      indicative
        > 7 at 100
      the market is trading
        > the market is trading
        > uncrossed: 7 at 100, surplus -2
        > 2 at 100: ann pays 1, cat pays 1
        > 1 shows 2
        > 3 at 100: bob pays 1, cat pays 1
        > 2 filled
        > 2 at 100: ann pays 1, cat pays 1
        > 3 filled
        > 1 shows 2
      book
        > sell 100: 2
    `));

  test("ends by itself after its time, after a time of preparation where there was one", () =>
    play(`
      the market is preOpen for 60 s
        > the market is preOpen for 60 s
      ann buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      59 s pass
      1 s pass
        > the market is auction by the timer for 60 s
      bob sells 1 at 90
        > 2 placed, 1 held
        > 2 rests with 1
      60 s pass
        > the market is trading by the timer
        > uncrossed: 1 at 90, surplus 0
        > 1 at 90: ann pays 1, bob pays 1, 10 released
        > 1 filled
        > 2 filled
    `));

  test("begins at the market's reference price where nothing was traded before", () =>
    play(
      `
      the market is auction
        > the market is auction
      ann buys 1 at 110
        > 1 placed, 110 held
        > 1 rests with 1
      bob sells 1 at 90
        > 2 placed, 1 held
        > 2 rests with 1
      the market is trading
        > the market is trading
        > uncrossed: 1 at 103, surplus 0
        > 1 at 103: ann pays 1, bob pays 1, 7 released
        > 1 filled
        > 2 filled
    `,
      { referenceTicks: 103 as Ticks },
    ));

  test("reaches triggers with its price; they are taken up when trading begins", () =>
    play(`
      ann sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      bob buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled
      cat buys 2 at 120 when 105
        > 3 placed, 240 held
        > 3 waits for 105
      the market is auction
        > the market is auction
      ann sells 3 at 106
        > 4 placed, 3 held
        > 4 rests with 3
      bob buys 1 at 110
        > 5 placed, 110 held
        > 5 rests with 1
      the market is trading
        > the market is trading
        > uncrossed: 1 at 106, surplus -2
        > 1 at 106: ann pays 1, bob pays 1, 4 released
        > 5 filled
        > 3 activated
        > 2 at 106: ann pays 1, cat pays 1, 28 released
        > 4 filled
        > 3 filled
    `));
});

describe("a market that is", () => {
  test("halted takes nothing but cancels, and reopens by an auction", () =>
    play(`
      ann sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      ann sells 1 at 101
        > 2 placed, 1 held
        > 2 rests with 1
      the market is halted for 30 s
        > the market is halted for 30 s
      bob buys 1 at 100
        > refused: marketNotTrading
      ann amends 1 to 1 at 99
        > refused: marketNotTrading
      ann cancels 2
        > 2 cancelled, 1 released
      30 s pass
        > the market is auction by the timer for 60 s
      60 s pass
        > the market is trading by the timer
      bob buys 1 at 100
        > 3 placed, 100 held
        > 1 at 100: ann pays 1, bob pays 1
        > 1 filled
        > 3 filled
    `));

  test("halted without an end stays so until it is set again", () =>
    play(`
      the market is halted
        > the market is halted
      86400 s pass
      the market is trading
        > the market is trading
    `));

  test("set again before its time was up no longer ends by itself", () =>
    play(`
      the market is halted for 30 s
        > the market is halted for 30 s
      the market is trading
        > the market is trading
      the market is auction for 60 s
        > the market is auction for 60 s
      the market is auction for 90 s
        > the market is auction for 90 s
      60 s pass
      30 s pass
        > the market is trading by the timer
    `));

  test("cancel-only takes nothing but cancels", () =>
    play(`
      ann buys 1 at 100
        > 1 placed, 100 held
        > 1 rests with 1
      the market is cancelOnly
        > the market is cancelOnly
      bob sells 1 at 100
        > refused: marketNotTrading
      ann cancels 1
        > 1 cancelled, 100 released
    `));

  test("post-only takes orders that wait, and lets none be amended into a trade", () =>
    play(`
      ann sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      bob buys 1 at 95
        > 2 placed, 95 held
        > 2 rests with 1
      the market is postOnly
        > the market is postOnly
      cat buys 1 at 99
        > refused: marketNotTrading
      cat buys 1 at 100 post-only
        > refused: wouldCross
      cat buys 1 at 99 post-only
        > 3 placed, 99 held
        > 3 rests with 1
      bob amends 2 to 1 at 100
        > refused: wouldCross
      bob amends 2 to 1 at 99
        > 2 amended
        > 2 rests with 1
    `));

  test("post-only after an auction has uncrossed", () =>
    play(`
      the market is auction
        > the market is auction
      ann sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      bob buys 1 at 101
        > 2 placed, 101 held
        > 2 rests with 1
      the market is cancelOnly
        > the market is cancelOnly
      book
        > sell 100: 1
        > buy 101: 1
      the market is postOnly
        > the market is postOnly
        > uncrossed: 1 at 100, surplus 0
        > 1 at 100: ann pays 1, bob pays 1, 1 released
        > 2 filled
        > 1 filled
    `));

  test("closed has ended all orders, waiting ones too, in order of placement", () =>
    play(`
      ann sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      bob buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled
      cat buys 2 at 120 when 105
        > 3 placed, 240 held
        > 3 waits for 105
      ann sells 5 at 110 showing 1
        > 4 placed, 5 held
        > 4 rests with 5
      bob buys 1 at 90
        > 5 placed, 90 held
        > 5 rests with 1
      the market is closed
        > the market is closed
        > 3 cancelled (marketClosed), 240 released
        > 4 cancelled (marketClosed), 5 released
        > 5 cancelled (marketClosed), 90 released
      ann buys 1 at 90
        > refused: marketNotTrading
      book
        > empty
    `));

  test("anything is not set to a time that its state cannot end after", () =>
    play(`
      the market is trading for 30 s
        > refused: invalidDelay
      the market is closed for 30 s
        > refused: invalidDelay
      the market is asleep
        > refused: invalidCommand
    `));
});

const traded = `
      ann sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      bob buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled`;

describe("a price band", () => {
  test("refuses limit orders further from the last price than it is wide", () =>
    play(
      `${traded}
      cat buys 1 at 111
        > refused: priceOutsideBand
      cat buys 1 at 89
        > refused: priceOutsideBand
      cat buys 1 at 90
        > 3 placed, 90 held
        > 3 rests with 1
      cat amends 3 to 1 at 89
        > refused: priceOutsideBand
      cat amends 3 to 2 at 90
        > 3 amended
        > 3 rests with 2
      dan sells 1 at 110
        > 4 placed, 1 held
        > 4 rests with 1
    `,
      { priceBandBps: 1000 },
    ));

  test("counts from the reference price before the first trade, and from nothing without one", () => {
    play(
      `
      ann buys 1 at 211
        > refused: priceOutsideBand
      ann buys 1 at 190
        > 1 placed, 190 held
        > 1 rests with 1
    `,
      { priceBandBps: 500, referenceTicks: 200 as Ticks },
    );
    play(
      `
      ann buys 1 at 900
        > 1 placed, 900 held
        > 1 rests with 1
    `,
      { priceBandBps: 500 },
    );
  });

  test("is wider where an order waits, if the market says so", () =>
    play(
      `${traded}
      cat buys 1 at 106
        > refused: priceOutsideBand
      cat buys 1 at 69
        > refused: priceOutsideBand
      cat buys 1 at 70
        > 3 placed, 70 held
        > 3 rests with 1
      ann sells 1 at 94
        > refused: priceOutsideBand
      ann sells 1 at 131
        > refused: priceOutsideBand
      ann sells 1 at 130
        > 4 placed, 1 held
        > 4 rests with 1
      ann amends 4 to 1 at 131
        > refused: priceOutsideBand
      cat buys 1 at 105
        > 5 placed, 105 held
        > 5 rests with 1
    `,
      { priceBandBps: 500, passiveBandBps: 3000 },
    ));

  test("lets a buy wait at any price below, if it is a whole price or more wide", () =>
    play(
      `${traded}
      cat buys 1 at 1
        > 3 placed, 1 held
        > 3 rests with 1
      ann sells 1 at 300
        > 4 placed, 1 held
        > 4 rests with 1
      ann sells 1 at 301
        > refused: priceOutsideBand
    `,
      { priceBandBps: 500, passiveBandBps: 20_000 },
    ));

  test("that is wider where an order waits follows the best prices back from a far trade", () =>
    play(
      `
      ann sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      bob buys 1 at 100
        > 2 placed, 100 held
        > 1 at 100: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled
      cat buys 5 at 80
        > 3 placed, 400 held
        > 3 rests with 5
      dan sells 1 at 85
        > refused: priceOutsideBand
      ann sells 1 at 90
        > 4 placed, 1 held
        > 4 rests with 1
      dan sells 1 at 81
        > 5 placed, 1 held
        > 5 rests with 1
      dan sells 1 at market
        > 6 placed, 1 held
        > 1 at 80: cat pays 1, dan pays 1
        > 6 filled
    `,
      { priceBandBps: 1000, passiveBandBps: 9000 },
    ));

  test("holds for the first market order too: from the best price that it meets", () =>
    play(
      `
      ann sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      ann sells 1 at 105
        > 2 placed, 1 held
        > 2 rests with 1
      ann sells 1 at 106
        > 3 placed, 1 held
        > 3 rests with 1
      bob buys 3 at market
        > 4 placed, 205 held
        > 1 at 100: ann pays 1, bob pays 1
        > 1 filled
        > 1 at 105: ann pays 1, bob pays 1
        > 2 filled
        > 4 expired (priceBand)
    `,
      { priceBandBps: 500 },
    ));

  test("ends market orders at its edge; what lies beyond is neither held for nor traded", () =>
    play(
      `
      ann sells 1 at 100
        > 1 placed, 1 held
        > 1 rests with 1
      ann sells 1 at 109
        > 2 placed, 1 held
        > 2 rests with 1
      ann sells 1 at 111
        > 3 placed, 1 held
        > 3 rests with 1
      bob buys 1 at 100
        > 4 placed, 100 held
        > 1 at 100: ann pays 1, bob pays 1
        > 1 filled
        > 4 filled
      bob buys 2 at market
        > 5 placed, 109 held
        > 1 at 109: ann pays 1, bob pays 1
        > 2 filled
        > 5 expired (priceBand)
      cat spends 300 at market
        > 6 placed, 300 held
        > 1 at 111: ann pays 1, cat pays 1
        > 3 filled
        > 6 expired (bookExhausted), 189 released
    `,
      { priceBandBps: 1000 },
    ));

  test("ends an activated limit order that has come to lie outside it", () =>
    play(
      `${traded}
      cat buys 1 at 140 when 105
        > 3 placed, 140 held
        > 3 waits for 105
      ann sells 1 at 105
        > 4 placed, 1 held
        > 4 rests with 1
      bob buys 1 at 105
        > 5 placed, 105 held
        > 1 at 105: ann pays 1, bob pays 1
        > 4 filled
        > 5 filled
        > 3 activated
        > 3 expired (priceOutsideBand), 140 released
    `,
      { priceBandBps: 1000 },
    ));

  test("ends an activated market order to buy whose cap has come to lie below it", () =>
    play(
      `
      ann sells 1 at 115
        > 1 placed, 1 held
        > 1 rests with 1
      ann sells 1 at 126
        > 2 placed, 1 held
        > 2 rests with 1
      ann sells 1 at 133
        > 3 placed, 1 held
        > 3 rests with 1
      bob buys 1 at 109
        > 4 placed, 109 held
        > 4 rests with 1
      ann sells 1 at 109
        > 5 placed, 1 held
        > 1 at 109: bob pays 1, ann pays 1
        > 4 filled
        > 5 filled
      bob buys 1 at 126 when 112
        > 6 placed, 126 held
        > 6 waits for 112
      bob buys 1 at 133 when 112
        > 7 placed, 133 held
        > 7 waits for 112
      cat buys 1 at market when 112
        > 8 placed, 118 held
        > 8 waits for 112
      dan buys 1 at 115
        > 9 placed, 115 held
        > 1 at 115: ann pays 1, dan pays 1
        > 1 filled
        > 9 filled
        > 6 activated
        > 1 at 126: ann pays 1, bob pays 1
        > 2 filled
        > 6 filled
        > 7 activated
        > 1 at 133: ann pays 1, bob pays 1
        > 3 filled
        > 7 filled
        > 8 activated
        > 8 expired (priceOutsideBand), 118 released
    `,
      { priceBandBps: 1000, referenceTicks: 121 as Ticks },
    ));
});

describe("a breaker", () => {
  const breaker = { bps: 1000, windowMs: 60_000, haltMs: 30_000, auctionMs: 20_000 };

  test("halts before the trade that is too far away; the order rests and meets it in an auction", () =>
    play(
      `${traded}
      ann sells 1 at 110
        > 3 placed, 1 held
        > 3 rests with 1
      ann sells 1 at 111
        > 4 placed, 1 held
        > 4 rests with 1
      bob buys 3 at 112
        > 5 placed, 336 held
        > 1 at 110: ann pays 1, bob pays 1, 2 released
        > 3 filled
        > the market is halted by the breaker for 30 s
        > 5 rests with 2
      book
        > sell 111: 1
        > buy 112: 2
      30 s pass
        > the market is auction by the timer for 20 s
      20 s pass
        > the market is trading by the timer
        > uncrossed: 1 at 111, surplus 1
        > 1 at 111: ann pays 1, bob pays 1, 1 released
        > 4 filled
      cat sells 1 at 102
        > 6 placed, 1 held
        > 1 at 112: bob pays 1, cat pays 1
        > 5 filled
        > 6 filled
    `,
      { breaker },
    ));

  test("expires what may not rest, with its reason", () =>
    play(
      `${traded}
      ann sells 2 at 120
        > 3 placed, 2 held
        > 3 rests with 2
      bob buys 1 at market
        > 4 placed, 120 held
        > the market is halted by the breaker for 30 s
        > 4 expired (breaker), 120 released
      bob buys 1 at 120 ioc
        > refused: marketNotTrading
    `,
      { breaker },
    ));

  test("does not halt for a fill-or-kill order that it would cut short: that is refused", () =>
    play(
      `${traded}
      ann sells 1 at 105
        > 3 placed, 1 held
        > 3 rests with 1
      ann sells 1 at 120
        > 4 placed, 1 held
        > 4 rests with 1
      bob buys 2 at 120 fok
        > refused: wouldNotFill
      bob buys 1 at 120 fok
        > 5 placed, 120 held
        > 1 at 105: ann pays 1, bob pays 1, 15 released
        > 3 filled
        > 5 filled
    `,
      { breaker },
    ));

  test("counts from the last price at the begin of its window, not from the last one", () =>
    play(
      `${traded}
      ann sells 1 at 108
        > 3 placed, 1 held
        > 3 rests with 1
      ann sells 2 at 115
        > 4 placed, 2 held
        > 4 rests with 2
      bob buys 1 at 108
        > 5 placed, 108 held
        > 1 at 108: ann pays 1, bob pays 1
        > 3 filled
        > 5 filled
      60 s pass
      bob buys 1 at 115
        > 6 placed, 115 held
        > 1 at 115: ann pays 1, bob pays 1
        > 6 filled
      cat buys 1 at 112
        > 7 placed, 112 held
        > 7 rests with 1
      dan sells 1 at 97
        > 8 placed, 1 held
        > 1 at 112: cat pays 1, dan pays 1
        > 7 filled
        > 8 filled
    `,
      { breaker },
    ));

  test("starts again from the price at which its market reopens", () =>
    play(
      `${traded}
      ann sells 1 at 120
        > 3 placed, 1 held
        > 3 rests with 1
      ann sells 1 at 131
        > 4 placed, 1 held
        > 4 rests with 1
      ann sells 1 at 133
        > 5 placed, 1 held
        > 5 rests with 1
      bob buys 1 at 120
        > 6 placed, 120 held
        > the market is halted by the breaker for 30 s
        > 6 rests with 1
      30 s pass
        > the market is auction by the timer for 20 s
      20 s pass
        > the market is trading by the timer
        > uncrossed: 1 at 120, surplus 0
        > 1 at 120: ann pays 1, bob pays 1
        > 6 filled
        > 3 filled
      bob buys 1 at 131
        > 7 placed, 131 held
        > 1 at 131: ann pays 1, bob pays 1
        > 4 filled
        > 7 filled
      bob buys 1 at 133
        > 8 placed, 133 held
        > the market is halted by the breaker for 30 s
        > 8 rests with 1
    `,
      { breaker: { ...breaker, windowMs: 86_400_000 } },
    ));

  test("lets an order that would then stand across an own one expire", () =>
    play(
      `${traded}
      ann sells 1 at 120
        > 3 placed, 1 held
        > 3 rests with 1
      bob sells 1 at 125
        > 4 placed, 1 held
        > 4 rests with 1
      bob buys 2 at 130
        > 5 placed, 260 held
        > the market is halted by the breaker for 30 s
        > 5 expired (selfTrade), 260 released
    `,
      { breaker },
    ));

  test("stops the triggers of the trade before; they are looked at again when trading begins", () =>
    play(
      `${traded}
      cat buys 1 at 130 when 105
        > 3 placed, 130 held
        > 3 waits for 105
      ann sells 1 at 106
        > 4 placed, 1 held
        > 4 rests with 1
      ann sells 2 at 120
        > 5 placed, 2 held
        > 5 rests with 2
      bob buys 2 at 121
        > 6 placed, 242 held
        > 1 at 106: ann pays 1, bob pays 1, 15 released
        > 4 filled
        > the market is halted by the breaker for 30 s
        > 6 rests with 1
      50 s pass
        > the market is auction by the timer for 0 s
        > the market is trading by the timer
        > uncrossed: 1 at 120, surplus -1
        > 1 at 120: ann pays 1, bob pays 1, 1 released
        > 6 filled
        > 3 activated
        > 1 at 120: ann pays 1, cat pays 1, 10 released
        > 5 filled
        > 3 filled
    `,
      { breaker },
    ));
});

describe("an order's notional", () => {
  test("is at most what the market allows, by price or at the market", () =>
    play(
      `
      ann sells 10 at 100
        > 1 placed, 10 held
        > 1 rests with 10
      bob buys 11 at 100
        > refused: notionalTooLarge
      bob sells 10 at 101
        > refused: notionalTooLarge
      bob buys 11 at market
        > refused: notionalTooLarge
      bob spends 1001 at market
        > refused: notionalTooLarge
      ann amends 1 to 11 at 100
        > refused: notionalTooLarge
      bob spends 1000 at market
        > 2 placed, 1000 held
        > 10 at 100: ann pays 1, bob pays 1
        > 1 filled
        > 2 filled
    `,
      { notionalMax: 1000 as Amount },
    ));
});

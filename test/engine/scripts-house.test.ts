import { describe, expect, test } from "vitest";
import { runHouseScript } from "./script-house.ts";
import { scriptText } from "./script.ts";

function play(script: string): void {
  expect(runHouseScript(script)).toBe(scriptText(script));
}

describe("choosing a plan", () => {
  test("charges a paid one at once, to the house", () =>
    play(`
      ann chooses pro
        > ann is on pro
        > pays 49.00, until 2026-02-01
      money
        > ann -49.00
        > house +49.00
      ann chooses pro
        > refused: planUnchanged
    `));

  test("is refused where the balance does not suffice, and changes nothing", () =>
    play(`
      ann buys 990 at 97
        > 1 placed at 20/25 by plan
        > 1 rests
      ann chooses pro
        > refused: insufficientAvailable
      ann cancels 1
        > 1 cancelled
      ann chooses pro
        > ann is on pro
        > pays 49.00, until 2026-02-01
    `));

  test("a more expensive one holds at once and credits what is left by time, rounded down", () =>
    play(`
      at 2026-04-01T00:00:00
      ann chooses pro
        > ann is on pro
        > pays 49.00, until 2026-05-01
      at 2026-04-11T00:00:00
      ann chooses plus
        > ann is on plus
        > pays 65.34, 32.66 credited, until 2026-05-11
      money
        > ann -114.34
        > house +114.34
    `));

  test("a cheaper one holds when what is paid has run, until then it may be taken back", () =>
    play(`
      ann chooses plus
        > ann is on plus
        > pays 98.00, until 2026-02-01
      ann chooses pro
        > ann will be on pro from 2026-02-01
      ann chooses pro
        > refused: planUnchanged
      ann buys 1 at 100
        > 1 placed at 2/4 by plan
        > 1 rests
      ann chooses plus
        > ann is on plus
      ann chooses free
        > ann will be on free from 2026-02-01
      money
        > ann -98.00
        > house +98.00
    `));

  test("one that an administrator assigns is refused, and being assigned one ends what is paid", () =>
    play(`
      ann chooses maker
        > refused: planNotOffered
      ann chooses pro
        > ann is on pro
        > pays 49.00, until 2026-02-01
      the admin assigns maker to ann
        > ann is on maker
      ann chooses free
        > ann is on free
      ann chooses pro
        > ann is on pro
        > pays 49.00, until 2026-02-01
      money
        > ann -98.00
        > house +98.00
    `));

  test("a new price holds for the next to choose, not for who has paid", () =>
    play(`
      ann chooses pro
        > ann is on pro
        > pays 49.00, until 2026-02-01
      pro costs 60
        > planUpdated
      bob chooses pro
        > bob is on pro
        > pays 60.00, until 2026-02-01
      ann chooses plus
        > ann is on plus
        > pays 49.00, 49.00 credited, until 2026-02-01
    `));
});

describe("a paid period", () => {
  test("is renewed on the day of the choice, or on the last day of a month that lacks it", () =>
    play(`
      on 2026-01-31
      ann chooses pro
        > ann is on pro
        > pays 49.00, until 2026-02-28
      at 2026-02-28T11:59:59.999
      time passes
      on 2026-02-28
      time passes
        > pays 49.00, until 2026-03-31
      on 2026-04-01
      bob buys 1 at 100
        > pays 49.00, until 2026-04-30
        > 1 placed at 20/25 by plan
        > 1 rests
      money
        > ann -147.00
        > house +147.00
    `));

  test("is renewed at the price of its day, and lapses where the balance does not suffice", () =>
    play(`
      ann chooses pro
        > ann is on pro
        > pays 49.00, until 2026-02-01
      pro costs 60
        > planUpdated
      on 2026-02-01
      time passes
        > pays 60.00, until 2026-03-01
      olga proposes -850.00 USD for ann: court order
        > adjustment 1 waits
      paul approves 1
        > ann gives 850.00: court order (olga, paul)
      on 2026-03-01
      time passes
        > ann falls from pro to free: insufficientAvailable
      ann buys 1 at 100
        > 1 placed at 20/25 by plan
        > 1 rests
      on 2026-04-01
      time passes
    `));

  test("that another plan follows ends with it", () =>
    play(`
      ann chooses plus
        > ann is on plus
        > pays 98.00, until 2026-02-01
      ann chooses pro
        > ann will be on pro from 2026-02-01
      bob chooses plus
        > bob is on plus
        > pays 98.00, until 2026-02-01
      bob chooses free
        > bob will be on free from 2026-02-01
      on 2026-02-02
      time passes
        > ann is on pro
        > pays 49.00, until 2026-03-01
        > bob is on free
      on 2026-03-02
      time passes
        > pays 49.00, until 2026-04-01
    `));

  test("is not charged for the months in which nothing ran", () =>
    play(`
      ann chooses pro
        > ann is on pro
        > pays 49.00, until 2026-02-01
      on 2026-07-15
      time passes
        > pays 49.00, until 2026-08-01
    `));

  test("of a frozen account is not charged: it lapses", () =>
    play(`
      ann chooses pro
        > ann is on pro
        > pays 49.00, until 2026-02-01
      olga freezes ann: asked by the police
        > accountFreezeChanged
      on 2026-02-01
      time passes
        > ann falls from pro to free: accountFrozen
      money
        > ann -49.00
        > house +49.00
    `));

  test("that was ended by an assignment is never renewed", () =>
    play(`
      ann chooses pro
        > ann is on pro
        > pays 49.00, until 2026-02-01
      the admin assigns pro to ann
        > ann is on pro
      on 2026-02-01
      time passes
      money
        > ann -49.00
        > house +49.00
    `));
});

describe("the fees of an order", () => {
  test("follow the volume of the days before, and stay with an order that rests", () =>
    play(`
      ann buys 400 at 100
        > 1 placed at 20/25 by plan
        > 1 rests
      bob sells 300 at 100
        > 2 placed at 20/25 by plan
        > 300 traded, ann pays 1, bob pays 75
        > 2 filled
      ann buys 200 at 99
        > 3 placed at 20/25 by plan
        > 3 rests
      cat sells 300 at 99
        > 4 placed at 20/25 by plan
        > 100 traded, ann pays 1, cat pays 25
        > 1 filled
        > 200 traded, ann pays 1, cat pays 50
        > 3 filled
        > 4 filled
      ann buys 10 at 50
        > 5 placed at 20/25 by plan
        > 5 rests
      at 2026-01-02T00:00:00
      ann buys 10 at 51
        > 6 placed at 12/18 by volume
        > 6 rests
      bob buys 10 at 49
        > 7 placed at 20/25 by plan
        > 7 rests
      on 2026-01-31
      ann buys 2 at 48
        > 8 placed at 12/18 by volume
        > 8 rests
      on 2026-02-01
      ann buys 2 at 47
        > 9 placed at 20/25 by plan
        > 9 rests
    `));

  test("stay with an order that is amended, whatever plan was chosen since", () =>
    play(`
      ann buys 100 at 100
        > 1 placed at 20/25 by plan
        > 1 rests
      ann chooses plus
        > ann is on plus
        > pays 98.00, until 2026-02-01
      ann amends 1 to 400
        > orderAmended
        > 1 rests
      bob sells 400 at 100
        > 2 placed at 20/25 by plan
        > 400 traded, ann pays 1, bob pays 100
        > 1 filled
        > 2 filled
      ann buys 1 at 100
        > 3 placed at 2/4 by plan
        > 3 rests
    `));

  test("are the market's own where it has them, whatever plan and volume say", () =>
    play(`
      ann buys 1 at 100
        > 1 placed at 20/25 by plan
        > 1 rests
      BTC fees are 0/1
        > marketUpdated
      ann buys 1 at 101
        > 2 placed at 0/1 by market
        > 2 rests
      ann chooses pro
        > ann is on pro
        > pays 49.00, until 2026-02-01
      ann buys 1 at 102
        > 3 placed at 0/1 by market
        > 3 rests
      BTC fees are as of the plans
        > marketUpdated
      ann buys 1 at 103
        > 4 placed at 4/8 by plan
        > 4 rests
    `));

  test("follow a change of plan at once, for the orders that come after it", () =>
    play(`
      ann buys 100 at 100
        > 1 placed at 20/25 by plan
        > 1 rests
      the admin assigns maker to ann
        > ann is on maker
      ann buys 100 at 99
        > 2 placed at 0/5 by plan
        > 2 rests
      bob sells 200 at 99
        > 3 placed at 20/25 by plan
        > 100 traded, ann pays 1, bob pays 25
        > 1 filled
        > 100 traded, ann pays 0, bob pays 25
        > 2 filled
        > 3 filled
    `));
});

describe("what a plan grants", () => {
  test("changes with its definition, for the orders that come after it", () =>
    play(`
      ann chooses pro
        > ann is on pro
        > pays 49.00, until 2026-02-01
      ann buys 1 at 100
        > 1 placed at 4/8 by plan
        > 1 rests
      pro takes 5/9
        > planUpdated
      ann buys 1 at 99
        > 2 placed at 5/9 by plan
        > 2 rests
    `));

  test("is a largest notional too, in markets quoted in its currency", () =>
    play(`
      ann buys 501 at 100
        > 1 placed at 20/25 by plan
        > 1 rests
      ann cancels 1
        > 1 cancelled
      ann chooses pro
        > ann is on pro
        > pays 49.00, until 2026-02-01
      ann buys 501 at 100
        > refused: notionalTooLarge
      ann sells 501 at 100
        > refused: notionalTooLarge
      ann buys 500 at 100
        > 2 placed at 4/8 by plan
        > 2 rests
    `));

  test("goes by the volume of auctions too, on both sides", () =>
    play(`
      BTC is auction
        > marketStatusChanged
      ann buys 600 at 100
        > 1 placed at 20/25 by plan
        > 1 rests
      bob sells 600 at 100
        > 2 placed at 20/25 by plan
        > 2 rests
      BTC is trading
        > marketStatusChanged
        > auctionUncrossed
        > 600 traded, ann pays 2, bob pays 120
        > 1 filled
        > 2 filled
      on 2026-01-02
      ann buys 1 at 99
        > 3 placed at 12/18 by volume
        > 3 rests
      bob buys 1 at 98
        > 4 placed at 12/18 by volume
        > 4 rests
    `));
});

describe("an earned plan", () => {
  test("is chosen with its volume, and lapses at the end of a month without it", () =>
    play(`
      ann buys 300 at 100
        > 1 placed at 20/25 by plan
        > 1 rests
      bob sells 300 at 100
        > 2 placed at 20/25 by plan
        > 300 traded, ann pays 1, bob pays 75
        > 1 filled
        > 2 filled
      ann chooses active
        > refused: volumeNotReached
      on 2026-01-02
      ann chooses active
        > ann is on active
        > pays 0.00, until 2026-02-02
      ann chooses pro
        > ann is on pro
        > pays 49.00, until 2026-02-02
      bob chooses active
        > bob is on active
        > pays 0.00, until 2026-02-02
      on 2026-02-02
      time passes
        > pays 49.00, until 2026-03-02
        > bob falls from active to free: volumeNotReached
    `));
});

describe("an adjustment", () => {
  test("moves money when a second administrator approves it", () =>
    play(`
      olga proposes 12.50 USD for ann: lost in a transfer
        > adjustment 1 waits
      money
      olga approves 1
        > refused: sameAdministrator
      paul approves 1
        > ann gets 12.50: lost in a transfer (olga, paul)
      money
        > ann +12.50
        > adjustments -12.50
      paul approves 1
        > refused: unknownAdjustment
    `));

  test("may take, but never what is not there; what waits may be approved later", () =>
    play(`
      ann buys 990 at 100
        > 1 placed at 20/25 by plan
        > 1 rests
      olga proposes -20.00 USD for ann: paid out twice
        > adjustment 1 waits
      paul approves 1
        > refused: insufficientAvailable
      ann cancels 1
        > 1 cancelled
      paul approves 1
        > ann gives 20.00: paid out twice (olga, paul)
      money
        > ann -20.00
        > adjustments +20.00
    `));

  test("may be rejected by any administrator, the one who proposed it included", () =>
    play(`
      olga proposes 1 USD for ann: one
        > adjustment 1 waits
      olga proposes 2 USD for ann: two
        > adjustment 2 waits
      olga rejects 1
        > adjustmentRejected
      paul rejects 2
        > adjustmentRejected
      paul approves 2
        > refused: unknownAdjustment
    `));

  test("needs an account, an amount and a reason", () =>
    play(`
      olga proposes 1 USD for ann
        > refused: invalidCommand
      olga proposes 0 USD for ann: nothing
        > refused: invalidAmount
      olga proposes 1 USD for zoe: no one
        > refused: unknownAccount
    `));
});

describe("a frozen account", () => {
  test("changes no plan and places nothing but may cancel; its orders stay and trade", () =>
    play(`
      ann buys 2 at 100
        > 1 placed at 20/25 by plan
        > 1 rests
      ann buys 1 at 99
        > 2 placed at 20/25 by plan
        > 2 rests
      olga freezes ann: stolen password
        > accountFreezeChanged
      ann chooses pro
        > refused: accountFrozen
      ann buys 1 at 98
        > refused: accountFrozen
      bob sells 2 at 100
        > 3 placed at 20/25 by plan
        > 2 traded, ann pays 1, bob pays 1
        > 1 filled
        > 3 filled
      ann cancels 2
        > 2 cancelled
      olga unfreezes ann: it was a mistake
        > accountFreezeChanged
      ann chooses pro
        > ann is on pro
        > pays 49.00, until 2026-02-01
    `));

  test("loses its orders only where that is asked for", () =>
    play(`
      ann buys 2 at 100
        > 1 placed at 20/25 by plan
        > 1 rests
      bob buys 2 at 100
        > 2 placed at 20/25 by plan
        > 2 rests
      olga freezes and clears ann: court order
        > accountFreezeChanged
        > 1 cancelled
    `));
});

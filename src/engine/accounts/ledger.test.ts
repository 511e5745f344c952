import { describe, expect, test } from "vitest";
import { AMOUNT_MAX } from "../amount.ts";
import { Ledger } from "./ledger.ts";
import { ADJUSTMENTS_ACCOUNT, EXTERNAL_ACCOUNT, FEES_ACCOUNT, HOUSE_ACCOUNT } from "./postings.ts";

const ANN = 16;
const BOB = 17;
const CAT = 18;
const USD = 1;
const BTC = 2;

function withFunds(amount: number): Ledger {
  const ledger = new Ledger();
  ledger.deposit(ANN, USD, amount);
  return ledger;
}

/**
 * The payer, which holds enough, buys nothing for an amount; the receiver gets the remainder after the fee.
 */
function pay(ledger: Ledger, payer: number, receiver: number, amount: number, fee: number): void {
  ledger.settleMaker(receiver, BTC, 0, USD, amount - fee);
  ledger.settleTaker(payer, USD, amount, 0, fee, BTC, 0, 0);
}

describe("a ledger", () => {
  test("moves what is available to another account, and nothing else", () => {
    const ledger = withFunds(100);
    ledger.transfer(ANN, HOUSE_ACCOUNT, USD, 30);
    expect(ledger.available(ANN, USD)).toBe(70);
    expect(ledger.available(HOUSE_ACCOUNT, USD)).toBe(30);
    expect(ledger.supply(USD)).toBe(100n);
    expect(ledger.sum(USD)).toBe(0n);
  });

  test("stops before an account owes anything", () => {
    const ledger = withFunds(100);
    ledger.hold(ANN, USD, 60);
    expect(() => ledger.transfer(ANN, BOB, USD, 41)).toThrow("a transfer is covered");
    expect(() => withFunds(1).hold(ANN, USD, 2)).toThrow("a hold is covered");
    expect(() => withFunds(1).release(ANN, USD, 1)).toThrow("a release is held");
    expect(() => withFunds(1).transfer(ANN, BOB, USD, -1)).toThrow("money moves forwards");
  });

  test("counts what adjustments gave as supply", () => {
    const ledger = withFunds(AMOUNT_MAX - 5);
    ledger.transfer(ADJUSTMENTS_ACCOUNT, BOB, USD, 7);
    expect(ledger.supply(USD)).toBe(BigInt(AMOUNT_MAX) + 2n);
    expect(ledger.sum(USD)).toBe(0n);
  });

  test("stops before what one account owns leaves the exact range, what it holds included", () => {
    const full = () => {
      const ledger = withFunds(AMOUNT_MAX);
      ledger.hold(ANN, USD, 10);
      ledger.deposit(BOB, USD, 10);
      ledger.hold(BOB, USD, 10);
      return ledger;
    };
    expect(() => full().deposit(ANN, USD, 1)).toThrow("balance is exact");
    expect(() => full().transfer(ADJUSTMENTS_ACCOUNT, ANN, USD, 1)).toThrow("balance is exact");
    expect(() => pay(full(), BOB, ANN, 3, 2)).toThrow("balance is exact");
    const ledger = full();
    ledger.deposit(CAT, BTC, 1);
    ledger.hold(CAT, BTC, 1);
    ledger.settleMaker(CAT, BTC, 1, USD, 0);
    expect(() => ledger.settleTaker(ANN, BTC, 0, 0, 0, USD, 1, 0)).toThrow("balance is exact");
  });

  test("is exact beyond any range in the accounts of the exchange", () => {
    const ledger = new Ledger();
    const amount = AMOUNT_MAX - 2;
    for (let taker = 0; taker < 40; taker++) {
      ledger.deposit(ANN, USD, amount);
      ledger.transfer(ANN, taker % 2 === 0 ? HOUSE_ACCOUNT : ADJUSTMENTS_ACCOUNT, USD, amount - 7);
      ledger.hold(ANN, USD, 7);
      pay(ledger, ANN, BOB, 7, 6);
    }
    const exact = BigInt(amount);
    expect(ledger.exactAvailable(EXTERNAL_ACCOUNT, USD)).toBe(-40n * exact);
    expect(ledger.exactAvailable(HOUSE_ACCOUNT, USD)).toBe(20n * (exact - 7n));
    expect(ledger.exactAvailable(ADJUSTMENTS_ACCOUNT, USD)).toBe(20n * (exact - 7n));
    expect(ledger.available(HOUSE_ACCOUNT, USD)).toBe(AMOUNT_MAX);
    expect(ledger.supply(USD)).toBe(40n * exact);
    expect(ledger.sum(USD)).toBe(0n);
    // And back, through zero to the other side.
    for (let taker = 0; taker < 40; taker++) {
      ledger.transfer(ADJUSTMENTS_ACCOUNT, CAT, USD, amount);
      ledger.transfer(CAT, EXTERNAL_ACCOUNT, USD, amount);
    }
    expect(ledger.exactAvailable(EXTERNAL_ACCOUNT, USD)).toBe(0n);
    expect(ledger.exactAvailable(ADJUSTMENTS_ACCOUNT, USD)).toBe(-20n * (exact + 7n));
    expect(ledger.sum(USD)).toBe(0n);
  });

  test("collects fees beyond any range", () => {
    const ledger = new Ledger();
    for (let trade = 0; trade < 5; trade++) {
      ledger.deposit(ANN, USD, AMOUNT_MAX);
      ledger.hold(ANN, USD, AMOUNT_MAX);
      pay(ledger, ANN, BOB, AMOUNT_MAX, AMOUNT_MAX - 1);
    }
    expect(ledger.exactAvailable(FEES_ACCOUNT, USD)).toBe(5n * BigInt(AMOUNT_MAX - 1));
    expect(ledger.available(BOB, USD)).toBe(5);
    expect(ledger.sum(USD)).toBe(0n);
  });

  test("keeps what adjustments took: it is still owned", () => {
    const ledger = withFunds(100);
    ledger.transfer(ANN, ADJUSTMENTS_ACCOUNT, USD, 40);
    expect(ledger.supply(USD)).toBe(100n);
    ledger.transfer(ADJUSTMENTS_ACCOUNT, ANN, USD, 100);
    expect(ledger.supply(USD)).toBe(160n);
    expect(ledger.sum(USD)).toBe(0n);
  });

  describe("a taker settles once for trades with several makers", () => {
    /** ANN holds 90 USD, BOB and CAT 10 and 20 BTC. */
    const traders = () => {
      const ledger = withFunds(100);
      ledger.hold(ANN, USD, 90);
      for (const [maker, lots] of [
        [BOB, 10],
        [CAT, 20],
      ]) {
        ledger.deposit(maker, BTC, lots);
        ledger.hold(maker, BTC, lots);
      }
      return ledger;
    };

    test("each maker is paid at its trade, the taker and both sides' fees at the end", () => {
      const ledger = traders();
      ledger.settleMaker(BOB, BTC, 10, USD, 19);
      ledger.settleMaker(CAT, BTC, 15, USD, 29);
      expect([ledger.held(BOB, BTC), ledger.available(BOB, USD)]).toEqual([0, 19]);
      expect([ledger.held(CAT, BTC), ledger.available(CAT, USD)]).toEqual([5, 29]);
      ledger.settleTaker(ANN, USD, 50, 10, 2, BTC, 22, 3);
      expect([ledger.available(ANN, USD), ledger.held(ANN, USD)]).toEqual([20, 30]);
      expect(ledger.available(ANN, BTC)).toBe(22);
      expect(ledger.available(FEES_ACCOUNT, USD)).toBe(2);
      expect(ledger.available(FEES_ACCOUNT, BTC)).toBe(3);
      expect([ledger.sum(USD), ledger.sum(BTC)]).toEqual([0n, 0n]);
    });

    const mistakes: [string, Parameters<Ledger["settleTaker"]>, string][] = [
      ["spends less than makers and fees get", [ANN, USD, 49, 11, 31, BTC, 7, 3], "its makers"],
      ["spends more than makers and fees get", [ANN, USD, 51, 9, 31, BTC, 7, 3], "its makers"],
      ["receives less than its makers spent", [ANN, USD, 50, 10, 31, BTC, 6, 3], "makers spend"],
      ["pays more fees than its makers spent", [ANN, USD, 50, 10, 31, BTC, 7, 4], "makers spend"],
      ["spends more than it held", [ANN, USD, 80, 11, 61, BTC, 7, 3], "is held"],
    ];
    test.each(mistakes)("notices a taker who %s", (_, terms, finding) => {
      const ledger = traders();
      ledger.settleMaker(BOB, BTC, 10, USD, 19);
      expect(() => ledger.settleTaker(...terms)).toThrow(finding);
    });

    test("notices a maker who spends more than it held, or pays more in fees than it gets", () => {
      expect(() => traders().settleMaker(BOB, BTC, 11, USD, 19)).toThrow("is held");
      expect(() => traders().settleMaker(BOB, BTC, 10, USD, -1)).toThrow(
        "part of what is received",
      );
      expect(() => traders().settleTaker(ANN, USD, 50, 10, 31, BTC, -1, 11)).toThrow(
        "part of what is received",
      );
    });
  });

  test("notices on the spot when a movement is not exact", () => {
    // A broken amount is lost in the addition: the balances then sum to something else.
    const ledger = withFunds(AMOUNT_MAX);
    expect(() => ledger.hold(ANN, USD, 1.5)).toThrow("arrives in another");
    const paying = withFunds(AMOUNT_MAX);
    paying.hold(ANN, USD, AMOUNT_MAX - 2);
    expect(() => pay(paying, ANN, BOB, 1.5, 0)).toThrow("its makers");
  });
});

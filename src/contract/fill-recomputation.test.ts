import { expect, test } from "vitest";
import type { FillProof } from "./fill-proof.ts";
import type { LedgerEntry } from "./types.ts";
import { recomputeFill } from "./fill-recomputation.ts";

type Posting = readonly [
  reason: LedgerEntry["reason"],
  balance: LedgerEntry["balance"],
  coin: string,
  amount: string,
];

/** A buyer with a limit of 61 000 takes 0.2 BTC at 60 000 and pays 25 bps of the BTC. */
const POSTINGS: readonly Posting[] = [
  ["trade", "held", "USD", "-12000.00"],
  ["trade", "available", "BTC", "0.20000000"],
  ["takerFee", "available", "BTC", "-0.00050000"],
];

function record(
  fill: Partial<FillProof["fill"]> = {},
  postings: readonly Posting[] = POSTINGS,
  price: string | null = "61000.00",
): FillProof {
  return {
    fill: {
      tradeId: 7,
      orderId: "3",
      market: "BTC-USD",
      side: "buy",
      price: "60000.00",
      quantity: "0.20000",
      quoteAmount: "12000.00",
      fee: "0.00050000",
      feeCoin: "BTC",
      feeBps: 25,
      feeSource: "plan",
      role: "taker",
      time: 0,
      sequence: 40,
      ...fill,
    },
    order: { orderId: "3", price } as FillProof["order"],
    base: { coin: "BTC", scale: 8 },
    quote: { coin: "USD", scale: 2 },
    postings: postings.map(([reason, balance, coin, amount], index) => ({
      id: `40-${index}`,
      sequence: 40,
      time: 0,
      coin,
      amount,
      balance,
      reason,
      orderId: "3",
    })),
  };
}

test("a fill that is right agrees in every line", () => {
  expect(recomputeFill(record())).toMatchObject({
    total: "12000.00",
    paid: "12000.00",
    paidCoin: "USD",
    received: "0.20000000",
    feeExact: "0.000500000000",
    fee: "0.00050000",
    roundingAdded: "0.000000000000",
    net: "0.19950000",
    agrees: true,
  });
});

test("a fee that is no whole unit is rounded up, and the page can say by how much", () => {
  const sale: readonly Posting[] = [
    ["trade", "held", "BTC", "-0.00001000"],
    ["trade", "available", "USD", "0.61"],
    ["makerFee", "available", "USD", "-0.01"],
  ];
  const numbers = { price: "61000.00", quantity: "0.00001", quoteAmount: "0.61", fee: "0.01" };
  const maker = { side: "sell", role: "maker", feeBps: 20, feeCoin: "USD", ...numbers } as const;
  expect(recomputeFill(record(maker, sale))).toMatchObject({
    feeExact: "0.001220",
    fee: "0.01",
    roundingAdded: "0.008780",
    net: "0.60",
    agrees: true,
  });
});

test("a buyer is told what the better price spared, who has no limit nothing", () => {
  expect(recomputeFill(record()).spared).toBe("200.00");
  expect(recomputeFill(record({}, POSTINGS, null)).spared).toBe("0.00");
});

test.each<[name: string, fill: Partial<FillProof["fill"]>, postings: readonly Posting[]]>([
  ["a total that is no product of price and quantity", { quoteAmount: "12000.01" }, POSTINGS],
  ["a fee one unit too high", { fee: "0.00050001" }, POSTINGS],
  ["a fee in the wrong coin", { feeCoin: "USD" }, POSTINGS],
  ["a posting that is missing", {}, POSTINGS.slice(1)],
  [
    "a posting of another amount",
    {},
    [["trade", "held", "USD", "-12000.01"], ...POSTINGS.slice(1)],
  ],
  ["a posting too many", {}, [...POSTINGS, ["takerFee", "available", "BTC", "-0.00000001"]]],
  ["a posting that has no place in a fill", {}, [...POSTINGS, ["hold", "held", "USD", "5.00"]]],
])("%s does not agree", (_, fill, postings) => {
  expect(recomputeFill(record(fill, postings)).agrees).toBe(false);
});

test("amounts near the largest stay exact", () => {
  const quantity = "90071992.54740991";
  const huge = { price: "1.00", quantity, quoteAmount: "90071992.54", fee: "225179.98136853" };
  expect(recomputeFill(record({ ...huge, quantity: "90071992.54" }, [], null)).total).toBe(
    "90071992.54",
  );
  expect(() => recomputeFill(record(huge, [], null))).toThrow("has more than 2 decimals");
});

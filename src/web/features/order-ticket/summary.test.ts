import { describe, expect, test } from "vitest";
import type { Book } from "#contract/types.ts";
import { isSizedByTotal, summarize } from "./summary.ts";
import type { TicketContext } from "./ticket-context.ts";
import { INITIAL_TICKET, type TicketState } from "./ticket-state.ts";
import { TEST_MARKET as MARKET } from "./test-market.ts";

const BOOK: Book = {
  market: "BTC-USD",
  updateId: 1,
  asks: ["100.00", "1.0000", "101.00", "2.0000", "110.00", "5.0000"],
  bids: ["99.00", "1.0000", "98.00", "2.0000", "90.00", "5.0000"],
};
const CONTEXT: TicketContext = {
  market: MARKET,
  book: BOOK,
  settlement: { coin: "USD", rate: "1" },
  last: "100.00",
  available: { base: "2.50000000", quote: "1000.000000" },
  fees: { makerFeeBps: 20, takerFeeBps: 25 },
  scales: { base: 8, quote: 6 },
};

function ticket(changes: Partial<TicketState>): TicketState {
  return { ...INITIAL_TICKET, ...changes };
}
const quantity = (text: string) => ({ sizing: { kind: "quantity", text } }) as const;
const total = (text: string) => ({ sizing: { kind: "total", text } }) as const;
const percent = (value: number) => ({ sizing: { kind: "percent", percent: value } }) as const;

describe("limit order", () => {
  test("a resting buy costs price times quantity and pays the maker fee in the base coin", () => {
    const summary = summarize(ticket({ priceText: "95", ...quantity("2") }), CONTEXT);
    expect(summary).toMatchObject({
      price: "95.00",
      quantity: "2.0000",
      total: "190.000000",
      feeRole: "maker",
      wouldTrade: false,
      pays: { coin: "USD", amount: "190.000000" },
      fee: { coin: "BTC", amount: "0.00400000" },
      feeValue: "0.380000",
      receives: { coin: "BTC", amount: "1.99600000" },
    });
  });

  test("the fee is rounded up to the received coin's smallest unit", () => {
    // 0.1001 × 20 bps = 0.0002002, and one unit is 0.00001
    const coarse = { ...CONTEXT, scales: { base: 5, quote: 6 } };
    expect(summarize(ticket({ priceText: "95", ...quantity("0.1001") }), coarse).fee).toEqual({
      coin: "BTC",
      amount: "0.00021",
    });
  });

  test("the fee of each fill is rounded up by itself", () => {
    const context = { ...CONTEXT, scales: { base: 4, quote: 6 } };
    const summary = summarize(ticket({ type: "market", ...quantity("1.0001") }), context);
    // 1.0000 → 0.0025, 0.0001 → 0.0001 (a quarter of a unit, rounded up)
    expect(summary.fee).toEqual({ coin: "BTC", amount: "0.0026" });
  });

  test("a crossing buy trades at the book's prices but holds its limit", () => {
    const summary = summarize(ticket({ priceText: "101", ...quantity("2") }), CONTEXT);
    expect(summary).toMatchObject({
      pays: { amount: "202.000000" },
      feeRole: "taker",
      wouldTrade: true,
      averagePrice: "100.50",
      fee: { amount: "0.00500000" },
    });
  });

  test("a partly crossing order pays both fees", () => {
    const summary = summarize(ticket({ priceText: "100", ...quantity("2") }), CONTEXT);
    expect(summary).toMatchObject({ feeRole: "both", fee: { coin: "BTC", amount: "0.00450000" } });
  });

  test("post-only pays the maker fee", () => {
    expect(
      summarize(ticket({ priceText: "99", postOnly: true, ...quantity("1") }), CONTEXT).feeRole,
    ).toBe("maker");
  });

  test("a sale brings the proceeds less the fee in the quote coin", () => {
    const summary = summarize(ticket({ side: "sell", priceText: "99", ...quantity("2") }), CONTEXT);
    // 1 at 99 as taker: 0.2475; 1 waits at 99 as maker: 0.198
    expect(summary).toMatchObject({
      pays: { coin: "BTC", amount: "2.00000000" },
      fee: { coin: "USD", amount: "0.445500" },
      feeValue: "0.445500",
      receives: { coin: "USD", amount: "197.554500" },
    });
  });

  test("a total becomes whole lots that cost no more than it", () => {
    const summary = summarize(ticket({ priceText: "33.33", ...total("100") }), CONTEXT);
    expect(summary.quantity).toBe("3.0003");
    expect(summary.pays?.amount).toBe("99.999999");
  });

  test("the maximum of a buy is what is available at the price, in whole lots", () => {
    expect(summarize(ticket({ priceText: "33.33" }), CONTEXT).quantityMax).toBe("30.0030");
    expect(summarize(ticket({ priceText: "" }), CONTEXT).quantityMax).toBeNull();
  });

  test("the maximum never exceeds the market's largest order", () => {
    expect(summarize(ticket({ priceText: "0.01" }), CONTEXT).quantityMax).toBe("100.0000");
  });

  test("the maximum of a sale is what is available, cut to whole lots", () => {
    const context = { ...CONTEXT, available: { base: "2.50009999", quote: "0" } };
    expect(summarize(ticket({ side: "sell", priceText: "99" }), context).quantityMax).toBe(
      "2.5000",
    );
  });

  test("a percentage takes its share of the maximum", () => {
    expect(summarize(ticket({ priceText: "100", ...percent(25) }), CONTEXT).quantity).toBe(
      "2.5000",
    );
    expect(
      summarize(ticket({ side: "sell", priceText: "99", ...percent(50) }), CONTEXT).quantity,
    ).toBe("1.2500");
  });

  test("numbers without a leading or trailing digit are understood while typing", () => {
    expect(summarize(ticket({ priceText: "95.", ...quantity(".5") }), CONTEXT)).toMatchObject({
      price: "95.00",
      quantity: "0.5000",
    });
  });
});

describe("market order", () => {
  test("a buy by quantity is priced level by level", () => {
    const summary = summarize(ticket({ type: "market", ...quantity("2") }), CONTEXT);
    expect(summary).toMatchObject({
      total: "201.000000",
      averagePrice: "100.50",
      impactPercent: "0.50",
      exceedsBook: false,
      feeRole: "taker",
      isEstimate: true,
    });
  });

  test("a buy by total spends at most that, in whole lots", () => {
    const summary = summarize(ticket({ type: "market", ...total("150.005") }), CONTEXT);
    expect(summary).toMatchObject({ quantity: "1.4950", total: "150.005000" });
  });

  test("its maximum walks the book with everything available", () => {
    // 100 + 202 + 698 / 110 = 6.3454… lots, but 5 are offered there
    expect(summarize(ticket({ type: "market" }), CONTEXT).quantityMax).toBe("8.0000");
    const poor = { ...CONTEXT, available: { base: "0", quote: "200" } };
    expect(summarize(ticket({ type: "market" }), poor).quantityMax).toBe("1.9900");
  });

  test("an order larger than the visible book says so", () => {
    expect(summarize(ticket({ type: "market", ...quantity("50") }), CONTEXT).exceedsBook).toBe(
      true,
    );
  });

  test("a percentage of a buy spends money, a percentage of a sale sells coins", () => {
    const buy = ticket({ type: "market", ...percent(50) });
    expect(isSizedByTotal(buy)).toBe(true);
    const sell = ticket({ type: "market", side: "sell", ...percent(50) });
    expect(isSizedByTotal(sell)).toBe(false);
    expect(summarize(sell, CONTEXT).quantity).toBe("1.2500");
  });

  test("without a book there is no estimate", () => {
    const summary = summarize(ticket({ type: "market", ...quantity("1") }), {
      ...CONTEXT,
      book: null,
    });
    expect(summary).toMatchObject({
      total: null,
      fee: null,
      averagePrice: null,
      exceedsBook: false,
    });
  });
});

describe("what waits for a price", () => {
  const stop = { condition: "stop", type: "market" } as const;

  test("a buy at the market holds up to its cap above the trigger", () => {
    const texts = { ...INITIAL_TICKET.texts, trigger: "200" };
    const summary = summarize(ticket({ ...stop, texts, ...quantity("1") }), CONTEXT);
    expect(summary).toMatchObject({ price: null, feeRole: "taker", wouldTrade: false });
    expect(summary.pays?.amount).toBe("210.000000");
  });

  test("a sale counts at its trigger", () => {
    const texts = { ...INITIAL_TICKET.texts, trigger: "90" };
    const summary = summarize(ticket({ ...stop, side: "sell", texts, ...quantity("1") }), CONTEXT);
    expect(summary.receives).toEqual({ coin: "USD", amount: "89.775000" });
  });
});

test("an OCO to buy holds what its stop may cost", () => {
  const texts = { ...INITIAL_TICKET.texts, trigger: "200" };
  const oco = { condition: "oco", priceText: "95", texts } as const;
  const summary = summarize(ticket({ ...oco, ...quantity("1") }), CONTEXT);
  expect(summary).toMatchObject({ price: "95.00", total: "95.000000", quantityMax: "4.7619" });
  expect(summary.pays?.amount).toBe("210.000000");
});

describe("a market order with a cap", () => {
  const capped = { type: "market", slippageBps: 100 } as const;

  test("trades no worse than so far from the best price", () => {
    const summary = summarize(ticket({ ...capped, ...quantity("5") }), CONTEXT);
    // 1 at 100 and 2 at 101; the level at 110 is beyond.
    expect(summary).toMatchObject({ cap: "101.00", exceedsBook: true });
    expect(summary.averagePrice).toBe("100.67");
  });

  test("by total never spends more, however the book changes", () => {
    const summary = summarize(ticket({ ...capped, ...total("202") }), CONTEXT);
    expect(summary.quantity).toBe("2.0000");
  });
});

test("nothing is known without balances or numbers", () => {
  expect(summarize(INITIAL_TICKET, { ...CONTEXT, available: null })).toMatchObject({
    quantity: null,
    total: null,
    quantityMax: null,
    pays: null,
    fee: null,
  });
});

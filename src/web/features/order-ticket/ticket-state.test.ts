import { describe, expect, test } from "vitest";
import {
  entriesOf,
  INITIAL_TICKET,
  reduceTicket,
  type TicketAction,
  type TicketEntries,
} from "./ticket-state.ts";

function after(...actions: TicketAction[]) {
  return actions.reduce(reduceTicket, INITIAL_TICKET);
}

describe("ticket", () => {
  test("the way of saying the size that was used last wins", () => {
    const state = after({ type: "quantityTyped", text: "1" }, { type: "totalTyped", text: "500" });
    expect(state.sizing).toEqual({ kind: "total", text: "500" });
  });

  test("the market's price is offered to an empty field only", () => {
    const offered = { type: "priceOffered", price: "100.00" } as const;
    expect(after(offered)).toMatchObject({ priceText: "100.00", isPriceOffered: true });
    expect(after({ type: "priceTyped", text: "95" }, offered)).toMatchObject({
      priceText: "95",
      isPriceOffered: false,
    });
    expect(after(offered, { type: "priceTyped", text: "95" })).toMatchObject({
      priceText: "95",
      isPriceOffered: false,
    });
  });

  test("a new side makes room for its own price, unless one was typed", () => {
    const toSell = { type: "sideChosen", side: "sell" } as const;
    expect(after({ type: "priceOffered", price: "100.00" }, toSell).priceText).toBe("");
    expect(after({ type: "priceTyped", text: "95" }, toSell).priceText).toBe("95");
  });

  test("what was entered before signing in comes back, but never over newer entries", () => {
    const entries = entriesOf(
      after(
        { type: "sideChosen", side: "sell" },
        { type: "priceTyped", text: "95" },
        { type: "quantityTyped", text: "2" },
      ),
    );
    const restored = { type: "restored", entries } as const;
    const offered = { type: "priceOffered", price: "100.00" } as const;
    for (const state of [after(restored), after(offered, restored), after(restored, offered)]) {
      expect(state).toMatchObject({ ...entries, isPriceOffered: false });
    }
    expect(after({ type: "priceTyped", text: "90" }, restored)).toMatchObject({
      side: "buy",
      priceText: "90",
    });
    expect(entriesOf(after(offered)).priceText).toBe("");
  });

  test("a percentage does not follow to the other side", () => {
    expect(
      after({ type: "percentChosen", percent: 100 }, { type: "sideChosen", side: "sell" }).sizing,
    ).toEqual({ kind: "quantity", text: "" });
    expect(
      after({ type: "quantityTyped", text: "2" }, { type: "sideChosen", side: "sell" }).sizing,
    ).toEqual({ kind: "quantity", text: "2" });
  });

  test("post-only and immediate orders exclude each other", () => {
    const postOnly = after(
      { type: "timeInForceChosen", timeInForce: "ioc" },
      { type: "optionToggled", checkbox: "postOnly" },
    );
    expect(postOnly).toMatchObject({ postOnly: true, timeInForce: "gtc" });
    expect(reduceTicket(postOnly, { type: "timeInForceChosen", timeInForce: "fok" })).toMatchObject(
      {
        postOnly: false,
        timeInForce: "fok",
      },
    );
  });

  test("entries that an earlier release has stored are completed", () => {
    const { postOnly: _postOnly, texts, ...others } = entriesOf(INITIAL_TICKET);
    const { end: _end, ...earlierTexts } = { ...texts, display: "0.1" };
    const stored = JSON.stringify({ ...others, side: "sell", texts: earlierTexts });
    const entries = JSON.parse(stored) as TicketEntries;
    expect(after({ type: "restored", entries })).toEqual({
      ...INITIAL_TICKET,
      side: "sell",
      texts: { ...INITIAL_TICKET.texts, display: "0.1" },
    });
  });

  test("a price picked from the book makes it a limit order", () => {
    expect(
      after(
        { type: "typeChosen", orderType: "market" },
        { type: "priceChosen", price: "64000.50" },
      ),
    ).toMatchObject({ type: "limit", priceText: "64000.50" });
  });

  test("clearing keeps side, type and price, and forgets size and complaints", () => {
    const state = after(
      { type: "sideChosen", side: "sell" },
      { type: "priceTyped", text: "10" },
      { type: "quantityTyped", text: "3" },
      { type: "fieldLeft", field: "quantity" },
      { type: "tried" },
      { type: "cleared" },
    );
    expect(state).toMatchObject({
      side: "sell",
      priceText: "10",
      sizing: { kind: "quantity", text: "" },
      visited: [],
      tried: false,
    });
  });

  test("another market forgets the price, which meant another coin", () => {
    expect(after({ type: "priceTyped", text: "10" }, { type: "marketChanged" }).priceText).toBe("");
  });

  test("percentages stay between 0 and 100", () => {
    expect(after({ type: "percentChosen", percent: 140 }).sizing).toEqual({
      kind: "percent",
      percent: 100,
    });
    expect(after({ type: "percentChosen", percent: -3 }).sizing).toEqual({
      kind: "percent",
      percent: 0,
    });
  });
});

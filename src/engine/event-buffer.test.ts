import { describe, expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "./amount.ts";
import { END_REASON, END_EXPIRED, END_FILLED, endReasonCode } from "./orders/end-codes.ts";
import { EventBuffer, decodeEvents } from "./event-buffer.ts";
import { FEE_SOURCE_PLAN, FEE_SOURCE_VOLUME } from "./accounts/packed-fees.ts";
import { packOrderFlags } from "./formats/order-flags.ts";

describe("an event buffer", () => {
  test("gives back two events where one row stands for both", () => {
    const short = new EventBuffer();
    const long = new EventBuffer();
    for (const buffer of [short, long]) {
      buffer.begin(7, 1000);
      const flags = packOrderFlags({
        side: "sell",
        orderType: "limit",
        timeInForce: "gtc",
        postOnly: false,
      });
      buffer.orderPlaced(1, 16, 2, flags, 3, 4, 0, 4, 8, 9, FEE_SOURCE_PLAN, "id", undefined, 0);
      if (buffer === short) buffer.restedAsPlaced();
      else buffer.orderRested(1, 16, 2, true, 3, 4, 4);
      buffer.begin(8, 1001);
      for (const takerSells of [false, true]) {
        buffer.traded(2, 1, takerSells, 3, 4, 12, 4, 11, 21, 17, 16, 1, 2, 0, 0);
        if (buffer === short) buffer.makerFilled();
        else
          buffer.orderEnded(
            11,
            17,
            2,
            !takerSells,
            END_FILLED,
            END_REASON.filled,
            3,
            0,
            0,
            true,
            0,
          );
      }
      buffer.commandRejected("wouldCross");
    }
    expect(short.length).toBeLessThan(long.length);
    expect(decodeEvents(short.take())).toEqual(decodeEvents(long.take()));
  });

  test("gives back every event as it was written, stamped with its command", () => {
    const buffer = new EventBuffer();
    buffer.begin(7, 1000);
    buffer.orderPlaced(
      1,
      16,
      2,
      packOrderFlags({ side: "sell", orderType: "limit", timeInForce: "fok", postOnly: true }),
      3,
      4,
      5,
      6,
      8,
      9,
      FEE_SOURCE_VOLUME,
      "id",
      { displayLots: 2 as Lots },
      3,
    );
    buffer.traded(2, 1, true, 3, 4, 12, 4, 11, 1, 17, 16, 1, 2, 3, 0);
    buffer.begin(8, 1001);
    buffer.orderEnded(1, 16, 2, true, END_EXPIRED, END_REASON.selfTrade, 3, 4, 5, true, 1);
    buffer.orderEnded(1, 16, 2, true, END_EXPIRED, endReasonCode("wouldCross"), 3, 4, 5, false, 0);
    buffer.orderRested(2, 16, 2, false, 3, 4, 2);
    buffer.orderAmended(1, 16, 2, true, 3, 4, 5, 6, 7, false, 8, 9, 10);
    buffer.orderAmended(1, 16, 2, false, 3, 4, 5, 6, 7, true, 8, 9, 10);
    buffer.commandRejected("wouldCross");
    buffer.requestRepeated(5, 6);
    buffer.rare({ type: "simulationStarted", seed: 3 });
    const stamp = { sequence: 8, timestampMs: 1001 };
    const order = { orderId: 1, account: 16, marketId: 2 };
    const amended = {
      type: "orderAmended",
      ...stamp,
      ...order,
      priceTicks: 3 as Ticks,
      quantityLots: 4 as Lots,
      remainingLots: 5 as Lots,
      heldAmount: 6 as Amount,
      releasedAmount: 7 as Amount,
      previousPriceTicks: 8 as Ticks,
      previousVisibleLots: 9 as Lots,
      visibleLots: 10 as Lots,
    };
    expect(decodeEvents(buffer.take())).toEqual([
      {
        type: "orderPlaced",
        sequence: 7,
        timestampMs: 1000,
        ...order,
        side: "sell",
        orderType: "limit",
        timeInForce: "fok",
        postOnly: true,
        priceTicks: 3 as Ticks,
        quantityLots: 4 as Lots,
        quoteAmount: 5 as Amount,
        heldAmount: 6 as Amount,
        makerFeeBps: 8,
        takerFeeBps: 9,
        feeSource: "volume",
        clientOrderId: "id",
        conditions: { displayLots: 2 as Lots },
        listId: 3,
      },
      {
        type: "traded",
        sequence: 7,
        timestampMs: 1000,
        marketId: 2,
        tradeId: 1,
        takerSide: "sell",
        priceTicks: 3 as Ticks,
        quantityLots: 4 as Lots,
        notional: 12 as Amount,
        baseAmount: 4 as Amount,
        makerOrderId: 11,
        takerOrderId: 1,
        makerAccount: 17,
        takerAccount: 16,
        makerFee: 1 as Amount,
        takerFee: 2 as Amount,
        makerRemainingLots: 3 as Lots,
        takerReleased: 0 as Amount,
      },
      {
        type: "orderEnded",
        ...stamp,
        ...order,
        side: "sell",
        status: "expired",
        reason: "selfTrade",
        priceTicks: 3 as Ticks,
        remainingLots: 4 as Lots,
        releasedAmount: 5 as Amount,
        wasResting: true,
        visibleLots: 1 as Lots,
      },
      {
        type: "orderEnded",
        ...stamp,
        ...order,
        side: "sell",
        status: "expired",
        reason: "wouldCross",
        priceTicks: 3 as Ticks,
        remainingLots: 4 as Lots,
        releasedAmount: 5 as Amount,
        wasResting: false,
        visibleLots: 0 as Lots,
      },
      {
        type: "orderRested",
        ...stamp,
        ...order,
        orderId: 2,
        side: "buy",
        priceTicks: 3 as Ticks,
        remainingLots: 4 as Lots,
        visibleLots: 2 as Lots,
      },
      { ...amended, side: "sell", keptPriority: false },
      { ...amended, side: "buy", keptPriority: true },
      { type: "commandRejected", ...stamp, reason: "wouldCross" },
      { type: "requestRepeated", ...stamp, originalSequence: 5, orderId: 6 },
      { type: "simulationStarted", ...stamp, seed: 3 },
    ]);
  });

  test("writes events that were decoded as they were", () => {
    const buffer = new EventBuffer();
    buffer.begin(7, 1000);
    const flags = packOrderFlags({
      side: "sell",
      orderType: "market",
      timeInForce: "ioc",
      postOnly: true,
    });
    const conditions = { displayLots: 2 as Lots };
    buffer.orderPlaced(1, 16, 2, flags, 3, 4, 5, 6, 8, 9, FEE_SOURCE_VOLUME, "id", conditions, 3);
    buffer.orderPlaced(2, 16, 2, 0, 3, 4, 5, 6, 8, 9, FEE_SOURCE_PLAN, "", undefined, 0);
    buffer.orderRested(2, 16, 2, false, 3, 4, 2);
    buffer.begin(8, 1001);
    buffer.traded(2, 1, true, 3, 4, 12, 4, 11, 1, 17, 16, 1, 2, 3, 10);
    buffer.traded(2, 2, false, 3, 4, 12, 4, 11, 1, 17, 16, 1, 2, 3, 10);
    buffer.auctioned(5, 6, 7);
    buffer.orderEnded(1, 16, 2, true, END_EXPIRED, endReasonCode("wouldCross"), 3, 4, 5, true, 1);
    buffer.orderEnded(2, 16, 2, false, END_FILLED, END_REASON.filled, 3, 0, 5, false, 0);
    buffer.orderAmended(1, 16, 2, true, 3, 4, 5, 6, 7, true, 8, 9, 10);
    buffer.commandRejected("wouldCross");
    buffer.requestRepeated(5, 6);
    buffer.rare({ type: "simulationStarted", seed: 3 });
    const batch = buffer.take();
    for (const event of decodeEvents(batch)) buffer.write(event);
    const again = buffer.take();
    expect(again.rows).toEqual(batch.rows);
    expect(decodeEvents(again)).toEqual(decodeEvents(batch));
  });

  test("grows with its events and is empty once they are taken", () => {
    const buffer = new EventBuffer();
    for (let sequence = 1; sequence <= 10_000; sequence++) {
      buffer.begin(sequence, sequence);
      buffer.orderRested(sequence, 16, 1, true, 100, 1, 1);
    }
    const batch = buffer.take();
    expect(batch.rows.buffer.byteLength).toBe(batch.rows.length * 8);
    expect(decodeEvents(batch).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 10_000 }, (_, index) => index + 1),
    );
    expect(buffer.isEmpty).toBe(true);
    expect(decodeEvents(buffer.take())).toEqual([]);
  });

  test("writes the same rows and texts however they are cut into batches", () => {
    const write = (buffer: EventBuffer, sequence: number) => {
      buffer.begin(sequence, 5);
      buffer.orderPlaced(
        sequence,
        16,
        1,
        0,
        100,
        1,
        0,
        100,
        1,
        2,
        FEE_SOURCE_PLAN,
        sequence % 2 ? `id${sequence}` : "",
        sequence % 3 ? undefined : { displayLots: 1 as Lots },
        0,
      );
      buffer.rare({ type: "simulationStarted", seed: sequence });
    };
    const whole = new EventBuffer();
    const cut = new EventBuffer();
    const rows: number[] = [];
    const texts: string[] = [];
    for (let sequence = 1; sequence <= 20; sequence++) {
      write(whole, sequence);
      write(cut, sequence);
      if (sequence % 3 !== 0 && sequence < 20) continue;
      const batch = cut.take();
      rows.push(...batch.rows);
      texts.push(...batch.texts);
    }
    const batch = whole.take();
    expect([...batch.rows]).toEqual(rows);
    expect(batch.texts).toEqual(texts);
  });

  test("forgets what was cleared", () => {
    const buffer = new EventBuffer();
    buffer.rare({ type: "simulationStarted", seed: 1 });
    buffer.clear();
    buffer.rare({ type: "simulationStarted", seed: 2 });
    expect(buffer.decode()).toMatchObject([{ seed: 2 }]);
  });
});

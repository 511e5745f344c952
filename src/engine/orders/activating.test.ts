/** What was decided when an order was placed holds when it is activated, whatever its market says by then. */
import { describe, expect, test } from "vitest";
import { market } from "#test/engine/commands.ts";
import { ADVANCE, ANN, BOB, order, Scene } from "#test/engine/work-scene.ts";
import type { Amount, Lots, Ticks } from "../amount.ts";
import type { PlaceOrder } from "../commands.ts";

const UNITS = { lotUnits: 1, tickLotUnits: 1, notionalMin: 0 as Amount };
const STOP = {
  ...order(BOB, "buy", 0, { trigger: { kind: "stop", triggerTicks: 110 as Ticks } }),
  orderType: "market",
  timeInForce: "ioc",
  quantityLots: 10 as Lots,
} satisfies PlaceOrder;

/** A stop to buy 10 at the market waits at 110, with a cap of 116, while the cap becomes another. */
function capped(protectionBps: number): Scene {
  const scene = new Scene();
  scene.apply(order(ANN, "sell", 100));
  scene.apply(order(BOB, "buy", 100));
  scene.apply(STOP);
  const terms = market("BTC", { ...UNITS, protectionBps });
  scene.apply({ type: "updateMarket", marketId: 1, market: terms });
  for (const [price, lots] of [
    [110, 2],
    [115, 2],
    [117, 2],
    [140, 20],
  ]) {
    scene.apply({ ...order(ANN, "sell", price), quantityLots: lots as Lots });
  }
  scene.apply({ ...order(BOB, "buy", 110), quantityLots: 2 as Lots });
  scene.apply(ADVANCE);
  return scene;
}

describe("a triggered market order to buy by quantity", () => {
  test("spends no more than it holds where its market's cap was widened meanwhile", () => {
    const { read } = capped(5_000).engine;
    expect(read.bookLevels(1, "sell").map(({ priceTicks }) => priceTicks)).toEqual([117, 140]);
    expect(read.balance(BOB, 1).held).toBe(0);
  });

  test("buys up to the narrower cap where it was narrowed meanwhile", () => {
    const { read } = capped(100).engine;
    expect(read.bookLevels(1, "sell").map(({ priceTicks }) => priceTicks)).toEqual([115, 117, 140]);
  });
});

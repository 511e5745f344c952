import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Market, MarketState } from "#contract/types.ts";
import { type FunctionScene, openFunctionScene } from "#test/support/function-scene.ts";

let scene: FunctionScene;
beforeAll(async () => {
  scene = await openFunctionScene({ priceLimits: true });
  await scene.as("anna").done("accounts:takePracticeFunds");
});
afterAll(() => scene.close());

const buy = (price: string) =>
  scene.as("anna").mutate("orders:place", {
    market: "BTC-USD",
    side: "buy",
    type: "limit",
    price,
    quantity: "0.01",
  });

test("the catalogue's markets say how far from their price an order may be", () => {
  const markets = scene.as(null).value<Market[]>("markets:list");
  for (const { priceBand } of markets) {
    expect(priceBand).toEqual({ tradingBps: 500, restingBps: 90_000 });
  }
  const state = scene.as(null).value<MarketState>("markets:state", { market: "BTC-USD" });
  expect(state.priceBand).toEqual({
    buy: { lowest: "0.01", highest: "67462.50" },
    sell: { lowest: "61037.50", highest: "642500.00" },
  });
});

test("a buy at an absurd price is refused in words before anything traded", async () => {
  expect(await buy("150000")).toMatchObject({
    status: "error",
    data: {
      code: "priceOutsideBand",
      field: "price",
      message:
        "This price is too far from the market's price; nothing is placed. Choose one closer to it.",
    },
  });
  expect(await buy("67462.51")).toMatchObject({ status: "error" });
  expect(await buy("67462.50")).toMatchObject({ status: "success" });
  expect(await buy("0.01")).toMatchObject({
    status: "error",
    data: { code: "notionalTooSmall" },
  });
});

describe("as the price climbs step by step", () => {
  const market = "BTC-USD";
  const anna = () => scene.as("anna");
  const state = () => anna().value<MarketState>("markets:state", { market });
  beforeAll(async () => {
    await scene.as("anna").done("orders:cancelAll");
    const place = await scene.participant("climber", { BTC: 10 });
    for (const price of ["67000", "70000", "73000"]) {
      await place({ side: "sell", price, quantity: "0.01" });
    }
  });

  test("a market order trades no further than the band, and its rest expires", async () => {
    const order = { market, side: "buy", type: "market", quantity: "0.02" };
    const placed = await anna().mutate("orders:place", order);
    expect(placed).toMatchObject({
      status: "success",
      value: { order: { status: "expired", filledQuantity: "0.0100", averagePrice: "67000.0000" } },
    });
    expect(state().status).toBe("trading");
  });

  test("the market halts where it has moved a tenth within five minutes", async () => {
    expect(await buy("70000")).toMatchObject({ status: "success" });
    expect(state().status).toBe("trading");
    expect(await buy("73000")).toMatchObject({ status: "success" });
    expect(state().status).toBe("halted");
  });
});

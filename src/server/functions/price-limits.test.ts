import { afterAll, beforeAll, expect, test } from "vitest";
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
    expect(priceBand).toEqual({ tradingBps: 500, waitingBps: 90_000 });
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

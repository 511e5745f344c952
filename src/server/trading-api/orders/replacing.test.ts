import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openTradingApiScene, type TradingApiScene } from "#test/support/trading-api-scene.ts";
import type { PlaceOrderResult } from "#contract/types.ts";
import { parseTerms } from "../../functions/order-terms.ts";
import { HistoryUnavailableError } from "../../history/history.ts";
import { WorkShares } from "../../limits/work-shares.ts";
import { Calls } from "../calls.ts";
import { replaceOrder } from "./replacing.ts";

let scene: TradingApiScene;
const shares = new WorkShares();
beforeAll(async () => {
  scene = await openTradingApiScene();
});
afterAll(async () => {
  vi.restoreAllMocks();
  shares.close();
  await scene.close();
});

test("a replacement is answered from its outcome, though the old order is found nowhere any more", async () => {
  const { services } = scene;
  const user = scene.as("trader");
  await user.done("accounts:takePracticeFunds");
  const { apiKey } = await scene.client("trader");
  const call = { method: "POST", security: "trade" } as const;
  const grant = await new Calls(services, shares).keyOf({ call, apiKey, address: "192.0.2.1" });
  const caller = { ...grant, validUntilMs: Date.now() + 50_000 };
  const terms = { type: "limit", side: "buy", price: "60000.00", quantity: "0.01" } as const;
  const placed = await user.done<PlaceOrderResult>("orders:place", { market: "BTC-USD", ...terms });
  const orderId = Number(placed.order.orderId);
  const market = services.views.catalogue.marketBySymbol("BTC-USD");
  if (market === undefined) throw new Error("no market");
  const { people } = services.views;
  const find = people.order.bind(people);
  vi.spyOn(people, "order").mockImplementation((account, id) => {
    const order = find(account, id);
    return order?.status === "open" ? order : undefined;
  });
  vi.spyOn(services.history, "whenFresh").mockRejectedValue(new HistoryUnavailableError("planted"));
  const { cancelled } = await replaceOrder(services, caller, market, {
    old: { orderId },
    mode: "STOP_ON_FAILURE",
    terms: parseTerms({ ...terms, price: "60001.00" }, market),
    describe: () => ({}),
  });
  expect(cancelled).toMatchObject({ orderId, status: "cancelled", endReason: expect.any(String) });
});

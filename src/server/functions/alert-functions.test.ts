import { afterAll, beforeAll, expect, test } from "vitest";
import type { PriceAlert, PriceAlerts } from "#contract/alerts.ts";
import {
  type FunctionScene,
  openFunctionScene,
  type PlaceForParticipant,
  refusal,
} from "#test/support/function-scene.ts";

let scene: FunctionScene;
let buyer: PlaceForParticipant;
let seller: PlaceForParticipant;

beforeAll(async () => {
  scene = await openFunctionScene({ settings: { PRICE_ALERTS_PER_USER: "3" } });
  buyer = await scene.participant("buyer", { USD: 1_000_000 });
  seller = await scene.participant("seller", { BTC: 10 });
  await tradeAt("64000");
});
afterAll(() => scene.close());

async function tradeAt(price: string): Promise<void> {
  const terms = { market: "BTC-USD", price, quantity: "0.001" };
  await seller({ ...terms, side: "sell" });
  await buyer({ ...terms, side: "buy" });
}

const onPrice = (price: string) => ({ market: "BTC-USD", condition: { kind: "price", price } });

test("an alert is created, fires on a trade, is set again, paused and deleted", async () => {
  const ada = scene.as("ada");
  const alert = await ada.done<PriceAlert>("alerts:create", onPrice("65000"));
  expect(alert).toMatchObject({
    market: "BTC-USD",
    condition: { kind: "price", price: "65000.00" },
    repeats: false,
    status: "active",
    firedAt: null,
  });
  await tradeAt("65000.01");
  const status = () => ada.value<PriceAlerts>("alerts:list").alerts.map((each) => each.status);
  await expect.poll(status).toEqual(["fired"]);
  const { alertId } = alert;
  const again = await ada.done<PriceAlert>("alerts:setPaused", { alertId, paused: false });
  expect(again.status).toBe("active");
  await tradeAt("64999.99");
  await expect.poll(status).toEqual(["fired"]);
  const told = async () =>
    (await scene.services.alerts.loadFirings("ada")).map(({ direction }) => direction);
  await expect.poll(told).toEqual(["fall", "rise"]);
  await ada.done("alerts:setPaused", { alertId, paused: true });
  expect(status()).toEqual(["paused"]);
  await ada.done("alerts:remove", { alertId });
  expect(status()).toEqual([]);
});

test("an alert on a change keeps its percentage exactly", async () => {
  const bob = scene.as("bob");
  const condition = { kind: "change", percent: "2.50", windowMinutes: 15 };
  const args = { market: "ETH-USD", condition, repeats: true };
  expect(refusal(await bob.mutate("alerts:create", args))).toMatchObject({ field: "market" });
  const alert = await bob.done<PriceAlert>("alerts:create", { ...args, market: "BTC-USD" });
  expect(alert.condition).toEqual({ kind: "change", percent: "2.5", windowMinutes: 15 });
});

test.each([
  [onPrice("0.001"), "condition.price"],
  [onPrice("-5"), "condition.price"],
  [onPrice("abc"), "condition.price"],
  [{ market: "BTC-USD", condition: { kind: "change", percent: "0", windowMinutes: 5 } }, "percent"],
  [
    { market: "BTC-USD", condition: { kind: "change", percent: "0.001", windowMinutes: 5 } },
    "percent",
  ],
  [
    { market: "BTC-USD", condition: { kind: "change", percent: "1001", windowMinutes: 5 } },
    "percent",
  ],
  [
    { market: "BTC-USD", condition: { kind: "change", percent: "1", windowMinutes: 7 } },
    "windowMinutes",
  ],
  [{ ...onPrice("65000"), market: "NO-USD" }, "market"],
])("a wrong alert is refused: %j", async (args, field) => {
  const data = refusal(await scene.as("carol").mutate("alerts:create", args));
  expect(data.field).toContain(field);
});

test("the price that there is cannot be waited for", async () => {
  await tradeAt("64500");
  const data = refusal(await scene.as("carol").mutate("alerts:create", onPrice("64500")));
  expect(data).toMatchObject({ field: "condition.price" });
  expect(data.message).toContain("price now");
});

test("users see and change their own alerts only", async () => {
  const dave = scene.as("dave");
  const { alertId } = await dave.done<PriceAlert>("alerts:create", onPrice("70000"));
  const eve = scene.as("eve");
  expect(eve.value<PriceAlerts>("alerts:list").alerts).toEqual([]);
  for (const [path, args] of [
    ["alerts:remove", { alertId }],
    ["alerts:setPaused", { alertId, paused: true }],
  ] as const) {
    expect(refusal(await eve.mutate(path, args))).toMatchObject({ code: "notFound" });
  }
  expect(dave.value<PriceAlerts>("alerts:list").alerts).toMatchObject([{ status: "active" }]);
  expect(refusal(scene.as(null).query("alerts:list").result).code).toBe("unauthorized");
});

test("a user has as many alerts as the setting says", async () => {
  const frank = scene.as("frank");
  for (const price of ["71000", "72000", "73000"]) {
    await frank.done("alerts:create", onPrice(price));
  }
  const data = refusal(await frank.mutate("alerts:create", onPrice("74000")));
  expect(data.code).toBe("limitReached");
  expect(frank.value<PriceAlerts>("alerts:list").alertsMax).toBe(3);
});

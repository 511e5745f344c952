import { afterAll, beforeAll, expect, test } from "vitest";
import type { MyPlan } from "#contract/plans.ts";
import type {
  Balance,
  Book,
  Fill,
  Market,
  MarketState,
  Page,
  PublicTrade,
} from "#contract/types.ts";
import {
  type FunctionScene,
  type PlaceForParticipant,
  openFunctionScene,
  refusal,
} from "#test/support/function-scene.ts";

const MARKET = "BTC-USD";

let scene: FunctionScene;
let maker: PlaceForParticipant;
beforeAll(async () => {
  scene = await openFunctionScene();
  maker = await scene.participant("maker", { USD: 100_000_000, BTC: 1_000 });
});
afterAll(() => scene.close());

const olga = () => scene.as("admin-olga");
const state = () => scene.as(null).value<MarketState>("markets:state", { market: MARKET });
const set = (status: string, forSeconds?: number) =>
  olga().done("markets:setStatus", {
    market: MARKET,
    status,
    reason: "a test",
    ...(forSeconds !== undefined && { forSeconds }),
  });
const buy = (price: string, quantity: string) => ({
  market: MARKET,
  side: "buy",
  type: "limit",
  price,
  quantity,
});

test("a market says its state, and the administrators who may change it do so", async () => {
  expect(state()).toMatchObject({ status: "trading", cause: "listed", until: null });
  const args = { market: MARKET, status: "halted", reason: "I like it quiet" };
  const refused = await scene.as("anna").mutate("markets:setStatus", args);
  expect(refusal(refused).code).toBe("forbidden");
  await set("halted", 3600);
  const halted = state();
  expect(halted).toMatchObject({ status: "halted", cause: "admin" });
  expect((halted.until ?? 0) - halted.since).toBe(3_600_000);
  const listed = scene.as(null).value<Market[]>("markets:list");
  expect(listed.find(({ symbol }) => symbol === MARKET)?.status).toBe("halted");
  const order = await scene.as("anna").mutate("orders:place", buy("50000", "0.1"));
  expect(refusal(order).code).toBe("marketNotTrading");
  await set("trading");
});

test("only a state that is followed by another is set for a time", async () => {
  const args = { market: MARKET, status: "trading", forSeconds: 60, reason: "a test" };
  expect(refusal(await olga().mutate("markets:setStatus", args))).toMatchObject({
    code: "invalidArgument",
    field: "forSeconds",
  });
});

test("an auction shows where it would end, and ends there for all viewers", async () => {
  const anna = scene.as("anna");
  await anna.done("accounts:takePracticeFunds");
  await set("auction");
  expect(state().indicative).toBeNull();
  await anna.done("orders:place", buy("50100", "0.4"));
  await maker({ side: "sell", price: "49900", quantity: "0.3" });
  await maker({ side: "sell", price: "50200", quantity: "1" });
  expect(state().indicative).toEqual({
    price: "49900.00",
    quantity: "0.3000",
    surplus: "0.1000",
  });
  const crossed = anna.value<Book>("markets:book", { market: MARKET });
  expect([crossed.bids, crossed.asks]).toEqual([
    ["50100.00", "0.4000"],
    ["49900.00", "0.3000", "50200.00", "1.0000"],
  ]);

  await set("trading");
  const book = anna.value<Book>("markets:book", { market: MARKET });
  expect([book.bids, book.asks]).toEqual([
    ["50100.00", "0.1000"],
    ["50200.00", "1.0000"],
  ]);
  const [trade] = anna.value<PublicTrade[]>("markets:trades", { market: MARKET });
  expect(trade).toMatchObject({ price: "49900.00", quantity: "0.3000" });
  // Her order came first: she is the maker, and both sides of an auction pay the maker fee.
  const [fill] = anna.value<Fill[]>("fills:recent");
  expect(fill).toMatchObject({
    price: "49900.00",
    role: "maker",
    feeBps: 20,
    fee: "0.00060000",
    feeSource: "plan",
  });
  const history = await anna.answer<Page<Fill>>("fills:history");
  expect(history.items).toEqual([fill]);
  const usd = anna.value<Balance[]>("accounts:balances").find(({ coin }) => coin === "USD");
  // 0.3 at 49 900 paid, 0.1 at 50 100 held: the rest of the hold above its price was released.
  expect(usd).toMatchObject({ available: "80020.000000", held: "5010.000000" });
  expect(anna.value<MyPlan>("plans:mine").volumeToday).toBe("14970.000000");
  expect(scene.services.views.accounts.sumOfAll(1)).toBe(0n);
});

test("the taker of an auction pays its maker fee too", async () => {
  const bert = scene.as("bert");
  await bert.done("accounts:takePracticeFunds");
  await set("auction");
  await maker({ side: "sell", price: "50150", quantity: "0.2" });
  await bert.done("orders:place", buy("50150", "0.2"));
  await set("trading");
  const [fill] = bert.value<Fill[]>("fills:recent");
  expect(fill).toMatchObject({ role: "taker", feeBps: 20, quantity: "0.2000" });
  const history = await bert.answer<Page<Fill>>("fills:history");
  expect(history.items).toEqual([fill]);
});

test("where an auction would end counts what icebergs hide, which is never shown", async () => {
  const anna = scene.as("anna");
  const before = anna.value<Book>("markets:book", { market: MARKET });
  await set("auction");
  await anna.done("orders:place", { ...buy("50120", "0.5"), display: "0.1" });
  await maker({ side: "sell", price: "50120", quantity: "0.3" });
  expect(state().indicative).toEqual({
    price: "50120.00",
    quantity: "0.3000",
    surplus: "0.2000",
  });
  const { bids } = anna.value<Book>("markets:book", { market: MARKET });
  expect(bids).toEqual(["50120.00", "0.1000", ...before.bids]);
  await set("trading");
  const [trade] = anna.value<PublicTrade[]>("markets:trades", { market: MARKET });
  expect(trade).toMatchObject({ price: "50120.00", quantity: "0.1000" });
});

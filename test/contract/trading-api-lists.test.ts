/** What a program calls its lists is known after a restart, open and done ones alike. */
import { expect, test, vi } from "vitest";
import { exchangeStarter } from "./accounts-exchange.ts";
import { describeShareOfDatabases } from "./databases.ts";
import { ask, programOf } from "./trading-programs.ts";

// Whole servers: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });

const WORKING = {
  symbol: "BTCUSD",
  workingType: "LIMIT",
  workingSide: "BUY",
  workingPrice: "60000",
  workingQuantity: "0.1",
  workingTimeInForce: "GTC",
};
const PENDING = {
  pendingType: "LIMIT",
  pendingSide: "SELL",
  pendingPrice: "70000",
  pendingQuantity: "0.05",
  pendingTimeInForce: "GTC",
};

describeShareOfDatabases("a program's lists", (openDatabase) => {
  const start = exchangeStarter(openDatabase);

  test("are found by their names after a restart, and cancelled", async () => {
    const settings = { PRACTICE_FUNDS: "USD:100000,BTC:1" };
    const before = await start(settings);
    const program = await programOf(before, "ada@example.com");
    const path = "/api/v3/orderList";
    const place = (listClientOrderId: string) =>
      ask(before, program, "POST", `${path}/oto`, { ...WORKING, ...PENDING, listClientOrderId });
    const done = await place("done");
    expect(done.body).toMatchObject({ listOrderStatus: "EXECUTING" });
    const { orderListId } = done.body;
    const cancel = { symbol: "BTCUSD", orderListId: String(orderListId) };
    expect((await ask(before, program, "DELETE", path, cancel)).status).toBe(200);
    const placed = await place("open");
    const all = await ask(before, program, "GET", "/api/v3/allOrderList");
    expect(all.body).toHaveLength(2);
    await before.stop();

    const after = await start(settings, before);
    const named = (origClientOrderId: string) =>
      ask(after, program, "GET", path, { origClientOrderId });
    expect((await named("done")).body).toMatchObject({
      orderListId,
      listOrderStatus: "ALL_DONE",
      contingencyType: "OTO",
    });
    expect((await named("open")).body).toMatchObject({
      orderListId: placed.body["orderListId"],
      listOrderStatus: "EXECUTING",
      orders: placed.body["orders"],
    });
    expect((await ask(after, program, "GET", "/api/v3/openOrderList")).body).toHaveLength(1);
    expect((await ask(after, program, "GET", "/api/v3/allOrderList")).body).toEqual(all.body);
    const again = { ...WORKING, ...PENDING, listClientOrderId: "open" };
    expect((await ask(after, program, "POST", `${path}/oto`, again)).body).toMatchObject({
      code: -2010,
      msg: "Duplicate order sent.",
    });
    const byName = { symbol: "BTCUSD", listClientOrderId: "open" };
    expect((await ask(after, program, "DELETE", path, byName)).body).toMatchObject({
      listOrderStatus: "ALL_DONE",
    });
    expect((await ask(after, program, "GET", "/api/v3/openOrders")).body).toEqual([]);
  });
});

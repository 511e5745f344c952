/** Programs replace orders and take quantity from them. */
import { expect, test, vi } from "vitest";
import { exchangeStarter, type TestExchange } from "./accounts-exchange.ts";
import { describeShareOfDatabases } from "./databases.ts";
import { ask, type Program, programOf } from "./trading-programs.ts";

// Whole servers: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });

const ORDER = {
  symbol: "BTCUSD",
  side: "SELL",
  type: "LIMIT",
  timeInForce: "GTC",
  quantity: "0.1",
  price: "64000",
};

describeShareOfDatabases("a program's orders", (openDatabase) => {
  const start = exchangeStarter(openDatabase);

  async function open() {
    const exchange = await start({ PRACTICE_FUNDS: "USD:100000,BTC:1" });
    const program = await programOf(exchange, "ada@example.com");
    return { exchange, program, calls: callsOf(exchange, program) };
  }

  test("are replaced in one step, by number or by client order id", async () => {
    const { calls } = await open();
    const old = await calls.place({ newClientOrderId: "old" });
    const replaced = await calls.replace({
      cancelOrigClientOrderId: "old",
      cancelNewClientOrderId: "cancel",
      newClientOrderId: "new",
      price: "64100",
    });
    expect(replaced).toMatchObject({
      status: 200,
      body: {
        cancelResult: "SUCCESS",
        newOrderResult: "SUCCESS",
        cancelResponse: {
          orderId: old.orderId,
          origClientOrderId: "old",
          clientOrderId: "cancel",
          status: "CANCELED",
          executedQty: "0.0000",
        },
        newOrderResponse: { clientOrderId: "new", price: "64100.00", status: "NEW", fills: [] },
      },
    });
    const { orderId } = replaced.body.newOrderResponse as { orderId: number };
    const again = await calls.replace({
      cancelOrderId: String(orderId),
      price: "64200",
      newOrderRespType: "ACK",
    });
    expect(again.body.newOrderResponse).not.toHaveProperty("price");
    expect(await calls.openPrices()).toEqual(["64200.00"]);
  });

  test("stay if the new one is refused, and both results say so", async () => {
    const { calls } = await open();
    const { orderId } = await calls.place({});
    const cancelOrderId = String(orderId);
    expect(await calls.replace({ cancelOrderId, quantity: "2" })).toMatchObject({
      status: 400,
      body: {
        code: -2022,
        msg: "Order cancel-replace failed.",
        data: {
          cancelResult: "NOT_ATTEMPTED",
          newOrderResult: "FAILURE",
          cancelResponse: null,
          newOrderResponse: {
            code: -2010,
            msg: "Account has insufficient balance for requested action.",
          },
        },
      },
    });
    const restricted = { cancelOrderId, cancelRestrictions: "ONLY_PARTIALLY_FILLED" };
    expect((await calls.replace(restricted)).body).toMatchObject({
      code: -2022,
      data: {
        cancelResult: "FAILURE",
        newOrderResult: "NOT_ATTEMPTED",
        cancelResponse: {
          code: -2011,
          msg: "Order was not canceled due to cancel restrictions.",
        },
        newOrderResponse: null,
      },
    });
    const otherSide = await calls.replace({ cancelOrderId, side: "BUY", price: "60000" });
    expect(otherSide.body).toMatchObject({
      code: -2022,
      data: { cancelResult: "FAILURE", newOrderResult: "NOT_ATTEMPTED" },
    });
    expect(await calls.openPrices()).toEqual(["64000.00"]);
  });

  test("are placed without the one that is gone only if that is allowed", async () => {
    const { calls } = await open();
    const unknown = {
      cancelResult: "FAILURE",
      cancelResponse: { code: -2011, msg: "Unknown order sent." },
    };
    const stopped = await calls.replace({ cancelOrderId: "999" });
    expect(stopped).toMatchObject({
      status: 400,
      body: {
        code: -2022,
        msg: "Order cancel-replace failed.",
        data: { ...unknown, newOrderResult: "NOT_ATTEMPTED", newOrderResponse: null },
      },
    });
    expect(await calls.openPrices()).toEqual([]);
    const allowed = { cancelOrderId: "999", cancelReplaceMode: "ALLOW_FAILURE" };
    expect(await calls.replace(allowed)).toMatchObject({
      status: 409,
      body: {
        code: -2021,
        msg: "Order cancel-replace partially failed.",
        data: { ...unknown, newOrderResult: "SUCCESS", newOrderResponse: { status: "NEW" } },
      },
    });
    expect(await calls.openPrices()).toEqual(["64000.00"]);
    expect((await calls.replace({ ...allowed, quantity: "5" })).body).toMatchObject({
      code: -2022,
      data: { ...unknown, newOrderResult: "FAILURE", newOrderResponse: { code: -2010 } },
    });
    expect((await calls.replace({})).body).toEqual({
      code: -1102,
      msg: "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!",
    });
    const wrong = await calls.replace({ cancelOrderId: "1", cancelRestrictions: "ONLY_OLD" });
    expect(wrong.body.code).toBe(-1145);
    expect(await calls.openPrices()).toEqual(["64000.00"]);
  });

  test("lose quantity and keep their place; nothing else of them can be amended", async () => {
    const { calls } = await open();
    const { orderId, clientOrderId } = await calls.place({});
    const name = { orderId: String(orderId) };
    const amended = await calls.amend({ ...name, newQty: "0.06" });
    expect(amended).toMatchObject({
      status: 200,
      body: {
        amendedOrder: {
          orderId,
          clientOrderId,
          origClientOrderId: clientOrderId,
          qty: "0.0600",
          executedQty: "0.0000",
          price: "64000.00",
          status: "NEW",
        },
      },
    });
    const refusals: [Record<string, string>, number, string][] = [
      [{ ...name, newQty: "0.0601" }, -2038, "Order amend (quantity increase) is not supported."],
      [
        { ...name, newQty: "0.06" },
        -2038,
        "The requested action would change no state; rejecting.",
      ],
      [{ ...name, newQty: "0" }, -1013, "Filter failure: LOT_SIZE"],
      [{ ...name, newQty: "0.00001" }, -1013, "Filter failure: LOT_SIZE"],
      [{ orderId: "999", newQty: "0.01" }, -2038, "Unknown order sent."],
      [
        { ...name, newQty: "0.05", newClientOrderId: "another" },
        -1130,
        "Data sent for parameter 'newClientOrderId' is not valid.",
      ],
    ];
    for (const [parameters, code, msg] of refusals) {
      const { body } = await calls.amend(parameters);
      expect(body, JSON.stringify(parameters)).toEqual({ code, msg });
    }
    await calls.cancelAll();
    const { body } = await calls.amend({ ...name, newQty: "0.05" });
    expect(body).toEqual({ code: -2038, msg: "Unknown order sent." });
  });

  test("of a list lose quantity in the book only; what waits is amended in pages", async () => {
    const { calls } = await open();
    const [working, pending] = await calls.placeList({
      workingType: "LIMIT",
      workingTimeInForce: "GTC",
      workingSide: "SELL",
      workingPrice: "64000",
      workingQuantity: "0.1",
      pendingType: "LIMIT",
      pendingTimeInForce: "GTC",
      pendingSide: "BUY",
      pendingPrice: "60000",
      pendingQuantity: "0.1",
    });
    const less = await calls.amend({ orderId: String(working), newQty: "0.05" });
    expect(less).toMatchObject({ status: 200, body: { amendedOrder: { qty: "0.0500" } } });
    const refused = await calls.amend({ orderId: String(pending), newQty: "0.05" });
    expect(refused).toMatchObject({ status: 400, body: { code: -2038 } });
  });
});

function callsOf(exchange: TestExchange, program: Program) {
  type Parameters = Readonly<Record<string, string>>;
  const send = (method: string, path: string, parameters: Parameters) =>
    ask(exchange, program, method, `/api/v3/${path}`, parameters);
  return {
    async place(parameters: Parameters) {
      const { body } = await send("POST", "order", { ...ORDER, ...parameters });
      return body as { orderId: number; clientOrderId: string };
    },
    async placeList(parameters: Parameters) {
      const { body } = await send("POST", "orderList/oto", { symbol: "BTCUSD", ...parameters });
      return (body as { orders: { orderId: number }[] }).orders.map(({ orderId }) => orderId);
    },
    replace: (parameters: Parameters) =>
      send("POST", "order/cancelReplace", {
        ...ORDER,
        cancelReplaceMode: "STOP_ON_FAILURE",
        ...parameters,
      }),
    amend: (parameters: Parameters) =>
      send("PUT", "order/amend/keepPriority", { symbol: "BTCUSD", ...parameters }),
    cancelAll: () => send("DELETE", "openOrders", { symbol: "BTCUSD" }),
    async openPrices() {
      const { body } = await send("GET", "openOrders", {});
      return (body as unknown as { price: string }[]).map(({ price }) => price);
    },
  };
}

/** Lists of orders as each unmodified client places, follows and cancels them. */
import { Spot as ConnectorSpot } from "@binance/connector";
import { Spot } from "@binance/spot";
import { MainClient } from "binance";
import Binance from "node-binance-api";
import { expect, test, vi } from "vitest";
import { exchangeStarter } from "./accounts-exchange.ts";
import { describeOnSqlite } from "./databases.ts";
import { expectLoopbackOnly } from "./loopback-only.ts";
import { type Balance, expectLedger, PRACTICE_FUNDS, twoPrograms } from "./program-ledger.ts";
import { ask, type Program } from "./trading-programs.ts";

// Whole servers: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });

type Terms = Readonly<Record<string, unknown>>;
interface List {
  readonly orderListId: number;
  readonly contingencyType: string;
  readonly listOrderStatus: string;
  readonly orders: readonly { readonly orderId: number }[];
  readonly orderReports?: readonly { readonly type: string; readonly status: string }[];
}

/** What the scene asks of a client; those without a call of their own for it lack it. */
interface ListClient {
  pair(terms: Terms): Promise<List>;
  readonly orderAfter?: (terms: Terms) => Promise<List>;
  readonly pairAfter?: (terms: Terms) => Promise<List>;
  read(orderListId: number): Promise<List>;
  open(): Promise<List[]>;
  all(): Promise<List[]>;
  cancel(orderListId: number): Promise<List>;
}

const MARKET = { symbol: "BTCUSD" };

function ofSpot(url: string, { apiKey, secret: apiSecret }: Program): ListClient {
  const configurationRestAPI = { apiKey, apiSecret, basePath: url, timeout: 60_000 };
  const { restAPI } = new Spot({ configurationRestAPI });
  const read = async (answer: Promise<{ data(): Promise<unknown> }>) =>
    (await (await answer).data()) as never;
  return {
    pair: (terms) => read(restAPI.orderListOco(terms as never)),
    orderAfter: (terms) => read(restAPI.orderListOto(terms as never)),
    pairAfter: (terms) => read(restAPI.orderListOtoco(terms as never)),
    read: (orderListId) => read(restAPI.getOrderList({ orderListId })),
    open: () => read(restAPI.openOrderList()),
    all: () => read(restAPI.allOrderList()),
    cancel: (orderListId) => read(restAPI.deleteOrderList({ ...MARKET, orderListId })),
  };
}

function ofConnector(url: string, { apiKey, secret }: Program): ListClient {
  const client = new ConnectorSpot(apiKey, secret, { baseURL: url });
  const read = async (answer: Promise<{ data: unknown }>) => (await answer).data as never;
  return {
    pair: ({ symbol, side, quantity, aboveType, belowType, ...options }) =>
      read(
        client.newOCOOrder(
          String(symbol),
          String(side),
          String(quantity),
          String(aboveType),
          String(belowType),
          options,
        ),
      ),
    read: (orderListId) => read(client.getOCOOrder({ orderListId })),
    open: () => read(client.getOpenOCOOrders()),
    all: () => read(client.getOCOOrders()),
    cancel: (orderListId) => read(client.cancelOCOOrder(MARKET.symbol, { orderListId })),
  };
}

function ofNodeBinanceApi(url: string, { apiKey, secret }: Program): ListClient {
  const client = new Binance({ APIKEY: apiKey, APISECRET: secret, recvWindow: 60_000, log() {} });
  Object.assign(client, { base: `${url}/api/`, sapi: `${url}/sapi/` });
  // It has a call for pairs alone, but signs any.
  const send = (path: string, terms: Terms, method: "GET" | "POST" | "DELETE") =>
    client.privateSpotRequest(`v3/${path}`, { ...terms }, method) as Promise<never>;
  return {
    pair: ({ symbol, side, quantity, ...terms }) =>
      client.order(
        "OCO",
        side as never,
        String(symbol),
        Number(quantity),
        undefined,
        terms,
      ) as Promise<unknown> as Promise<List>,
    orderAfter: (terms) => send("orderList/oto", terms, "POST"),
    pairAfter: (terms) => send("orderList/otoco", terms, "POST"),
    read: (orderListId) => send("orderList", { orderListId }, "GET"),
    open: () => send("openOrderList", {}, "GET"),
    all: () => send("allOrderList", {}, "GET"),
    cancel: (orderListId) => send("orderList", { ...MARKET, orderListId }, "DELETE"),
  };
}

function ofBinance(baseUrl: string, { apiKey, secret }: Program): ListClient {
  const client = new MainClient({
    api_key: apiKey,
    api_secret: secret,
    baseUrl,
    disableTimeSync: true,
    recvWindow: 60_000,
  });
  const read = (answer: Promise<unknown>) => answer as Promise<never>;
  // It writes the names that it makes up into what it is given.
  return {
    pair: (terms) => read(client.submitNewOrderList({ ...terms } as never)),
    orderAfter: (terms) => read(client.submitNewOrderListOTO({ ...terms } as never)),
    pairAfter: (terms) => read(client.submitNewOrderListOTOCO({ ...terms } as never)),
    read: (orderListId) => read(client.getOCO({ orderListId })),
    open: () => read(client.getAllOpenOCO()),
    all: () => read(client.getAllOCO()),
    cancel: (orderListId) => read(client.cancelOCO({ ...MARKET, orderListId })),
  };
}

const CLIENTS: Readonly<Record<string, (url: string, program: Program) => ListClient>> = {
  "@binance/spot": ofSpot,
  "@binance/connector": ofConnector,
  "node-binance-api": ofNodeBinanceApi,
  binance: ofBinance,
};

const PAIR = {
  ...MARKET,
  side: "SELL",
  quantity: "0.1",
  aboveType: "LIMIT_MAKER",
  abovePrice: "65000",
  belowType: "STOP_LOSS",
  belowStopPrice: "60000",
};
const WORKING = {
  ...MARKET,
  workingType: "LIMIT",
  workingTimeInForce: "GTC",
  workingSide: "BUY",
  workingPrice: "63000",
  workingQuantity: "0.1",
};
const ORDER_AFTER = {
  ...WORKING,
  pendingType: "LIMIT",
  pendingTimeInForce: "GTC",
  pendingSide: "SELL",
  pendingPrice: "66000",
  pendingQuantity: "0.05",
};
const PAIR_AFTER = {
  ...WORKING,
  pendingSide: "SELL",
  pendingQuantity: "0.05",
  pendingAboveType: "LIMIT_MAKER",
  pendingAbovePrice: "66000",
  pendingBelowType: "STOP_LOSS",
  pendingBelowStopPrice: "60000",
};

describeOnSqlite("lists of orders", (openDatabase) => {
  const start = exchangeStarter(openDatabase);
  expectLoopbackOnly();

  test.each(Object.keys(CLIENTS))(
    "are placed, met, followed and cancelled with %s",
    async (name) => {
      const exchange = await start({ PRACTICE_FUNDS });
      const { maker, taker } = await twoPrograms(exchange);
      const client = CLIENTS[name](exchange.url, maker);
      const limit = async (by: Program, side: "BUY" | "SELL", price: string, quantity: string) => {
        const terms = { ...MARKET, type: "LIMIT", timeInForce: "GTC", side, price, quantity };
        expect((await ask(exchange, by, "POST", "/api/v3/order", terms)).status).toBe(200);
      };
      const statusesOf = async ({ orders }: List) => {
        const read = orders.map(({ orderId }) =>
          ask(exchange, maker, "GET", "/api/v3/order", { ...MARKET, orderId: String(orderId) }),
        );
        const statuses = (await Promise.all(read)).map(({ body }) => String(body.status));
        return statuses.sort();
      };
      // A stop is on the other side of the last price.
      await limit(maker, "SELL", "64000", "0.01");
      await limit(taker, "BUY", "64000", "0.01");

      const met = await client.pair(PAIR);
      expect(met).toMatchObject({ contingencyType: "OCO", listOrderStatus: "EXECUTING" });
      expect(met.orderReports?.map(({ type }) => type).toSorted()).toEqual([
        "LIMIT_MAKER",
        "STOP_LOSS",
      ]);
      expect(await client.open()).toMatchObject([{ orderListId: met.orderListId }]);
      await limit(taker, "BUY", "65000", "0.1");
      const done = await client.read(met.orderListId);
      expect(done).toMatchObject({ orderListId: met.orderListId, listOrderStatus: "ALL_DONE" });
      expect(await statusesOf(done)).toEqual(["EXPIRED", "FILLED"]);
      expect(await client.open()).toEqual([]);

      const cancelled = await client.cancel((await client.pair(PAIR)).orderListId);
      expect(cancelled).toMatchObject({ listOrderStatus: "ALL_DONE" });
      expect(cancelled.orderReports?.map(({ status }) => status)).toEqual(["CANCELED", "CANCELED"]);
      let placed = 2;
      for (const [place, terms, pending] of [
        [client.orderAfter, ORDER_AFTER, ["NEW"]],
        [client.pairAfter, PAIR_AFTER, ["NEW", "NEW"]],
      ] as const) {
        if (place === undefined) continue;
        placed += 1;
        const list = await place(terms);
        expect(list).toMatchObject({ contingencyType: "OTO", listOrderStatus: "EXECUTING" });
        const waiting = pending.map(() => "PENDING_NEW");
        expect(await statusesOf(list)).toEqual(["NEW", ...waiting]);
        await limit(taker, "SELL", "63000", "0.1");
        expect(await statusesOf(list)).toEqual(["FILLED", ...pending]);
        expect(await client.cancel(list.orderListId)).toMatchObject({
          listOrderStatus: "ALL_DONE",
        });
      }
      expect(await client.all()).toHaveLength(placed);
      const account = await ask(exchange, maker, "GET", "/api/v3/account");
      await expectLedger(maker, account.body.balances as Balance[]);
    },
  );
});

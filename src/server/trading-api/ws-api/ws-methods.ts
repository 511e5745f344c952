/** The methods of the WebSocket API, each with its HTTP call. */
import type { Endpoint } from "../endpoint.ts";
import { findEndpoint } from "../endpoints/endpoints.ts";

const CALLS: Readonly<Record<string, string>> = {
  ping: "GET /api/v3/ping",
  time: "GET /api/v3/time",
  exchangeInfo: "GET /api/v3/exchangeInfo",
  depth: "GET /api/v3/depth",
  "trades.recent": "GET /api/v3/trades",
  "trades.historical": "GET /api/v3/historicalTrades",
  "trades.aggregate": "GET /api/v3/aggTrades",
  klines: "GET /api/v3/klines",
  uiKlines: "GET /api/v3/uiKlines",
  avgPrice: "GET /api/v3/avgPrice",
  ticker: "GET /api/v3/ticker",
  "ticker.24hr": "GET /api/v3/ticker/24hr",
  "ticker.tradingDay": "GET /api/v3/ticker/tradingDay",
  "ticker.price": "GET /api/v3/ticker/price",
  "ticker.book": "GET /api/v3/ticker/bookTicker",
  "order.place": "POST /api/v3/order",
  "order.test": "POST /api/v3/order/test",
  "order.status": "GET /api/v3/order",
  "order.cancel": "DELETE /api/v3/order",
  "order.cancelReplace": "POST /api/v3/order/cancelReplace",
  "order.amend.keepPriority": "PUT /api/v3/order/amend/keepPriority",
  "order.amendments": "GET /api/v3/order/amendments",
  "orderList.place": "POST /api/v3/order/oco",
  "orderList.place.oco": "POST /api/v3/orderList/oco",
  "orderList.place.oto": "POST /api/v3/orderList/oto",
  "orderList.place.otoco": "POST /api/v3/orderList/otoco",
  "orderList.cancel": "DELETE /api/v3/orderList",
  "orderList.status": "GET /api/v3/orderList",
  "openOrderLists.status": "GET /api/v3/openOrderList",
  allOrderLists: "GET /api/v3/allOrderList",
  "openOrders.status": "GET /api/v3/openOrders",
  "openOrders.cancelAll": "DELETE /api/v3/openOrders",
  "account.status": "GET /api/v3/account",
  "account.commission": "GET /api/v3/account/commission",
  "account.rateLimits.orders": "GET /api/v3/rateLimit/order",
  myFilters: "GET /api/v3/myFilters",
  allOrders: "GET /api/v3/allOrders",
  myTrades: "GET /api/v3/myTrades",
  myPreventedMatches: "GET /api/v3/myPreventedMatches",
  myAllocations: "GET /api/v3/myAllocations",
  "userDataStream.start": "POST /api/v3/userDataStream",
  "userDataStream.ping": "PUT /api/v3/userDataStream",
  "userDataStream.stop": "DELETE /api/v3/userDataStream",
};

/** The names of all methods. */
export const WS_METHODS: readonly string[] = Object.keys(CALLS);

const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map(
  Object.entries(CALLS).map(([method, call]) => {
    const [verb, path] = call.split(" ");
    return [method, findEndpoint(verb, path)];
  }),
);

/** Undefined if there is no such method. */
export function endpointOfMethod(method: string): Endpoint | undefined {
  return ENDPOINTS.get(method);
}

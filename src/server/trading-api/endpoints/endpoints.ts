/** All calls by method and path. */
import { unknownCall, wrongMethod } from "../api-error.ts";
import type { Endpoint } from "../endpoint.ts";
import * as account from "./api-key.ts";
import * as faults from "./faults.ts";
import * as general from "./general.ts";
import * as listenKeys from "./listen-keys.ts";
import * as marketData from "./market-data.ts";
import * as openbell from "./extensions.ts";
import * as ownAccount from "./account.ts";
import * as ownLists from "./own-lists.ts";
import * as ownOrders from "./order-history.ts";
import * as ownTrades from "./own-trades.ts";
import * as orderChanges from "./order-changes.ts";
import * as orderLists from "./order-lists.ts";
import * as orders from "./orders.ts";
import * as tickers from "./tickers.ts";
import * as wallet from "./wallet.ts";
import * as windowTickers from "./window-tickers.ts";

export const endpoints: readonly Endpoint[] = [
  account,
  faults,
  general,
  listenKeys,
  marketData,
  openbell,
  orderChanges,
  orderLists,
  orders,
  ownAccount,
  ownLists,
  ownOrders,
  ownTrades,
  tickers,
  wallet,
  windowTickers,
].flatMap((calls) => Object.values<Endpoint>(calls));

const byMethod: ReadonlyMap<string, Endpoint> = new Map(
  endpoints.map((call) => [`${call.method} ${call.path}`, call]),
);
export const endpointPaths: ReadonlySet<string> = new Set(endpoints.map(({ path }) => path));

/** HEAD requests find the GET call. @throws ApiError */
export function findEndpoint(method: string, path: string): Endpoint {
  const call = byMethod.get(`${method === "HEAD" ? "GET" : method} ${path}`);
  if (call !== undefined) return call;
  throw endpointPaths.has(path) ? wrongMethod() : unknownCall();
}

/**
 * API URLs for client libraries: each that a library knows is replaced by the exchange's own or
 * by one that leads nowhere.
 */

interface Exchange {
  /** Origin of the exchange, such as "https://exchange.example". */
  readonly origin: string;
}

/** WebSocket origin of the exchange: "wss://exchange.example". */
export function webSocketOriginOf({ origin }: Exchange): string {
  return origin.replace(/^http/, "ws");
}

export interface Urls {
  readonly [name: string]: string | Urls;
}

/** URLs under the names that ccxt's spot calls and streams use. */
export function ccxtUrls(exchange: Exchange): Urls {
  const { origin } = exchange;
  return {
    public: `${origin}/api/v3`,
    private: `${origin}/api/v3`,
    sapi: `${origin}/sapi/v1`,
    ws: {
      spot: `${webSocketOriginOf(exchange)}/ws`,
      "ws-api": { spot: `${webSocketOriginOf(exchange)}/ws-api/v3` },
    },
  };
}

/** ccxt's names for products that the exchange does not have. */
const CCXT_UNUSED = [
  "sapiV2",
  "sapiV3",
  "sapiV4",
  "dapiPublic",
  "dapiPrivate",
  "dapiPrivateV2",
].concat(
  ["dapiData", "eapiPublic", "eapiPrivate", "fapiPublic", "fapiPublicV2", "fapiPublicV3"],
  ["fapiPrivate", "fapiPrivateV2", "fapiPrivateV3", "fapiData", "v1", "v3", "wapi", "papi"],
  ["papiV2", "web"],
);
const UNUSED_SOCKETS = ["margin", "future", "delivery", "stock", "option", "optionMarket"].concat([
  "optionPrivate",
  "papi",
]);

/**
 * Adds URLs that lead nowhere, for libraries that merge ours into ccxt's own: all of ccxt's must
 * be replaced.
 */
export function withUnused(urls: Urls, exchange: Exchange): Urls {
  const unused = (names: readonly string[], origin: string) =>
    Object.fromEntries(names.map((name) => [name, `${origin}/unused`]));
  const sockets = webSocketOriginOf(exchange);
  const { ws } = urls as { readonly ws: { readonly "ws-api": Urls } };
  return {
    ...unused(CCXT_UNUSED, exchange.origin),
    ...urls,
    ws: {
      ...unused(UNUSED_SOCKETS, sockets),
      ...ws,
      "ws-api": { ...unused(["future", "delivery"], sockets), ...ws["ws-api"] },
    },
  };
}

/** node-binance-api's names for products that the exchange does not have, and for Binance's test exchanges. */
const UNUSED_BY_NODE_BINANCE_API = ["fapi", "dapi"].concat(
  ["baseTest", "fapiTest", "dapiTest", "baseDemo", "fapiDemo", "dapiDemo"],
  ["fstream", "fstreamSingle", "dstream", "dstreamSingle"].flatMap(withTestAndDemo),
  ["streamTest", "streamDemo", "combineStreamTest", "combineStreamDemo"],
  ["wsApiTest", "wsApiDemo"],
);

function withTestAndDemo(name: string): string[] {
  return [name, `${name}Test`, `${name}Demo`];
}

export function nodeBinanceApiUrls(exchange: Exchange): Urls {
  const { origin } = exchange;
  const sockets = webSocketOriginOf(exchange);
  return {
    base: `${origin}/api/`,
    sapi: `${origin}/sapi/`,
    wapi: `${origin}/wapi/`,
    stream: `${sockets}/ws/`,
    combineStream: `${sockets}/stream?streams=`,
    wsApi: `${sockets}/ws-api/v3`,
    // The library builds some futures URLs from this; no such host can exist.
    domain: "invalid",
    ...Object.fromEntries(UNUSED_BY_NODE_BINANCE_API.map((name) => [name, ""])),
  };
}

/**
 * Settings with which programs made for Binance's spot interface use this exchange instead. Each
 * replaces every address that its program knows: one that is left out would be that of the real
 * venue, which would be sent the key.
 */
import type { ApiKeyKind } from "#contract/api-keys.ts";

export const CLIENTS = [
  { value: "ccxtJavaScript", label: "ccxt (JavaScript)" },
  { value: "ccxtPython", label: "ccxt (Python)" },
  { value: "ccxtPhp", label: "ccxt (PHP)" },
  { value: "binanceSpot", label: "@binance/spot" },
  { value: "nodeBinanceApi", label: "node-binance-api" },
  { value: "freqtrade", label: "freqtrade" },
  { value: "hummingbot", label: "hummingbot" },
] as const;
export type Client = (typeof CLIENTS)[number]["value"];

interface ClientFacts {
  /** Origin of the exchange, such as "https://exchange.example". */
  readonly origin: string;
  readonly apiKey: string;
  readonly kind: ApiKeyKind;
}

export interface ClientSettings {
  /** Where to put the text. */
  readonly hint: string;
  readonly text: string;
}

/** undefined if the program cannot use keys of this kind. */
export function clientSettings(client: Client, facts: ClientFacts): ClientSettings | undefined {
  const isHmacOnly = client === "nodeBinanceApi" || client === "hummingbot";
  return isHmacOnly && facts.kind !== "hmac" ? undefined : SETTINGS[client](facts);
}

const SETTINGS: Readonly<Record<Client, (facts: ClientFacts) => ClientSettings>> = {
  ccxtJavaScript: (facts) => ({
    hint: "ccxt.pro has the live streams too; with ccxt alone write ccxt.binanceus.",
    text: `import ccxt from "ccxt";

const exchange = new ccxt.pro.binanceus({
  apiKey: "${facts.apiKey}",
  secret: ${quotedSecret(facts)},
});
// Replaces every address, so that nothing is sent to another venue.
exchange.urls.api = ${indented(JSON.stringify(ccxtAddresses(facts), null, 2), "")};
${isPlain(facts) ? "await exchange.loadHttpProxyAgent();\n" : ""}await exchange.loadMarkets();
`,
  }),
  ccxtPython: (facts) => ({
    hint: "ccxt.pro has the live streams too; for calls without asyncio write ccxt.binanceus.",
    text: `import asyncio
import ccxt.pro as ccxt

async def main():
    exchange = ccxt.binanceus({
        "apiKey": "${facts.apiKey}",
        "secret": ${quotedSecret(facts)},
    })
    # Replaces every address, so that nothing is sent to another venue.
    exchange.urls["api"] = ${indented(JSON.stringify(ccxtAddresses(facts), null, 4), "    ")}
    await exchange.load_markets()
    print(await exchange.fetch_balance())
    await exchange.close()

asyncio.run(main())
`,
  }),
  ccxtPhp: (facts) => ({
    hint: "Installed with: composer require ccxt/ccxt",
    text: `<?php
require __DIR__ . "/vendor/autoload.php";

$exchange = new \\ccxt\\binanceus([
    "apiKey" => "${facts.apiKey}",
    "secret" => ${quotedSecret(facts)},
]);
// Replaces every address, so that nothing is sent to another venue.
$exchange->urls["api"] = ${phpOf(ccxtAddresses(facts))};
$exchange->load_markets();
print_r($exchange->fetch_balance());
`,
  }),
  binanceSpot: (facts) => ({
    hint: "All three parts have an address: one that is left out is that of the real venue.",
    text: `import { Spot } from "@binance/spot";

const key = {
  apiKey: "${facts.apiKey}",
  ${facts.kind === "hmac" ? "apiSecret" : "privateKey"}: ${quotedSecret(facts)},
};
const client = new Spot({
  configurationRestAPI: { ...key, basePath: "${facts.origin}" },
  configurationWebsocketAPI: { ...key, wsURL: "${socketsOf(facts)}/ws-api/v3" },
  configurationWebsocketStreams: { wsURL: "${socketsOf(facts)}" },
});
const account = await client.restAPI.getAccount();
console.log(await account.data());
`,
  }),
  nodeBinanceApi: (facts) => ({
    hint: "Futures calls have no address here: they fail instead of reaching another venue.",
    text: `import Binance from "node-binance-api";

const client = new Binance({
  APIKEY: "${facts.apiKey}",
  APISECRET: ${quotedSecret(facts)},
});
// Replaces every address, so that nothing is sent to another venue.
Object.assign(client, ${indented(JSON.stringify(nodeBinanceApiAddresses(facts), null, 2), "")});
console.log(await client.balance());
`,
  }),
  freqtrade: (facts) => ({
    hint: "Part of config.json. Choose the pairs that you trade.",
    text: `${JSON.stringify(
      {
        exchange: {
          name: "binanceus",
          key: facts.apiKey,
          secret: placeholderOf(facts),
          ccxt_config: { urls: { api: withUnused(ccxtAddresses(facts), facts) } },
          pair_whitelist: ["BTC/USD"],
        },
      },
      null,
      2,
    )}
`,
  }),
  hummingbot: (facts) => ({
    hint: "hummingbot has no setting for addresses: run this in its folder, then connect binance with key and secret.",
    text: `sed -i \\
  -e 's|^REST_URL = .*|REST_URL = "${facts.origin}/api/"|' \\
  -e 's|^WSS_URL = .*|WSS_URL = "${socketsOf(facts)}/ws"|' \\
  -e 's|^WSS_API_URL = .*|WSS_API_URL = "${socketsOf(facts)}/ws-api/v3"|' \\
  hummingbot/connector/exchange/binance/binance_constants.py

# then, in hummingbot:
#   connect binance
#   API key: ${facts.apiKey}
`,
  }),
};

function placeholderOf({ kind }: Pick<ClientFacts, "kind">): string {
  return kind === "hmac" ? "YOUR SECRET" : "YOUR PRIVATE KEY AS PEM";
}

function quotedSecret(facts: ClientFacts): string {
  return JSON.stringify(placeholderOf(facts));
}

function isPlain({ origin }: ClientFacts): boolean {
  return origin.startsWith("http:");
}

/** "wss://exchange.example" */
function socketsOf({ origin }: ClientFacts): string {
  return origin.replace(/^http/, "ws");
}

interface Addresses {
  readonly [name: string]: string | Addresses;
}

/** The names that ccxt's spot calls and streams use. */
function ccxtAddresses(facts: ClientFacts): Addresses {
  const { origin } = facts;
  return {
    public: `${origin}/api/v3`,
    private: `${origin}/api/v3`,
    sapi: `${origin}/sapi/v1`,
    ws: { spot: `${socketsOf(facts)}/ws`, "ws-api": { spot: `${socketsOf(facts)}/ws-api/v3` } },
  };
}

/** ccxt's further names, of products that are not here. */
const UNUSED = ["sapiV2", "sapiV3", "sapiV4", "dapiPublic", "dapiPrivate", "dapiPrivateV2"].concat(
  ["dapiData", "eapiPublic", "eapiPrivate", "fapiPublic", "fapiPublicV2", "fapiPublicV3"],
  ["fapiPrivate", "fapiPrivateV2", "fapiPrivateV3", "fapiData", "v1", "v3", "wapi", "papi"],
  ["papiV2", "web"],
);
const UNUSED_SOCKETS = ["margin", "future", "delivery", "stock", "option", "optionMarket"].concat([
  "optionPrivate",
  "papi",
]);

/** For programs that add our addresses to ccxt's own: all of these must be replaced. */
function withUnused(addresses: Addresses, facts: ClientFacts): Addresses {
  const unused = (names: readonly string[], origin: string) =>
    Object.fromEntries(names.map((name) => [name, `${origin}/unused`]));
  const sockets = socketsOf(facts);
  const { ws } = addresses as { readonly ws: { readonly "ws-api": Addresses } };
  return {
    ...unused(UNUSED, facts.origin),
    ...addresses,
    ws: {
      ...unused(UNUSED_SOCKETS, sockets),
      ...ws,
      "ws-api": { ...unused(["future", "delivery"], sockets), ...ws["ws-api"] },
    },
  };
}

function nodeBinanceApiAddresses(facts: ClientFacts): Addresses {
  const { origin } = facts;
  const sockets = socketsOf(facts);
  const calls = ["fapi", "dapi", "baseTest", "fapiTest", "dapiTest"];
  const streams = ["fstream", "fstreamSingle", "dstream", "dstreamSingle"];
  const unused = [...calls, ...streams, ...streams.map((name) => `${name}Test`)];
  return {
    base: `${origin}/api/`,
    sapi: `${origin}/sapi/`,
    wapi: `${origin}/wapi/`,
    stream: `${sockets}/ws/`,
    combineStream: `${sockets}/stream?streams=`,
    ...Object.fromEntries(unused.map((name) => [name, ""])),
  };
}

function phpOf(addresses: Addresses, indent = ""): string {
  const lines = Object.entries(addresses).map(([name, value]) => {
    const text = typeof value === "string" ? JSON.stringify(value) : phpOf(value, `${indent}    `);
    return `${indent}    "${name}" => ${text},`;
  });
  return `[\n${lines.join("\n")}\n${indent}]`;
}

function indented(text: string, indent: string): string {
  return text.replaceAll("\n", `\n${indent}`);
}

/**
 * Settings that make client libraries for Binance's spot API use this exchange. They replace every
 * URL that the library knows: requests to a URL left out would go to Binance, with the key.
 */
import type { ApiKeyKind } from "#contract/api-keys.ts";
import {
  type Urls,
  ccxtUrls,
  nodeBinanceApiUrls,
  webSocketOriginOf,
  withUnused,
} from "./client-urls.ts";

export const CLIENTS = [
  { value: "ccxtJavaScript", label: "ccxt (JavaScript)" },
  { value: "ccxtPython", label: "ccxt (Python)" },
  { value: "ccxtPhp", label: "ccxt (PHP)" },
  { value: "binanceSpot", label: "@binance/spot" },
  { value: "binanceConnector", label: "@binance/connector" },
  { value: "nodeBinanceApi", label: "node-binance-api" },
  { value: "binance", label: "binance (JavaScript)" },
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
  /** Tells the user where to put the text. */
  readonly hint: string;
  readonly text: string;
}

/** The settings for a client library; undefined if it does not support keys of this kind. */
export function clientSettings(client: Client, facts: ClientFacts): ClientSettings | undefined {
  const isHmacOnly = client === "nodeBinanceApi" || client === "hummingbot";
  return isHmacOnly && facts.kind !== "hmac" ? undefined : SETTINGS[client](facts);
}

const SETTINGS: Readonly<Record<Client, (facts: ClientFacts) => ClientSettings>> = {
  ccxtJavaScript: (facts) => ({
    hint: "ccxt.pro has the live streams too; with ccxt alone write ccxt.binanceus.",
    text: `// npm install ccxt; save this as bot.mjs
import ccxt from "ccxt";

const exchange = new ccxt.pro.binanceus({
  apiKey: "${facts.apiKey}",
  secret: ${quotedSecret(facts)},
});
// Replaces every address, so that nothing is sent to another venue.
exchange.urls.api = ${indented(JSON.stringify(ccxtUrls(facts), null, 2), "")};
${facts.origin.startsWith("http:") ? "await exchange.loadHttpProxyAgent();\n" : ""}await exchange.loadMarkets();
console.log(await exchange.fetchBalance());
`,
  }),
  ccxtPython: (facts) => ({
    hint: "ccxt.pro has the live streams too; for calls without asyncio write ccxt.binanceus.",
    text: `# pip install ccxt
import asyncio
import ccxt.pro as ccxt

async def main():
    exchange = ccxt.binanceus({
        "apiKey": "${facts.apiKey}",
        "secret": ${quotedSecret(facts)},
    })
    # Replaces every address, so that nothing is sent to another venue.
    exchange.urls["api"] = ${indented(JSON.stringify(ccxtUrls(facts), null, 4), "    ")}
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
$exchange->urls["api"] = ${phpOf(ccxtUrls(facts))};
$exchange->load_markets();
print_r($exchange->fetch_balance());
`,
  }),
  binanceSpot: (facts) => ({
    hint: "All three parts have an address: one that is left out is that of the real venue.",
    text: `// npm install @binance/spot; save this as bot.mjs
import { Spot } from "@binance/spot";

const key = {
  apiKey: "${facts.apiKey}",
  ${facts.kind === "hmac" ? "apiSecret" : "privateKey"}: ${quotedSecret(facts)},
};
const client = new Spot({
  configurationRestAPI: { ...key, basePath: "${facts.origin}" },
  configurationWebsocketAPI: { ...key, wsURL: "${webSocketOriginOf(facts)}/ws-api/v3" },
  configurationWebsocketStreams: { wsURL: "${webSocketOriginOf(facts)}" },
});
const account = await client.restAPI.getAccount();
console.log(await account.data());
`,
  }),
  binanceConnector: (facts) => ({
    hint: "Each part has an address: one that is left out is that of the real venue.",
    text: facts.kind === "hmac" ? connectorText(facts) : connectorTextOfEd25519(facts),
  }),
  nodeBinanceApi: (facts) => ({
    hint: "Futures calls have no address here: they fail instead of reaching another venue.",
    text: `// npm install node-binance-api; save this as bot.mjs
import Binance from "node-binance-api";

const client = new Binance({
  APIKEY: "${facts.apiKey}",
  APISECRET: ${quotedSecret(facts)},
});
// Replaces every address, so that nothing is sent to another venue.
Object.assign(client, ${indented(JSON.stringify(nodeBinanceApiUrls(facts), null, 2), "")});
console.log(await client.balance());
`,
  }),
  binance: (facts) => ({
    hint: "Leave disableTimeSync as it is and do not call getServerTime: its address is always that of the real venue.",
    text: `// npm install binance; save this as bot.mjs
import { MainClient, WebsocketAPIClient, WebsocketClient } from "binance";

const key = {
  api_key: "${facts.apiKey}",
  api_secret: ${quotedSecret(facts)},
};
const http = { baseUrl: "${facts.origin}", disableTimeSync: true };
const client = new MainClient({ ...key, ...http });
const streams = new WebsocketClient({ wsUrl: "${webSocketOriginOf(facts)}", restOptions: http });
const socket = new WebsocketAPIClient({
  ...key,
  wsUrl: "${webSocketOriginOf(facts)}",
  restOptions: http,
});
console.log(await client.getAccountInformation());
`,
  }),
  freqtrade: (facts) => ({
    hint: "Part of config.json. Choose the pairs that you trade, their coin as stake_currency, and leave only_from_ccxt as it is: past candles would be those of the real venue.",
    text: `${JSON.stringify(
      {
        exchange: {
          name: "binanceus",
          key: facts.apiKey,
          secret: placeholderOf(facts),
          ccxt_config: { urls: { api: withUnused(ccxtUrls(facts), facts) } },
          only_from_ccxt: true,
          pair_whitelist: ["BTC/USD"],
        },
      },
      null,
      2,
    )}
`,
  }),
  hummingbot: (facts) => ({
    hint: "hummingbot has no setting for addresses, which are in two files: run this in its folder, then connect binance with key and secret.",
    text: `sed -i \\
  -e 's|^REST_URL = .*|REST_URL = "${facts.origin}/api/"|' \\
  -e 's|^WSS_URL = .*|WSS_URL = "${webSocketOriginOf(facts)}/ws"|' \\
  -e 's|^WSS_API_URL = .*|WSS_API_URL = "${webSocketOriginOf(facts)}/ws-api/v3"|' \\
  hummingbot/connector/exchange/binance/binance_constants.py
sed -i \\
  -e 's|^REST_URL = .*|REST_URL = "${facts.origin}"|' \\
  -e 's|^WSS_URL = .*|WSS_URL = "${webSocketOriginOf(facts)}/ws"|' \\
  hummingbot/data_feed/candles_feed/binance_spot_candles/constants.py

# then, in hummingbot:
#   connect binance
#   API key: ${facts.apiKey}
`,
  }),
};

function connectorText(facts: ClientFacts): string {
  return `// npm install @binance/connector; save this as bot.mjs
import { Spot, WebsocketAPI, WebsocketStream } from "@binance/connector";

const apiKey = "${facts.apiKey}";
const apiSecret = ${quotedSecret(facts)};
const client = new Spot(apiKey, apiSecret, { baseURL: "${facts.origin}" });
const account = await client.account();
console.log(account.data);

// These connect once they are made.
const openStreams = (callbacks) =>
  new WebsocketStream({ wsURL: "${webSocketOriginOf(facts)}", callbacks });
const openSocket = (callbacks) =>
  new WebsocketAPI(apiKey, apiSecret, { wsURL: "${webSocketOriginOf(facts)}/ws-api/v3", callbacks });
`;
}

/** The connector's settings without the WebSocket API, for which it supports HMAC keys only. */
function connectorTextOfEd25519(facts: ClientFacts): string {
  return `// npm install @binance/connector; save this as bot.mjs
import { Spot, WebsocketStream } from "@binance/connector";

const client = new Spot("${facts.apiKey}", "", {
  baseURL: "${facts.origin}",
  privateKey: ${quotedSecret(facts)},
  privateKeyAlgo: "Ed25519",
});
const account = await client.account();
console.log(account.data);

// These connect once they are made.
const openStreams = (callbacks) =>
  new WebsocketStream({ wsURL: "${webSocketOriginOf(facts)}", callbacks });
`;
}

function placeholderOf({ kind }: Pick<ClientFacts, "kind">): string {
  return kind === "hmac" ? "YOUR SECRET" : "YOUR PRIVATE KEY AS PEM";
}

function quotedSecret(facts: ClientFacts): string {
  return JSON.stringify(placeholderOf(facts));
}

function phpOf(urls: Urls, indent = ""): string {
  const lines = Object.entries(urls).map(([name, value]) => {
    const text = typeof value === "string" ? JSON.stringify(value) : phpOf(value, `${indent}    `);
    return `${indent}    "${name}" => ${text},`;
  });
  return `[\n${lines.join("\n")}\n${indent}]`;
}

function indented(text: string, indent: string): string {
  return text.replaceAll("\n", `\n${indent}`);
}

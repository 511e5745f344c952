import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { MainClient } from "binance";
import ccxt from "ccxt";
import Binance from "node-binance-api";
import { describe, expect, test } from "vitest";
import { type Client, CLIENTS, clientSettings } from "./client-settings.ts";

const facts = { origin: "https://exchange.example", apiKey: "A".repeat(64), kind: "hmac" } as const;

function textOf(client: Client, more: Partial<typeof facts> | object = {}): string {
  return clientSettings(client, { ...facts, ...more })?.text ?? "";
}

/** Every address in nested objects. */
function addressesIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(addressesIn)
    : [];
}

function expectOwn(addresses: readonly string[]): void {
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) expect(address).toMatch(/^(https|wss):\/\/exchange\.example\//);
}

test.each(CLIENTS)("$label gets no address but this exchange's", ({ value }) => {
  const addresses = textOf(value).match(/(?:https?|wss?):\/\/[^"'|\s]+/g) ?? [];
  for (const address of addresses) expect(new URL(address).host).toBe("exchange.example");
  expect(addresses.length).toBeGreaterThan(0);
  expect(textOf(value)).toContain(facts.apiKey);
});

describe("ccxt itself", () => {
  test("knows no other address with the settings for JavaScript", () => {
    const assigned = /urls\.api = (\{[\s\S]+?\n\});/.exec(textOf("ccxtJavaScript"))?.[1] ?? "";
    const exchange = new ccxt.pro.binanceus({ apiKey: "key", secret: "secret" });
    exchange.urls.api = JSON.parse(assigned) as typeof exchange.urls.api;
    expectOwn(addressesIn(exchange.urls.api));
    expect(exchange.sign("account", "private", "GET", {}).url).toMatch(
      /^https:\/\/exchange\.example\/api\/v3\/account/,
    );
  });

  test("knows no other address with the settings for freqtrade, which are added to its own", () => {
    const { exchange: settings } = JSON.parse(textOf("freqtrade")) as {
      exchange: { ccxt_config: object };
    };
    for (const made of [
      new ccxt.binanceus(settings.ccxt_config),
      new ccxt.pro.binanceus(settings.ccxt_config),
    ]) {
      expectOwn(addressesIn(made.urls.api));
    }
  });

  test("gets the same addresses in Python and PHP", () => {
    const javaScript = textOf("ccxtJavaScript").match(/"(?:https|wss):[^"]+"/g);
    expect(textOf("ccxtPython").match(/"(?:https|wss):[^"]+"/g)).toEqual(javaScript);
    expect(textOf("ccxtPhp").match(/"(?:https|wss):[^"]+"/g)).toEqual(javaScript);
  });
});

test("hummingbot knows no other address in the files that it has them in", () => {
  // As they are in its repository.
  const files = {
    "hummingbot/connector/exchange/binance/binance_constants.py":
      'REST_URL = "https://api.binance.{}/api/"\nWSS_URL = "wss://stream.binance.{}:9443/ws"\nWSS_API_URL = "wss://ws-api.binance.{}:443/ws-api/v3"\n',
    "hummingbot/data_feed/candles_feed/binance_spot_candles/constants.py":
      'REST_URL = "https://api.binance.com"\nWSS_URL = "wss://stream.binance.com:9443/ws"\n',
  };
  const directory = mkdtempSync(join(tmpdir(), "openbell-hummingbot-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(directory, dirname(path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    }
    execFileSync("sh", ["-c", textOf("hummingbot")], { cwd: directory });
    const written = Object.keys(files).map((path) => readFileSync(join(directory, path), "utf8"));
    const [connector, candles] = written.map((text) => text.match(/(https|wss):[^"]+/g));
    expect(connector).toEqual([
      "https://exchange.example/api/",
      "wss://exchange.example/ws",
      "wss://exchange.example/ws-api/v3",
    ]);
    expect(candles).toEqual(["https://exchange.example", "wss://exchange.example/ws"]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("node-binance-api knows no other address with its settings", () => {
  const assigned = /assign\(client, (\{[\s\S]+?\n\})\);/.exec(textOf("nodeBinanceApi"))?.[1] ?? "";
  const client = new Binance({ APIKEY: "key", APISECRET: "secret" });
  Object.assign(client, JSON.parse(assigned));
  const addresses = Object.values(client).filter((value) => String(value).includes("://"));
  expectOwn(addresses as string[]);
  expect(client.getWsApiUrl()).toBe("wss://exchange.example/ws-api/v3");
  // The domain that it derives leads nowhere.
  expect(new URL(client.getFStreamSingleUrl("private")).host).toBe("fstream.binance.invalid");
});

test("binance asks no other address for the time, which would be sent the key", () => {
  expect(textOf("binance").match(/disableTimeSync: true/g)).toHaveLength(1);
  // Every part that may call over HTTP.
  expect(textOf("binance").match(/\.\.\.http|restOptions: http/g)).toHaveLength(3);
  const client = new MainClient({ baseUrl: facts.origin, disableTimeSync: true });
  expect(client).toMatchObject({ baseUrl: facts.origin });
});

test("an exchange without TLS has plain sockets", () => {
  const origin = "http://127.0.0.1:4100";
  expect(textOf("binanceSpot", { origin })).toContain('wsURL: "ws://127.0.0.1:4100/ws-api/v3"');
  expect(textOf("ccxtJavaScript", { origin })).toContain("loadHttpProxyAgent");
  expect(textOf("ccxtJavaScript")).not.toContain("loadHttpProxyAgent");
});

test("an Ed25519 key has a private key in the place of the secret, where the program knows it", () => {
  const kind = "ed25519";
  expect(textOf("binanceSpot", { kind })).toContain('privateKey: "YOUR PRIVATE KEY AS PEM"');
  expect(textOf("ccxtPython", { kind })).toContain('"secret": "YOUR PRIVATE KEY AS PEM"');
  expect(clientSettings("nodeBinanceApi", { ...facts, kind })).toBeUndefined();
  expect(clientSettings("hummingbot", { ...facts, kind })).toBeUndefined();
});

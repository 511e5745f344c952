import ccxt from "ccxt";
import { describe, expect, test } from "vitest";
import { type Client, CLIENTS, clientSettings } from "./client-settings.ts";

const facts = { origin: "https://exchange.example", apiKey: "A".repeat(64), kind: "hmac" } as const;

function textOf(client: Client, more: Partial<typeof facts> | object = {}): string {
  return clientSettings(client, { ...facts, ...more })?.text ?? "";
}

/** Every address in a nest of objects. */
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

/** The orders of `bench/api.ts`, and the requests that place them. */
import { createHmac, type KeyObject, sign } from "node:crypto";

/** A user with two API keys and a loopback address of their own. */
export interface Trader {
  readonly address: string;
  readonly hmac: { readonly apiKey: string; readonly secret: string };
  readonly ed25519: { readonly apiKey: string; readonly privateKey: string };
}

export interface Order {
  readonly clientOrderId: string;
  readonly price: string;
  readonly quantity: string;
}

export const SYMBOL = "BTCUSD";
const QUANTITY = "0.00100000";
const PRICE_FROM = 30_000;
const PRICES = 2_000;

/** Limit buys that never trade: nothing is sold. The same batch and number always give the same order. */
export function orderOf(batch: string, number: number): Order {
  const price = `${PRICE_FROM + ((number * 7_919) % PRICES)}.00`;
  return { clientOrderId: `${batch}-${number}`, price, quantity: QUANTITY };
}

/** A signed HTTP request, with all parameters in its target. */
export function signedRequest(
  { apiKey, secret }: Trader["hmac"],
  { method, path, query, host }: Record<"method" | "path" | "query" | "host", string>,
): string {
  const payload = `${query}&timestamp=${Date.now()}`;
  const signature = createHmac("sha256", secret).update(payload).digest("hex");
  const head = `${method} ${path}?${payload}&signature=${signature} HTTP/1.1\r\nHost: ${host}\r\n`;
  return `${head}X-MBX-APIKEY: ${apiKey}\r\nContent-Length: 0\r\n\r\n`;
}

export function orderQuery({ clientOrderId, price, quantity }: Order): string {
  return (
    `symbol=${SYMBOL}&side=BUY&type=LIMIT&timeInForce=GTC&quantity=${quantity}&price=${price}` +
    `&newClientOrderId=${clientOrderId}`
  );
}

/** The parameters of an order in a session, where it needs no signature. */
export function orderParameters({ clientOrderId, price, quantity }: Order): object {
  return {
    symbol: SYMBOL,
    side: "BUY",
    type: "LIMIT",
    timeInForce: "GTC",
    quantity,
    price,
    newClientOrderId: clientOrderId,
    timestamp: Date.now(),
  };
}

/** The parameters of an order with a signature of its own, as a WebSocket without a session requires. */
export function signedParameters(order: Order, { apiKey, secret }: Trader["hmac"]): object {
  const parameters = { ...orderParameters(order), apiKey };
  const signature = createHmac("sha256", secret).update(payloadOf(parameters)).digest("hex");
  return { ...parameters, signature };
}

export function logOnParameters(apiKey: string, privateKey: KeyObject): object {
  const parameters = { apiKey, timestamp: Date.now() };
  const payload = Buffer.from(payloadOf(parameters));
  return { ...parameters, signature: sign(null, payload, privateKey).toString("base64") };
}

function payloadOf(parameters: object): string {
  return Object.entries(parameters)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${String(value)}`)
    .join("&");
}

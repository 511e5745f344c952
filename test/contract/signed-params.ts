/** Parameters of requests over the WebSocket API, signed by a program that was written by hand. */
import { createHmac, type KeyObject, sign as signWith } from "node:crypto";
import type { Program } from "./trading-programs.ts";

type Params = Readonly<Record<string, unknown>>;

const payloadOf = (params: Params) =>
  Object.keys(params)
    .toSorted()
    .map((name) => `${name}=${String(params[name])}`)
    .join("&");

export function signed(
  { apiKey, secret }: Pick<Program, "apiKey" | "secret">,
  params: Params = {},
): Params {
  const sent = { ...params, apiKey, timestamp: Date.now() };
  return { ...sent, signature: createHmac("sha256", secret).update(payloadOf(sent)).digest("hex") };
}

/** With an Ed25519 key. */
export function signedWith(privateKey: KeyObject, params: Params): Params {
  const signature = signWith(null, Buffer.from(payloadOf(params)), privateKey).toString("base64");
  return { ...params, signature };
}

import { hash } from "node:crypto";
import { takeRandomBytes } from "../../http/random-pool.ts";
import type { Caller } from "../endpoint.ts";

const LENGTH = 22;
const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/**
 * Random bytes fetched at a time. Six bits of each choose a character; values beyond the last
 * character are skipped.
 */
const BYTES = 28;
const SIX_BITS = 63;
const BASE = BigInt(LETTERS.length);

/** A random id for an order, a cancellation or a list if the program gave none. */
export function newClientOrderId(): string {
  let id = "";
  while (id.length < LENGTH) {
    for (const byte of takeRandomBytes(BYTES)) id += LETTERS[byte & SIX_BITS] ?? "";
  }
  return id.slice(0, LENGTH);
}

/**
 * An id for an order or list of a request that gave none. The same signed request always gets the same id,
 * by which the engine knows it if another node, or this one before a restart, has executed it.
 * @param part distinguishes the orders and lists of one request
 */
export function clientOrderIdFor(
  { keyId, signedText }: Pick<Caller, "keyId" | "signedText">,
  part = "",
): string {
  if (signedText === undefined) return newClientOrderId();
  let number = BigInt(`0x${hash("sha256", `${keyId}\n${part}\n${signedText}`)}`);
  let id = "";
  for (; id.length < LENGTH; number /= BASE) id += LETTERS[Number(number % BASE)];
  return id;
}

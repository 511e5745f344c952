import { takeRandomBytes } from "../../http/random-pool.ts";

const LENGTH = 22;
const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/**
 * Random bytes fetched at a time. Six bits of each choose a character; values beyond the last
 * character are skipped.
 */
const BYTES = 28;
const SIX_BITS = 63;

/** A random id for an order, a cancellation or a list if the program gave none. */
export function newClientOrderId(): string {
  let id = "";
  while (id.length < LENGTH) {
    for (const byte of takeRandomBytes(BYTES)) id += LETTERS[byte & SIX_BITS] ?? "";
  }
  return id.slice(0, LENGTH);
}

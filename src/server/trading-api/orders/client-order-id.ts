import { takeRandomBytes } from "../../http/random-pool.ts";

const LENGTH = 22;
const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Bytes of one question: six bits of each are a letter, unless they are beyond the last one. */
const BYTES = 28;
const SIX_BITS = 63;

/** For an order, a cancellation or a list whose program gave none. */
export function newClientOrderId(): string {
  let id = "";
  while (id.length < LENGTH) {
    for (const byte of takeRandomBytes(BYTES)) id += LETTERS[byte & SIX_BITS] ?? "";
  }
  return id.slice(0, LENGTH);
}

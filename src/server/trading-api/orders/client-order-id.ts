import { randomInt } from "node:crypto";

const LENGTH = 22;
const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** For an order, a cancellation or a list whose program gave none. */
export function newClientOrderId(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}

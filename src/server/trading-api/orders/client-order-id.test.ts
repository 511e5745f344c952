import { expect, test } from "vitest";
import { clientOrderIdFor, newClientOrderId } from "./client-order-id.ts";

test("client order ids have 22 letters and digits, all of them, and differ", () => {
  const ids = Array.from({ length: 500 }, () => newClientOrderId());
  for (const id of ids) expect(id).toMatch(/^[0-9A-Za-z]{22}$/);
  expect(new Set(ids).size).toBe(500);
  expect(new Set(ids.join("")).size).toBe(62);
});

test("a signed request gets the same ids on every node, each of its orders another", () => {
  const caller = { keyId: "key-1", signedText: "symbol=BTCUSD&timestamp=1" };
  const id = clientOrderIdFor(caller);
  expect(id).toMatch(/^[0-9A-Za-z]{22}$/);
  expect(clientOrderIdFor({ ...caller })).toBe(id);
  const others = [
    clientOrderIdFor(caller, "order 1"),
    clientOrderIdFor({ ...caller, keyId: "key-2" }),
    clientOrderIdFor({ ...caller, signedText: "symbol=BTCUSD&timestamp=2" }),
  ];
  expect(new Set([id, ...others]).size).toBe(4);
  // Requests of a connection that has logged on cannot be sent again by others.
  const loggedOn = { keyId: "key-1" };
  expect(clientOrderIdFor(loggedOn)).not.toBe(clientOrderIdFor(loggedOn));
});

import { expect, test } from "vitest";
import { endpointOfMethod, WS_METHODS } from "./ws-methods.ts";

test("every method is a call that HTTP has too", () => {
  for (const method of WS_METHODS) expect(endpointOfMethod(method), method).toBeDefined();
  expect(WS_METHODS).toContain("orderList.place.otoco");
});

test("what an object inherits is no method", () => {
  expect(endpointOfMethod("toString")).toBeUndefined();
});

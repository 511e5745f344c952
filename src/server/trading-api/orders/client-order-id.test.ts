import { expect, test } from "vitest";
import { newClientOrderId } from "./client-order-id.ts";

test("client order ids have 22 letters and digits, all of them, and differ", () => {
  const ids = Array.from({ length: 500 }, () => newClientOrderId());
  for (const id of ids) expect(id).toMatch(/^[0-9A-Za-z]{22}$/);
  expect(new Set(ids).size).toBe(500);
  expect(new Set(ids.join("")).size).toBe(62);
});

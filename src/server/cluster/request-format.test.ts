import { expect, test } from "vitest";
import { decodeRequest, encodeRequest } from "./request-format.ts";

test("a request has the same id, key and command when it is read", () => {
  const command = { type: "cancelOrder", account: 17, orderId: 2 ** 40 } as const;
  const request = { id: "6a75874e-1a2f-41c6-a811-ce1f7beb38c4", key: "own-ü", command };
  expect(decodeRequest(encodeRequest(request))).toEqual(request);
  expect(decodeRequest(encodeRequest({ ...request, key: "" })).key).toBe("");
});

test("a request of an unknown command is refused", () => {
  const bytes = encodeRequest({ id: "1", key: "", command: { type: "advanceTime" } });
  bytes[2] = 99;
  expect(() => decodeRequest(bytes)).toThrow("version");
});

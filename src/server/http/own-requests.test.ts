import { expect, test } from "vitest";
import { ON_BEHALF_HEADER, OwnRequests } from "./own-requests.ts";

test("a request of this process is its visitor's, and no other process can claim to be one", () => {
  const own = new OwnRequests();
  const from = (value: string) => own.visitorOf({ headers: { [ON_BEHALF_HEADER]: value } });
  const header = own.headerFor("2001:db8::1");
  expect(from(header)).toBe("2001:db8::1");
  expect(from(new OwnRequests().headerFor("192.0.2.1"))).toBeUndefined();
  expect(from(header.slice(1))).toBeUndefined();
  expect(from("192.0.2.1")).toBeUndefined();
  expect(own.visitorOf({ headers: {} })).toBeUndefined();
});

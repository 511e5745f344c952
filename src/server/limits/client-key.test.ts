import { expect, test } from "vitest";
import { clientKeyOf, networkOf } from "./client-key.ts";

test("a signed-in user is one client wherever they connect from, visitors one for each address", () => {
  expect(clientKeyOf("ann", "192.0.2.1")).toBe(clientKeyOf("ann", "192.0.2.2"));
  expect(clientKeyOf(undefined, "192.0.2.1")).toBe(clientKeyOf(undefined, "192.0.2.1"));
  expect(clientKeyOf(undefined, "192.0.2.1")).not.toBe(clientKeyOf(undefined, "192.0.2.2"));
  expect(clientKeyOf("192.0.2.1", "192.0.2.1")).not.toBe(clientKeyOf(undefined, "192.0.2.1"));
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:192.0.2.1", "192.0.2.1"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["unknown", "unknown"],
])("the network of %s is %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

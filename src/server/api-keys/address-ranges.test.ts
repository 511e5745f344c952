import { expect, test } from "vitest";
import { AddressRangeError, AddressRanges } from "./address-ranges.ts";

test.each([
  [[], "203.0.113.7", true],
  [["203.0.113.7"], "203.0.113.7", true],
  [["203.0.113.7"], "203.0.113.8", false],
  [["203.0.113.128/25"], "203.0.113.128", true],
  [["203.0.113.128/25"], "203.0.113.127", false],
  [["203.0.113.200/25"], "203.0.113.129", true],
  [["10.0.0.0/8", "2001:db8::/48"], "2001:db8:0:ffff::1", true],
  [["10.0.0.0/8", "2001:db8::/48"], "2001:db8:1::1", false],
  [["10.0.0.0/8", "2001:db8::/48"], "10.255.255.255", true],
  [["0.0.0.0/0"], "203.0.113.7", true],
  [["0.0.0.0/0"], "2001:db8::1", false],
  [["2001:DB8::7"], "2001:db8:0::7", true],
  [["203.0.113.7"], "unknown", false],
])("of the ranges %j the address %s: %s", (ranges, address, isAllowed) => {
  expect(new AddressRanges(ranges).allow(address)).toBe(isAllowed);
});

test.each([
  ["", "is no address"],
  ["localhost", "is no address"],
  ["203.0.113", "is no address"],
  ["203.0.113.256", "is no address"],
  ["203.0.113.0/33", "is no address"],
  ["203.0.113.0/", "is no address"],
  ["203.0.113.0/-1", "is no address"],
  ["203.0.113.0/24/24", "is no address"],
  ["2001:db8::/129", "is no address"],
  ["fe80::1%eth0", "is no address"],
  ["::ffff:203.0.113.7", "without ::ffff:"],
])("%j is refused with a sentence that names it", (range, reason) => {
  const make = () => new AddressRanges(["10.0.0.1", range]);
  expect(make).toThrow(AddressRangeError);
  expect(make).toThrow(reason);
});

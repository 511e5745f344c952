import { ConvexError } from "convex/values";
import { expect, test } from "vitest";
import type { ApiKey } from "#contract/api-keys.ts";
import {
  addressesError,
  entriesOf,
  fieldErrorOf,
  isAboutCode,
  nameError,
  NEW_KEY,
  termsOf,
} from "./key-terms.ts";

const TOKYO = "Asia/Tokyo";
const KEY: ApiKey = {
  keyId: "1",
  name: "Bot",
  apiKey: "A".repeat(64),
  kind: "hmac",
  permissions: ["read", "trade"],
  addressRanges: ["203.0.113.7", "2001:db8::/48"],
  createdAt: 0,
  expiresAt: Date.UTC(2026, 10, 21, 15),
  lastUse: null,
  faults: null,
  readable: true,
};

test("what a key may do is sent again as it was entered", () => {
  const entries = entriesOf(KEY, TOKYO);
  expect(entries).toMatchObject({ mayTrade: true, lastDay: "2026-11-21" });
  const { addressRanges, expiresAt, permissions } = KEY;
  expect(termsOf(entries, TOKYO)).toEqual({ addressRanges, expiresAt, permissions });
});

test("a new key reads, from anywhere, for ever", () => {
  expect(termsOf(NEW_KEY, TOKYO)).toEqual({
    addressRanges: [],
    expiresAt: null,
    permissions: ["read"],
  });
});

test("addresses are separated by line ends, spaces and commas", () => {
  const { addressRanges } = termsOf(
    { ...NEW_KEY, addresses: " 10.0.0.1,\n10.0.0.2  10.0.0.3;" },
    TOKYO,
  );
  expect(addressRanges).toEqual(["10.0.0.1", "10.0.0.2", "10.0.0.3"]);
  expect(addressesError("10.0.0.1 ".repeat(30))).toBeUndefined();
  expect(addressesError("10.0.0.1 ".repeat(31))).toBe("Use at most 30");
});

test("a name is needed, and is short", () => {
  expect([nameError("Bot"), nameError("x".repeat(60))]).toEqual([undefined, undefined]);
  expect(nameError(" ")).toContain("Give it a name");
  expect(nameError("x".repeat(61))).toContain("at most 60");
});

test("a refusal belongs to the field that it names", () => {
  const refusal = (field: string, code = "invalidArgument") =>
    new ConvexError({ code, field, message: "No." });
  expect(fieldErrorOf(refusal("addressRanges"))).toEqual({ field: "addresses", message: "No." });
  expect(fieldErrorOf(refusal("permissions.0"))).toEqual({ field: "mayTrade", message: "No." });
  expect(fieldErrorOf(new Error("No."))).toBeUndefined();
  expect(isAboutCode(refusal("code", "wrongCode"))).toBe(true);
  expect(isAboutCode(refusal("code", "codeNeeded"))).toBe(true);
  expect(isAboutCode(refusal("name"))).toBe(false);
});

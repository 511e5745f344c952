import { expect, test } from "vitest";
import {
  parseLoginSearch,
  parseVerificationSearch,
  safeRedirect,
  verificationAddress,
} from "./account-search.ts";

test("the sign-in page ignores what is invalid in its URL", () => {
  expect(parseLoginSearch({ email: "a@b.co" })).toEqual({ email: "a@b.co" });
  expect(parseLoginSearch({ email: "bad" })).toEqual({});
  expect(parseLoginSearch({ email: ["a@b.co"] })).toEqual({});
  expect(parseLoginSearch({ error: "token_expired" })).toEqual({ error: "token_expired" });
  expect(parseLoginSearch({ redirect: "//evil.example" })).toEqual({});
});

test.each(["/trade", "/trade?market=BTC-USD#book", "/settings?a=1&b=%2F%2Fx"])(
  "%s is a place on this site",
  (path) => expect(safeRedirect(path)).toBe(path),
);

test.each([
  "//evil.example",
  "/\\evil.example",
  "/a//b",
  "https://evil.example",
  "trade",
  "",
  "/\tevil",
  "/ evil",
  "/\u200bevil",
  "/%2Fevil.example",
  "/%255Cevil.example",
  "/%09/evil.example",
  ["/trade"],
  undefined,
])("%j is nowhere to go", (path) => expect(safeRedirect(path)).toBeUndefined());

test("the URL of a verification mail says whom it is about", () => {
  expect(verificationAddress("a+b@c.de")).toBe("/verify-email?email=a%2Bb%40c.de");
  expect(verificationAddress("a@c.de", true)).toBe("/verify-email?email=a%40c.de&change=true");
  expect(
    parseVerificationSearch({ email: "a@c.de", change: true, error: "invalid_token" }),
  ).toEqual({ email: "a@c.de", change: true, error: "invalid_token" });
  expect(parseVerificationSearch({ email: "a", change: "no", error: "" })).toEqual({});
});

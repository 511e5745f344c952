import { expect, test } from "vitest";
import {
  readLoginSearch,
  readVerificationSearch,
  safeRedirect,
  verificationAddress,
} from "./account-search.ts";

test("the sign-in page ignores what is invalid in its URL", () => {
  expect(readLoginSearch({ email: "a@b.co" })).toEqual({ email: "a@b.co" });
  expect(readLoginSearch({ email: "bad" })).toEqual({});
  expect(readLoginSearch({ email: ["a@b.co"] })).toEqual({});
  expect(readLoginSearch({ error: "token_expired" })).toEqual({ error: "token_expired" });
  expect(readLoginSearch({ redirect: "//evil.example" })).toEqual({});
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
  expect(readVerificationSearch({ email: "a@c.de", change: true, error: "invalid_token" })).toEqual(
    { email: "a@c.de", change: true, error: "invalid_token" },
  );
  expect(readVerificationSearch({ email: "a", change: "no", error: "" })).toEqual({});
});

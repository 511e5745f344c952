import { expect, test } from "vitest";
import { isAdmin, redirectFromApp, redirectFromAuth, returnFromLogin } from "./guards.ts";

test("visitors of the exchange's pages are sent to sign in", () => {
  expect(redirectFromApp(null)).toBe("/login");
  expect(redirectFromApp("u1")).toBeNull();
});

test("signed-in people are sent from the sign-in pages to the dashboard", () => {
  expect(redirectFromAuth("u1")).toBe("/dashboard");
  expect(redirectFromAuth(null)).toBeNull();
});

test("the pages of administrators exist for administrators only", () => {
  expect(isAdmin({ role: "admin" })).toBe(true);
  expect(isAdmin({ role: "user" })).toBe(false);
  expect(isAdmin(null)).toBe(false);
});

test("the sign-in page knows where someone was going", () => {
  expect(returnFromLogin("/trade?market=BTC-USD")).toEqual({ redirect: "/trade?market=BTC-USD" });
  expect(returnFromLogin("/dashboard")).toEqual({});
});

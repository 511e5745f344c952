import { expect, test } from "vitest";
import { redirectFromApp, redirectFromAuth } from "./guards.ts";

test("visitors of the exchange's pages are sent to sign in", () => {
  expect(redirectFromApp(null)).toBe("/login");
  expect(redirectFromApp("u1")).toBeNull();
});

test("signed-in people are sent from the sign-in pages to the dashboard", () => {
  expect(redirectFromAuth("u1")).toBe("/dashboard");
  expect(redirectFromAuth(null)).toBeNull();
});

import { expect, test } from "vitest";
import { wasRemembered } from "./sign-in-again.ts";

test("a session of a week was remembered, one of a day was not", () => {
  const updatedAt = "2026-11-01T00:00:00Z";
  expect(wasRemembered({ updatedAt, expiresAt: "2026-11-08T00:00:00Z" })).toBe(true);
  expect(wasRemembered({ updatedAt, expiresAt: "2026-11-02T00:00:00Z" })).toBe(false);
});

import { expect, test } from "vitest";
import { parseOrderPreferences } from "./order-preferences.ts";

const AT_FIRST = {
  deviation: "5",
  confirmations: { limit: false, market: false, triggered: true, linked: true },
};

test("what was stored is read again, and kinds that are new have their default", () => {
  const stored = { deviation: "0.5", confirmations: { market: true, linked: false } };
  expect(parseOrderPreferences(stored)).toEqual({
    deviation: "0.5",
    confirmations: { ...AT_FIRST.confirmations, market: true, linked: false },
  });
});

test.each([
  undefined,
  null,
  "text",
  { deviation: "50", confirmations: { limit: "yes", other: true } },
])("%j gives the defaults", (stored) => {
  expect(parseOrderPreferences(stored)).toEqual(AT_FIRST);
});

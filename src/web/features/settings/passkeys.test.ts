import { expect, test } from "vitest";
import { listedPasskeys, passkeyNameError } from "./passkeys.ts";

test("passkeys are listed with the newest first, and one without a name has one", () => {
  const rows = [
    { id: "a", name: " ", createdAt: "2026-11-01T00:00:00Z", backedUp: true },
    {
      id: "b",
      name: "Phone",
      createdAt: "2026-11-02T00:00:00Z",
      lastUsedAtMs: Date.UTC(2026, 10, 3),
    },
  ];
  expect(listedPasskeys(rows)).toEqual([
    {
      id: "b",
      name: "Phone",
      addedAtMs: Date.UTC(2026, 10, 2),
      lastUsedAtMs: Date.UTC(2026, 10, 3),
      isSynced: false,
    },
    {
      id: "a",
      name: "Passkey",
      addedAtMs: Date.UTC(2026, 10, 1),
      lastUsedAtMs: null,
      isSynced: true,
    },
  ]);
});

test("a passkey's name is not blank and not endless", () => {
  expect(passkeyNameError("  ")).toBe("Give it a name that you will recognise");
  expect(passkeyNameError("Laptop")).toBeUndefined();
  expect(passkeyNameError("x".repeat(61))).toBe("Use at most 60 characters");
});

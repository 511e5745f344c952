import { expect, test } from "vitest";
import { listedSessions } from "./sessions.ts";

const row = (id: string, updatedAt: string) => ({
  id,
  token: `token of ${id}`,
  userAgent: null,
  ipAddress: null,
  createdAt: "2026-11-01T00:00:00Z",
  updatedAt,
});

test("this device comes first, then the one that was used last", () => {
  const rows = [
    row("old", "2026-11-02T00:00:00Z"),
    row("here", "2026-11-01T00:00:00Z"),
    row("new", "2026-11-03T00:00:00Z"),
  ];
  const listed = listedSessions(rows, "here");
  expect(listed.map(({ id }) => id)).toEqual(["here", "new", "old"]);
  expect(listed.map(({ isCurrent }) => isCurrent)).toEqual([true, false, false]);
});

test("a session without a device and an address can be told all the same", () => {
  expect(listedSessions([row("a", "2026-11-02T00:00:00Z")], undefined)).toMatchObject([
    { device: "Unknown device", address: "", lastSeenAtMs: Date.UTC(2026, 10, 2) },
  ]);
});

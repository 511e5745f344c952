import { expect, test } from "vitest";
import type { SecurityEventKind } from "#contract/users.ts";
import type { SecurityEvent } from "../accounts/audit/security-events.ts";
import { noticesOf } from "./security-notices.ts";

function eventsOf(
  ...events: readonly [kind: SecurityEventKind, address: string][]
): SecurityEvent[] {
  return events
    .map(([kind, address], index) => ({
      id: `${index}`,
      userId: "ada",
      actorId: null,
      kind,
      title: kind,
      status: "completed" as const,
      atMs: index,
      address,
      userAgent: "a browser",
    }))
    .toReversed();
}

test("a sign-in from a new place is unusual, and from then on usual", () => {
  const events = eventsOf(
    ["signedUp", "192.0.2.1"],
    ["signedIn", "192.0.2.1"],
    ["signedIn", "198.51.100.7"],
    ["passwordChanged", "198.51.100.7"],
    ["signedIn", "198.51.100.7"],
  );
  expect(noticesOf(events).map(({ event, isUsual }) => [event.id, isUsual])).toEqual([
    ["4", true],
    ["3", false],
    ["2", false],
    ["1", true],
  ]);
});

test("a sign-in after many failed ones is unusual", () => {
  const failed = Array.from({ length: 99 }, () => ["signInFailed", "203.0.113.9"] as const);
  const events = eventsOf(...failed.map((each): [SecurityEventKind, string] => [...each]), [
    "signedIn",
    "203.0.113.9",
  ]);
  expect(noticesOf(events).map(({ isUsual }) => isUsual)).toEqual([false]);
});

test("events that other people could cause in any number are no notices", () => {
  const events = eventsOf(
    ["signedUp", "192.0.2.1"],
    ["signInFailed", "203.0.113.9"],
    ["passwordResetAsked", "203.0.113.9"],
    ["signedOut", "192.0.2.1"],
  );
  expect(noticesOf(events)).toEqual([]);
});

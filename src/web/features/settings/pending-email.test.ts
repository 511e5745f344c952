import { expect, test } from "vitest";
import { parsePendingEmail } from "./pending-email.ts";

const user = { id: "u1", email: "old@example.com" };
const asked = { userId: "u1", newEmail: "new@example.com", askedAtMs: 1_000_000 };
const kept = JSON.stringify(asked);
const MINUTE_MS = 60_000;

test("a change that was asked for a minute ago waits for its mails", () => {
  expect(parsePendingEmail(kept, user, asked.askedAtMs + MINUTE_MS)).toEqual(asked);
});

test("it waits no longer when it is done, when its links are dead, or for someone else", () => {
  const soon = asked.askedAtMs + MINUTE_MS;
  expect(parsePendingEmail(kept, { ...user, email: "new@example.com" }, soon)).toBeNull();
  expect(parsePendingEmail(kept, user, asked.askedAtMs + 61 * MINUTE_MS)).toBeNull();
  expect(parsePendingEmail(kept, { ...user, id: "u2" }, soon)).toBeNull();
});

test.each([null, "", "null", "7", "{}", '{"userId":"u1","newEmail":"<b>","askedAtMs":1}'])(
  "%s is no change",
  (text) => expect(parsePendingEmail(text, user, 1_000_000)).toBeNull(),
);

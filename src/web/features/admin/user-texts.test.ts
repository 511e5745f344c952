import { expect, test } from "vitest";
import { banText, kindText, lastSeenText } from "./user-texts.ts";

const now = Date.UTC(2026, 10, 21, 0, 30);

test.each([
  [now - 60_000, "UTC", "Today"],
  [now - 31 * 60_000, "UTC", "Yesterday"],
  // Half past midnight in London is still yesterday in New York.
  [now - 31 * 60_000, "America/New_York", "Today"],
  [now - 12 * 86_400_000, "UTC", "12 days ago"],
  [now - 40 * 86_400_000, "UTC", "12 Oct 2026"],
  [now + 5_000, "UTC", "Today"],
  [null, "UTC", "Never"],
])("%s in %s was seen %s", (atMs, timeZone, text) =>
  expect(lastSeenText(atMs, now, timeZone)).toBe(text),
);

test("a ban says when it ends, where it does", () => {
  expect(banText(null, "UTC")).toBe("Active");
  expect(banText({ until: null }, "UTC")).toBe("Banned");
  expect(banText({ until: now }, "UTC")).toBe("Banned until 21 Nov, 00:30:00");
});

test("a kind of event reads as words", () => {
  expect(kindText("passwordResetAsked")).toBe("Password reset asked");
});

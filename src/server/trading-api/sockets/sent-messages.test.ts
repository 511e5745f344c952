import { expect, test } from "vitest";
import { SentMessages } from "./sent-messages.ts";

test("all connections of a client share its allowance, which refills, and others have theirs", () => {
  let nowMs = 0;
  const sent = new SentMessages(10, () => nowMs);
  for (const client of ["one", "one", "other"]) sent.opened(client);
  for (let count = 0; count < 50; count++) expect(sent.take("one")).toBe(true);
  expect(sent.take("one")).toBe(false);
  expect(sent.take("other")).toBe(true);
  sent.closed("one");
  expect(sent.take("one")).toBe(false);
  nowMs = 100;
  expect(sent.take("one")).toBe(true);
  expect(sent.take("one")).toBe(false);
});

test("a client without connections gets nothing and is forgotten", () => {
  const sent = new SentMessages(10, () => 0);
  sent.opened("one");
  sent.closed("one");
  expect(sent.take("one")).toBe(false);
});

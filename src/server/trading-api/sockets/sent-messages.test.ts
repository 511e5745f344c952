import { expect, test } from "vitest";
import { clientKeyOf } from "../../limits/client-key.ts";
import { SentMessages } from "./sent-messages.ts";

test("all connections of a client share its allowance, which refills, and others have theirs", () => {
  let nowMs = 0;
  const sent = new SentMessages(10, () => nowMs);
  for (const client of ["one", "one", "other"]) sent.opened(client);
  for (let count = 0; count < 20; count++) expect(sent.take("one")).toBe(true);
  expect(sent.take("one")).toBe(false);
  expect(sent.take("other")).toBe(true);
  sent.closed("one");
  expect(sent.take("one")).toBe(false);
  nowMs = 100;
  expect(sent.take("one")).toBe(true);
  expect(sent.take("one")).toBe(false);
});

test("a client that comes again finds what it has left of its allowance", () => {
  let nowMs = 0;
  const sent = new SentMessages(10, () => nowMs);
  sent.opened("one");
  for (let count = 0; count < 20; count++) sent.take("one");
  sent.closed("one");
  expect(sent.take("one")).toBe(false);
  nowMs = 500;
  sent.opened("one");
  for (let count = 0; count < 5; count++) expect(sent.take("one")).toBe(true);
  expect(sent.take("one")).toBe(false);
  sent.closed("one");
  nowMs = 2_500;
  sent.opened("other");
  sent.opened("one");
  for (let count = 0; count < 20; count++) expect(sent.take("one")).toBe(true);
});

test("a client that got more than it may opens no connection until half its allowance is refilled", () => {
  let nowMs = 0;
  const sent = new SentMessages(10, () => nowMs);
  sent.opened("one");
  for (let count = 0; count < 20; count++) sent.take("one");
  expect(sent.mayOpen("one")).toBe(true);
  sent.take("one");
  expect(sent.mayOpen("one")).toBe(false);
  expect(sent.mayOpen("other")).toBe(true);
  sent.closed("one");
  nowMs = 999;
  expect(sent.mayOpen("one")).toBe(false);
  nowMs = 1_000;
  expect(sent.mayOpen("one")).toBe(true);
});

test("one command may bring a client more messages than its allowance, and the next are counted again", () => {
  let nowMs = 0;
  const sent = new SentMessages(10, () => nowMs);
  sent.opened("one");
  /** The messages to one listener about one command, and the number of those refused. */
  const refusedOf = (messages: number) => {
    let refused = 0;
    for (let earlier = 0; earlier < messages; earlier++)
      if (!sent.take("one", earlier)) refused += 1;
    return refused;
  };
  // A quarter of the allowance is counted for each listener.
  for (let listener = 0; listener < 4; listener++) expect(refusedOf(1_000)).toBe(0);
  expect(sent.take("one")).toBe(false);
  expect(refusedOf(1_000)).toBe(5);
  nowMs = 500;
  expect(refusedOf(1_000)).toBe(0);
});

test("visitors of many addresses have an allowance together, in equal parts once it is used up", () => {
  const sent = new SentMessages(100, () => 0);
  const addresses = Array.from({ length: 30 }, (_, n) => `address:${n}`);
  for (const address of ["user", "quiet", ...addresses]) sent.opened(address);
  let taken = 0;
  for (const address of addresses) while (sent.take(address)) taken += 1;
  // Fifteen times the limit of one address: half on a first-come basis, the rest in equal parts.
  expect(taken).toBeGreaterThan(2_500);
  expect(taken).toBeLessThanOrEqual(3_000);
  expect(sent.mayOpen(addresses[0])).toBe(false);
  expect(sent.take("quiet")).toBe(true);
  for (let n = 0; n < 200; n++) expect(sent.take("user", 0, false)).toBe(true);
  expect(sent.take("user", 0, false)).toBe(false);
});

test("a steady flow to many addresses is limited too, and one network cannot use up another's part", () => {
  let nowMs = 0;
  const sent = new SentMessages(100, () => nowMs);
  const addresses = Array.from({ length: 60 }, (_, n) => clientKeyOf(undefined, `192.0.${n}.1`));
  const network = Array.from({ length: 60 }, (_, n) =>
    clientKeyOf(undefined, `2001:db8:1:${n}::1`),
  );
  const quiet = clientKeyOf(undefined, "198.51.100.1");
  for (const client of [...addresses, ...network, quiet]) sent.opened(client);
  let taken = 0;
  for (; nowMs < 10_000; nowMs += 100) {
    for (const client of [...network, ...addresses]) {
      // Nine in a tenth of a second: below the limit of one address.
      for (let count = 0; count < 9; count++) if (sent.take(client)) taken += 1;
    }
    expect(sent.take(quiet)).toBe(true);
  }
  // The limit of all together in ten seconds, and a burst.
  expect(taken).toBeLessThan(10 * 1_500 + 3_000);
});

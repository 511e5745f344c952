import type { StreamConfig } from "@nats-io/jetstream";
import { expect, test } from "vitest";
import { newStreamConfig, refusalOf, type ServerFacts } from "./stream-rules.ts";

const DEBIAN: ServerFacts = {
  version: "2.9.10",
  messageBytesMax: 1_048_576,
  writesBeforeAnswer: undefined,
};
const NEWER: ServerFacts = { ...DEBIAN, version: "2.10.27" };
const replicas = (count: number) => newStreamConfig("x", count);

test("three replicas are accepted on any server", () => {
  expect(refusalOf(replicas(3), DEBIAN)).toBeUndefined();
  expect(refusalOf(replicas(5), NEWER)).toBeUndefined();
});

test("one replica is accepted only where it is known to write before it answers", () => {
  expect(refusalOf(replicas(1), { ...NEWER, writesBeforeAnswer: true })).toBeUndefined();
  expect(refusalOf(replicas(1), { ...NEWER, version: "3.0.0", writesBeforeAnswer: true })).toBe(
    undefined,
  );
  expect(refusalOf(replicas(1), { ...NEWER, writesBeforeAnswer: false })).toContain(
    "set sync_interval: always",
  );
  expect(refusalOf(replicas(1), NEWER)).toContain("name the server's monitoring endpoint");
  // It could not have the setting, regardless of the server's answer.
  expect(refusalOf(replicas(1), { ...DEBIAN, writesBeforeAnswer: true })).toContain(
    "The stream x has one replica on NATS 2.9.10, which acknowledges before it has written to disk",
  );
  expect(refusalOf(replicas(2), { ...NEWER, writesBeforeAnswer: true })).toContain("two replicas");
});

test.each([
  [{ storage: "memory" }, "kept in memory"],
  [{ no_ack: true }, "acknowledges nothing"],
  [{ persist_mode: "async" }, "acknowledges before it writes"],
  [{ retention: "workqueue" }, "drops messages that were read"],
  [{ max_age: 1 }, "drops old messages (max_age)"],
  [{ max_msgs: 10 }, "limited number"],
  [{ max_msgs_per_subject: 1 }, "limited number"],
  [{ max_bytes: 1_000_000, discard: "old" }, "when it is full"],
  [{ deny_delete: false }, "can be deleted"],
  [{ allow_rollup_hdrs: true }, "replace earlier ones"],
  [{ sealed: true }, "is sealed"],
  [{ mirror: { name: "y" } }, "copies another stream"],
  [{ sources: [{ name: "y" }] }, "copies another stream"],
  [{ subject_transform: { src: "a", dest: "b" } }, "renames subjects"],
  [{ subjects: ["journal.x.groups"] }, "its subjects are not"],
] satisfies [Partial<StreamConfig>, string][])("a stream with %j is refused", (change, reason) => {
  expect(refusalOf({ ...replicas(3), ...change }, NEWER)).toContain(reason);
});

test("a stream may be shortened if it was created so", () => {
  expect(newStreamConfig("x", 3).deny_purge).toBe(true);
  expect(newStreamConfig("x", 3, true).deny_purge).toBe(false);
  expect(refusalOf(newStreamConfig("x", 3, true), NEWER)).toBeUndefined();
});

test("limits that drop nothing are accepted", () => {
  const full: Partial<StreamConfig> = { max_bytes: 1_000_000_000, max_msgs: -1, max_age: 0 };
  expect(refusalOf({ ...replicas(3), ...full }, NEWER)).toBeUndefined();
});

test("messages must have room for the largest commands", () => {
  expect(refusalOf(replicas(3), { ...NEWER, messageBytesMax: 65_536 })).toContain("max_payload");
});

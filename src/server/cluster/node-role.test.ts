import { expect, test } from "vitest";
import { roleOf } from "./node-role.ts";

const STANDBY = {
  isLeading: false,
  isRestoring: false,
  isWaiting: false,
  behind: 0,
  unseenMs: 100,
};

test("a node that is far behind, or has not heard of the leader, is not ready", () => {
  expect(roleOf(STANDBY)).toBe("standby");
  expect(roleOf({ ...STANDBY, behind: 1_000 })).toBe("standby");
  expect(roleOf({ ...STANDBY, behind: 1_001 })).toBe("catchingUp");
  expect(roleOf({ ...STANDBY, unseenMs: 15_001 })).toBe("catchingUp");
  // Before the first report of a leader.
  expect(roleOf({ ...STANDBY, unseenMs: Number.POSITIVE_INFINITY })).toBe("catchingUp");
});

test("a node with a newer engine than the leader's is not ready, however near it is", () => {
  expect(roleOf({ ...STANDBY, isWaiting: true })).toBe("waiting");
  expect(roleOf({ ...STANDBY, isWaiting: true, behind: 1_001 })).toBe("catchingUp");
});

test("a leader is never behind, and one that was fenced is not ready until it is restored", () => {
  const behind = { ...STANDBY, behind: 5_000, unseenMs: 60_000 };
  expect(roleOf({ ...behind, isLeading: true })).toBe("leader");
  expect(roleOf({ ...behind, isRestoring: true })).toBe("fenced");
});

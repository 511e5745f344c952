import { expect, test } from "vitest";
import { StateHashSchedule } from "./state-hash-schedule.ts";

function scene(tookMs: number) {
  let nowMs = 0;
  const schedule = new StateHashSchedule(() => nowMs);
  const stateHash = () => {
    nowMs += tookMs;
    return "hash";
  };
  return {
    take: () => schedule.take({ stateHash }),
    pass: (ms: number) => void (nowMs += ms),
  };
}

test("the state is hashed soon after a leader has begun, and then each minute", () => {
  const { take, pass } = scene(1);
  expect(take()).toBeUndefined();
  pass(1_000);
  expect(take()).toBe("hash");
  pass(59_999);
  expect(take()).toBeUndefined();
  pass(1);
  expect(take()).toBe("hash");
});

test("a state that takes long is hashed less often", () => {
  const { take, pass } = scene(200);
  pass(1_000);
  expect(take()).toBe("hash");
  pass(199_999);
  expect(take()).toBeUndefined();
  pass(1);
  expect(take()).toBe("hash");
});

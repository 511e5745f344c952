import { expect, test } from "vitest";
import { ReplayReport } from "./replay-progress.ts";

function report() {
  const logged: object[] = [];
  const clock = { nowMs: 1000 };
  const log = { info: (fields: object) => void logged.push(fields) };
  return { logged, clock, replay: new ReplayReport(log, () => clock.nowMs) };
}

test("says nothing before the journal is read", () => {
  expect(report().replay.progress()).toBeUndefined();
});

test("counts from where the replay began, and tells the time left from its speed", () => {
  const { clock, replay } = report();
  replay.take({ sequence: 1000, target: 5000 });
  expect(replay.progress()).toEqual({ sequence: 1000, target: 5000, percent: 0 });
  clock.nowMs += 2000;
  replay.take({ sequence: 2000, target: 5000 });
  expect(replay.progress()).toEqual({ sequence: 2000, target: 5000, percent: 25, secondsLeft: 6 });
  replay.take({ sequence: 5000, target: 5000 });
  expect(replay.progress()).toMatchObject({ percent: 100, secondsLeft: 0 });
});

test("is logged every five seconds, and not at all if it ends before", () => {
  const { clock, logged, replay } = report();
  replay.take({ sequence: 0, target: 100_000 });
  for (let step = 1; step <= 11; step++) {
    clock.nowMs += 1000;
    replay.take({ sequence: step * 1000, target: 100_000 });
  }
  expect(logged).toEqual([
    { sequence: 5000, target: 100_000, percent: 5, secondsLeft: 95, commandsPerSecond: 1000 },
    { sequence: 10_000, target: 100_000, percent: 10, secondsLeft: 90, commandsPerSecond: 1000 },
  ]);
});

test("an empty journal is replayed at once", () => {
  const { replay } = report();
  replay.take({ sequence: 0, target: 0 });
  expect(replay.progress()).toEqual({ sequence: 0, target: 0, percent: 100 });
});

import { expect, test } from "vitest";
import { RepeatedLog } from "./repeated-log.ts";

test("one cause is logged once and counted", () => {
  const logged: object[] = [];
  let nowMs = 0;
  const write = (fields: object, message: string) => logged.push({ message, ...fields });
  const log = { info: write, warn: write };
  const repeated = new RepeatedLog(log, () => nowMs);
  for (let time = 0; time < 5000; time++) repeated.warn({ err: time }, "stopped");
  repeated.warn({ err: "another" }, "unreachable");
  nowMs += 60_000;
  repeated.warn({ err: "later" }, "stopped");
  expect(logged).toEqual([
    { message: "stopped", err: 0 },
    { message: "unreachable", err: "another" },
    { message: "stopped", err: "later", repeats: 4999 },
  ]);
});

test("the first lines of a minute are logged, and the rest counted", () => {
  const logged: object[] = [];
  let nowMs = 0;
  const write = (fields: object, message: string) => logged.push({ message, ...fields });
  const repeated = new RepeatedLog({ info: write, warn: write }, () => nowMs, 3);
  for (let time = 0; time < 5000; time++) repeated.info({ time }, "refused");
  nowMs += 60_000;
  repeated.info({ time: "later" }, "refused");
  expect(logged).toEqual([
    { message: "refused", time: 0 },
    { message: "refused", time: 1 },
    { message: "refused", time: 2 },
    { message: "refused", time: "later", repeats: 4997 },
  ]);
});

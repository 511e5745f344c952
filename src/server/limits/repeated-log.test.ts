import { expect, test } from "vitest";
import { RepeatedLog } from "./repeated-log.ts";

test("one cause is logged once and counted", () => {
  const logged: object[] = [];
  let nowMs = 0;
  const write = (fields: object, message: string) => logged.push({ message, ...fields });
  const log = { warn: write };
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

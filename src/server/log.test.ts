import { afterEach, expect, test, vi } from "vitest";
import { createLog } from "./log.ts";

afterEach(() => vi.useRealTimers());

test("300 lines of one message are written a minute, then the rest are counted, others are not held up", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const lines: string[] = [];
  const log = createLog({ level: "info" }, { write: (line) => void lines.push(line) });
  const child = log.child({ path: "/" });
  for (let time = 0; time < 5_000; time += 1)
    (time % 2 === 0 ? log : child).info({ time }, "asked");
  expect(lines).toHaveLength(300);
  log.error({ err: new Error("another") }, "failed");
  expect(lines).toHaveLength(301);
  vi.advanceTimersByTime(60_000);
  child.info({ time: "later" }, "asked");
  expect(JSON.parse(lines[301])).toMatchObject({ time: "later", path: "/", repeats: 4_700 });
});

test("a developer who asks for every line gets every line", () => {
  const lines: string[] = [];
  const log = createLog({ level: "debug" }, { write: (line) => void lines.push(line) });
  for (let time = 0; time < 500; time += 1) log.debug({ time }, "asked");
  expect(lines).toHaveLength(500);
});

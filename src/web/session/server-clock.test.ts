import { describe, expect, test } from "vitest";
import { awakeClock, ServerClock } from "./server-clock.ts";

describe("ServerClock", () => {
  test("knows nothing before the server was heard", () => {
    expect(new ServerClock(() => 5).nowMs()).toBeNull();
  });

  test("follows the server, not the page's own clock", () => {
    let nowMs = 100;
    const clock = new ServerClock(() => nowMs);
    clock.received(1_700_000_000_000);
    nowMs += 1_500;
    expect(clock.nowMs()).toBe(1_700_000_001_500);
  });

  test("takes the time that travelled fastest, and is never ahead of the server", () => {
    let nowMs = 0;
    const serverMs = () => 1_000_000 + nowMs;
    const clock = new ServerClock(() => nowMs);
    for (const latencyMs of [400, 30, 900]) {
      const sentMs = serverMs();
      nowMs += latencyMs;
      clock.received(sentMs);
    }
    expect(serverMs() - (clock.nowMs() ?? 0)).toBe(30);
  });

  test("tells how much longer a time travelled than the fastest", () => {
    let nowMs = 0;
    const clock = new ServerClock(() => nowMs);
    nowMs += 20;
    clock.received(1_000_000);
    expect(clock.delayMs(1_000_000)).toBe(0);
    nowMs += 5_000;
    clock.received(1_001_000);
    expect(clock.delayMs(1_001_000)).toBe(4_000);
  });

  test("forgets times from before the server's clock was set back", () => {
    let nowMs = 0;
    const clock = new ServerClock(() => nowMs);
    clock.received(9_000_000);
    for (let beat = 0; beat < 16; beat += 1) {
      nowMs += 1_000;
      clock.received(1_000_000 + nowMs);
    }
    expect(clock.nowMs()).toBe(1_000_000 + nowMs);
  });
});

describe("awakeClock", () => {
  test("runs with the monotonic clock while the wall clock is set back and forth", () => {
    let [wall, monotonic] = [0, 0];
    const clock = awakeClock(
      () => wall,
      () => monotonic,
    );
    const start = clock();
    [wall, monotonic] = [-50_000, 1_000];
    expect(clock() - start).toBe(1_000);
    [wall, monotonic] = [-48_500, 2_000];
    expect(clock() - start).toBe(2_000);
  });

  test("counts a sleep through which the monotonic clock stood still", () => {
    let [wall, monotonic] = [0, 0];
    const clock = awakeClock(
      () => wall,
      () => monotonic,
    );
    const start = clock();
    [wall, monotonic] = [3_600_000, 10];
    expect(clock() - start).toBe(3_600_000);
  });
});

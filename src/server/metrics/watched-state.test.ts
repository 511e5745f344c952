import { expect, test, vi } from "vitest";
import { statesOf } from "./watched-state.ts";

type Parts = Parameters<typeof statesOf>[0];

function statesWith(backups: Parts["backups"]) {
  return statesOf({ dataDir: "data", backups } as Parts);
}

test("backups that never succeed grow old from the start on, and those that are not requested have no age", async () => {
  vi.useFakeTimers({ now: 1_000 });
  try {
    const failing = statesWith({ newestMs: () => undefined });
    vi.setSystemTime(90_000);
    expect(await failing.newestBackupMs()).toBe(1_000);
    expect(await statesWith({ newestMs: () => 500 }).newestBackupMs()).toBe(500);
    expect(await statesWith(undefined).newestBackupMs()).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

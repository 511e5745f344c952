import { expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";
import type { WatchedStates } from "./state-metrics.ts";

const HEALTH = { status: "ok", sequence: 1, lag: 0, history: { lag: 0 }, problems: [] };

function textWith(states: Partial<WatchedStates>): Promise<string> {
  const metrics = createMetrics("/api/auth");
  metrics.watch({
    health: () => HEALTH,
    nowMs: () => 10_000,
    newestSnapshotMs: async () => undefined,
    newestBackupMs: async () => undefined,
    transfers: () => ({ deposits: 0, withdrawals: 0, announced: 0, sinceMs: undefined }),
    spans: () => ({ sent: 0, dropped: 0 }),
    usedBytes: async () => ({}),
    ...states,
  } as unknown as WatchedStates);
  return metrics.text();
}

test("an age that there is not yet is missing: zero would say that all is new", async () => {
  const text = await textWith({});
  expect(text).not.toMatch(/^openbell_snapshot_age_seconds /m);
  expect(text).not.toMatch(/^openbell_backup_age_seconds /m);
  const later = await textWith({ newestSnapshotMs: async () => 4_000 });
  expect(later).toMatch(/^openbell_snapshot_age_seconds 6$/m);
});

test("a state that cannot be read is missing, and the others are there", async () => {
  const text = await textWith({
    freeBytes: () => Promise.reject(new Error("the disk is away")),
  });
  expect(text).not.toMatch(/^openbell_disk_free_bytes /m);
  expect(text).toMatch(/^openbell_sequence 1$/m);
});

test("refused sign-ins and failures are counted from zero: graphs and alarms need a value before the first", async () => {
  const text = await textWith({});
  expect(text).toContain('openbell_http_request_seconds_count{area="sign-in",status="4xx"} 0');
  for (const area of ["sign-in", "accounts", "pages", "reactive", "trading-api"]) {
    expect(text, area).toContain(
      `openbell_http_request_seconds_count{area="${area}",status="5xx"} 0`,
    );
  }
});

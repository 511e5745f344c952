/** The states of a running exchange that metrics read. */
import type { Accounts } from "../accounts/accounts.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { journalDirectoryOf, snapshotDirectoryOf } from "../exchange/open-exchange.ts";
import { spaceOf } from "../health/free-space.ts";
import type { WatchedHealth } from "../health/watch-health.ts";
import type { ReactiveServer } from "../reactive/reactive-server.ts";
import { type DataDirectories, newestSnapshotMs, usedBytesOf } from "./data-directory.ts";
import type { WatchedStates } from "./state-metrics.ts";

interface RunningParts {
  readonly dataDir: string;
  readonly accounts: Pick<Accounts, "longestMailWaitMs">;
  readonly exchange: Pick<Exchange, "health">;
  readonly health: Pick<WatchedHealth, "report">;
  readonly reactive: Pick<ReactiveServer, "statistics">;
  readonly views: {
    readonly transfers: { readonly waiting: WatchedStates["transfers"] };
    readonly nowMs: () => number;
  };
  readonly tracing: { counts(): { readonly sent: number; readonly dropped: number } };
  /** Undefined if no backups are scheduled. */
  readonly backups: { newestMs(): number | undefined } | undefined;
}

export function directoriesOf(dataDir: string): DataDirectories {
  return {
    dataDir,
    journal: journalDirectoryOf(dataDir),
    snapshots: snapshotDirectoryOf(dataDir),
  };
}

export function statesOf(parts: RunningParts): WatchedStates {
  const { dataDir, accounts, backups, exchange, health, reactive, tracing, views } = parts;
  const directories = directoriesOf(dataDir);
  const startedMs = Date.now();
  return {
    health: () => health.report(),
    clockSkewMs: () => exchange.health().clock.skewMs,
    connections: () => reactive.statistics(),
    mailWaitMs: () => accounts.longestMailWaitMs(),
    freeBytes: async () => (await spaceOf(dataDir)).free,
    usedBytes: () => usedBytesOf(directories),
    newestSnapshotMs: () => newestSnapshotMs(directories),
    // Until the first the age counts from the start: backups that never succeed must grow old too.
    newestBackupMs: async () => backups && (backups.newestMs() ?? startedMs),
    transfers: () => views.transfers.waiting(),
    spans: () => tracing.counts(),
    exchangeNowMs: () => views.nowMs(),
    // Files have the machine's time, so ages are computed with it.
    nowMs: () => Date.now(),
  };
}

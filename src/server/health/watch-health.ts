/** Checks the health of a running exchange every few seconds. */
import type { Accounts } from "../accounts/accounts.ts";
import type { Config } from "../settings/config.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { History } from "../history/history.ts";
import type { Log } from "../log.ts";
import { checkSqlite } from "./check-database.ts";
import type { FreeSpace } from "./free-space.ts";
import { Health } from "./health.ts";

const CHECK_INTERVAL_MS = 5000;

interface WatchedParts {
  readonly accounts: Pick<Accounts, "longestMailWaitMs">;
  readonly config: Config;
  readonly exchange: Exchange;
  readonly history: History;
  readonly space: FreeSpace;
  readonly log: Log;
}

export type WatchedHealth = ReturnType<typeof watchHealth>;

export function watchHealth(parts: WatchedParts) {
  const { accounts, config, exchange, history, space, log } = parts;
  const { DATA_DIR: dataDir } = config;
  const health = new Health({
    exchange: () => exchange.health(),
    history: () => history.health(),
    space,
    freeBytesMin: config.DISK_FREE_MIN_MB * 1_000_000,
    mailWaitMs: () => accounts.longestMailWaitMs(),
    log,
  });
  let isChecking = false;
  const check = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    await health.check();
    isChecking = false;
  };
  const timer = setInterval(() => void check(), CHECK_INTERVAL_MS).unref();
  void check();
  const endCheck =
    config.DATABASE_URL === undefined
      ? checkSqlite({ dataDir, log, onDamage: (finding) => health.databaseDamaged(finding) })
      : undefined;
  return {
    report: () => health.report(),
    async close(): Promise<void> {
      clearInterval(timer);
      await endCheck?.();
    },
  };
}

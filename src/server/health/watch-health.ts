/** The health of a running exchange, looked at every few seconds. */
import { statfs } from "node:fs/promises";
import type { Config } from "../config.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { History } from "../history/history.ts";
import type { Log } from "../log.ts";
import { checkSqlite } from "./check-database.ts";
import { Health, type HealthReport } from "./health.ts";

const CHECKED_EVERY_MS = 5000;
const MEGABYTE = 1_000_000;

interface WatchedParts {
  readonly config: Config;
  readonly exchange: Exchange;
  readonly history: History;
  readonly log: Log;
}

export interface WatchedHealth {
  report(): HealthReport;
  close(): Promise<void>;
}

export function watchHealth({ config, exchange, history, log }: WatchedParts): WatchedHealth {
  const { DATA_DIR: dataDir } = config;
  const health = new Health({
    exchange: () => exchange.health(),
    history: () => history.health(),
    async freeBytes() {
      const { bavail, bsize } = await statfs(dataDir);
      return bavail * bsize;
    },
    freeBytesMin: config.DISK_FREE_MIN_MB * MEGABYTE,
    log,
  });
  const timer = setInterval(() => void health.check(), CHECKED_EVERY_MS).unref();
  void health.check();
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

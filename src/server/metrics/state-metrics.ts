/** Gauges of the exchange's parts, read when the metrics are requested. */
import { Counter, Gauge, type Registry } from "prom-client";
import { HEALTH_PARTS, type HealthPart, type HealthReport } from "#contract/health.ts";

export interface WatchedStates {
  readonly health: () => HealthReport;
  /** Milliseconds by which the wall clock is ahead of exchange time. */
  readonly clockSkewMs: () => number;
  /** Connections of the reactive backend. */
  readonly connections: () => {
    readonly connections: number;
    readonly queries: number;
    readonly topics: number;
  };
  readonly mailWaitMs: () => Promise<number>;
  /** Free bytes on the disk of the data directory. */
  readonly freeBytes: () => Promise<number>;
  /** Disk usage of the data directory's parts, in bytes. */
  readonly usedBytes: () => Promise<Readonly<Record<"journal" | "snapshots" | "database", number>>>;
  /**
   * When the newest snapshot was completed, in milliseconds since 1970 UTC; undefined if there is
   * none.
   */
  readonly newestSnapshotMs: () => Promise<number | undefined>;
  /**
   * When the newest verified backup was taken, or the exchange started if there is none yet, in
   * milliseconds since 1970 UTC; undefined if none are scheduled.
   */
  readonly newestBackupMs: () => Promise<number | undefined>;
  /** Deposits and withdrawals that wait for an administrator, and announced ones, which do not. */
  readonly transfers: () => {
    readonly deposits: number;
    readonly withdrawals: number;
    readonly announced: number;
    /** Since when the oldest waits, in milliseconds of exchange time; undefined if none waits. */
    readonly sinceMs: number | undefined;
  };
  /** Spans of traces since the start; none if traces are off. */
  readonly spans: () => { readonly sent: number; readonly dropped: number };
  /** Exchange time, in milliseconds since 1970 UTC. */
  readonly exchangeNowMs: () => number;
  readonly nowMs: () => number;
}

export function registerStates(states: WatchedStates, registry: Registry): void {
  /** Registers a gauge. If its value cannot be read, it alone is missing from the response. */
  const gauge = (
    name: string,
    help: string,
    read: () => number | undefined | Promise<number | undefined>,
  ) =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          const value = await Promise.resolve()
            .then(read)
            .catch(() => undefined);
          // A reset would leave a zero, which is a value too.
          if (value === undefined) this.remove();
          else this.set(value);
        },
      }),
    );

  gauge("openbell_up", "1 while commands are accepted, 0 once the exchange has stopped.", () =>
    states.health().status === "stopped" ? 0 : 1,
  );
  gauge(
    "openbell_sequence",
    "Sequence of the newest durable command.",
    () => states.health().sequence,
  );
  gauge(
    "openbell_waiting_commands",
    "Commands submitted but not yet durable.",
    () => states.health().lag,
  );
  gauge(
    "openbell_history_lag",
    "Sequences that the history lacks.",
    () => states.health().history.lag,
  );
  gauge(
    "openbell_clock_skew_seconds",
    "The machine's clock minus exchange time.",
    () => states.clockSkewMs() / 1_000,
  );
  gauge(
    "openbell_reactive_connections",
    "Open connections of pages and reactive clients.",
    () => states.connections().connections,
  );
  gauge(
    "openbell_reactive_queries",
    "Different queries that they subscribe to.",
    () => states.connections().queries,
  );
  gauge(
    "openbell_reactive_topics",
    "What these queries depend on.",
    () => states.connections().topics,
  );
  gauge(
    "openbell_mail_wait_seconds",
    "How long the oldest waiting mail has waited.",
    async () => (await states.mailWaitMs()) / 1_000,
  );
  gauge("openbell_disk_free_bytes", "Free space where the data directory is.", states.freeBytes);
  const ageOf = (newestMs: () => Promise<number | undefined>) => async () => {
    const takenMs = await newestMs();
    return takenMs === undefined ? undefined : Math.max(0, states.nowMs() - takenMs) / 1_000;
  };
  gauge(
    "openbell_snapshot_age_seconds",
    "Age of the newest snapshot; missing before the first.",
    ageOf(states.newestSnapshotMs),
  );
  gauge(
    "openbell_backup_age_seconds",
    "Age of the newest scheduled and verified backup, of the start before the first; missing without BACKUP_DIR.",
    ageOf(states.newestBackupMs),
  );
  gauge(
    "openbell_transfers_announced",
    "Deposits that users announced and that have not arrived.",
    () => states.transfers().announced,
  );
  gauge(
    "openbell_transfers_waiting_seconds",
    "How long the oldest transfer has waited for an administrator; 0 if none waits.",
    () => {
      const { sinceMs } = states.transfers();
      return sinceMs === undefined ? 0 : Math.max(0, states.exchangeNowMs() - sinceMs) / 1_000;
    },
  );
  registerTransfers(states, registry);
  registerProblems(states, registry);
  registerUse(states, registry);
  registerSpans(states, registry);
}

function registerSpans({ spans }: WatchedStates, registry: Registry): void {
  registry.registerMetric(
    new Counter({
      name: "openbell_trace_spans_total",
      help: "Spans of traces by outcome: sent to the collector, or dropped because it is away, slow or refuses them.",
      labelNames: ["outcome"] as const,
      registers: [],
      collect() {
        this.reset();
        const { sent, dropped } = spans();
        this.inc({ outcome: "sent" }, sent);
        this.inc({ outcome: "dropped" }, dropped);
      },
    }),
  );
}

/** Registers the gauges in this registry only; by default the library also uses a global one. */
function registerProblems({ health }: WatchedStates, registry: Registry): void {
  registry.registerMetric(
    new Gauge({
      name: "openbell_problem",
      help: "1 for each part that is unhealthy, as /api/health names them.",
      labelNames: ["part"] as const,
      registers: [],
      collect() {
        const unhealthy = new Set<HealthPart>(health().problems.map(({ part }) => part));
        for (const part of HEALTH_PARTS) this.set({ part }, unhealthy.has(part) ? 1 : 0);
      },
    }),
  );
}

function registerTransfers({ transfers }: WatchedStates, registry: Registry): void {
  registry.registerMetric(
    new Gauge({
      name: "openbell_transfers_waiting",
      help: "Deposits and withdrawals that wait for an administrator.",
      labelNames: ["kind"] as const,
      registers: [],
      collect() {
        const { deposits, withdrawals } = transfers();
        this.set({ kind: "deposit" }, deposits);
        this.set({ kind: "withdrawal" }, withdrawals);
      },
    }),
  );
}

function registerUse({ usedBytes }: WatchedStates, registry: Registry): void {
  registry.registerMetric(
    new Gauge({
      name: "openbell_data_bytes",
      help: "Size of the data directory's parts on disk.",
      labelNames: ["part"] as const,
      registers: [],
      async collect() {
        this.reset();
        const used = await usedBytes().catch(() => ({}));
        for (const [part, bytes] of Object.entries(used)) this.set({ part }, bytes);
      },
    }),
  );
}

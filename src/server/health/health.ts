/**
 * The health of the exchange: `ok`; `degraded` while trading continues but something else fails or
 * will fail soon; `stopped` once commands are no longer accepted. A problem is logged once when it
 * begins and once when it ends; its first failure is kept.
 */
import type { HealthPart, HealthProblem, HealthReport } from "#contract/health.ts";
import type { ExchangeHealth } from "../exchange/exchange.ts";
import type { HistoryHealth } from "../history/history.ts";
import type { Log } from "../log.ts";
import type { FreeSpace } from "./free-space.ts";
import { reasonForStrangers } from "./problem-reason.ts";

/** The history is reported as a problem if it lags by more than this. */
const LAG_MS_MAX = 60_000;

/** After this time five attempts to send a mail have failed. */
const MAIL_WAIT_MS_MAX = 10 * 60_000;

interface HealthOptions {
  readonly exchange: () => ExchangeHealth;
  readonly history: () => HistoryHealth;
  readonly space: FreeSpace;
  /** Fewer free bytes are a problem. */
  readonly freeBytesMin: number;
  /** How long the oldest unsent mail has waited, in milliseconds; rejects if that cannot be read. */
  readonly mailWaitMs: () => Promise<number>;
  readonly log: Log;
  /** The clock, in milliseconds since 1970; Date.now by default. */
  readonly now?: () => number;
}

export class Health {
  readonly #options: HealthOptions;
  readonly #now: () => number;
  readonly #problems = new Map<HealthPart, HealthProblem>();
  /** The newest sequences and when each was observed, oldest first. */
  #seen: { readonly sequence: number; readonly atMs: number }[] = [];
  #isSpaceLow = false;
  #mailWaitMs = 0;
  #damage: string | undefined;

  constructor(options: HealthOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Checks all parts; call every few seconds. */
  async check(): Promise<void> {
    const { exchange, space, mailWaitMs } = this.#options;
    this.#seen.push({ sequence: exchange().sequence, atMs: this.#now() });
    await space.refresh();
    this.#warnOfLowSpace();
    this.#judge();
    // A slow or failing database must not fail the check: the last known value stays.
    this.#mailWaitMs = await mailWaitMs().catch(() => this.#mailWaitMs);
    this.#judge();
  }

  /** Reports that the integrity check found the database damaged. */
  databaseDamaged(finding: string): void {
    this.#damage ??= finding;
    this.#judge();
  }

  report(): HealthReport & { readonly warnings: readonly string[] } {
    this.#judge();
    const { failure: _exchangeFailure, ...exchange } = this.#options.exchange();
    const { failure: _historyFailure, ...history } = this.#options.history();
    const problems = [...this.#problems.values()];
    const status =
      exchange.status === "stopped" ? "stopped" : problems.length > 0 ? "degraded" : "ok";
    const warnings = this.#isSpaceLow ? [LOW_SPACE] : [];
    return { ...exchange, status, history, problems, warnings };
  }

  #judge(): void {
    const exchange = this.#options.exchange();
    const history = this.#options.history();
    this.#set("exchange", exchange.status === "stopped" ? (exchange.failure ?? "") : undefined);
    this.#set("clock", exchange.clock.state === "ok" ? undefined : CLOCK_LEAPT);
    this.#set("history", this.#historyFailure(history));
    this.#set("database", this.#damage && `the database is corrupt: ${this.#damage}`);
    this.#set("disk", this.#diskFailure());
    this.#set("orders", this.#options.space.isShort ? ORDERS_REFUSED : undefined);
    this.#set("mail", this.#mailWaitMs > MAIL_WAIT_MS_MAX ? MAIL_WAITS : undefined);
  }

  #historyFailure({ status, projectedSequence, failure }: HistoryHealth): string | undefined {
    if (status !== "ok") return failure ?? status;
    while (this.#seen.length > 0 && this.#seen[0].sequence <= projectedSequence) this.#seen.shift();
    const [oldest] = this.#seen;
    const lagMs = oldest === undefined ? 0 : this.#now() - oldest.atMs;
    return lagMs > LAG_MS_MAX ? LAGS : undefined;
  }

  #diskFailure(): string | undefined {
    const { freeBytesMin, space } = this.#options;
    if (space.freeBytes === undefined || space.freeBytes >= freeBytesMin) return undefined;
    return LITTLE_SPACE;
  }

  /** Warns once each time that space runs low, long before it is a problem. */
  #warnOfLowSpace(): void {
    const { space, log } = this.#options;
    if (space.isLow && !this.#isSpaceLow) log.warn({ freeBytes: space.freeBytes }, LOW_SPACE);
    this.#isSpaceLow = space.isLow;
  }

  /** Sets or clears a part's problem. The first failure is kept until the problem is over. */
  #set(part: HealthPart, failure: string | undefined): void {
    const known = this.#problems.get(part);
    if (failure === undefined) {
      if (known === undefined) return;
      this.#problems.delete(part);
      this.#options.log.info({ part, since: known.since }, "a problem is over");
      return;
    }
    if (known !== undefined) return;
    const reason = OWN_REASONS.has(failure) ? failure : reasonForStrangers(failure);
    const since = new Date(this.#now()).toISOString();
    this.#problems.set(part, { part, reason, since });
    this.#options.log.warn(
      { part, reason: failure, freeBytes: this.#options.space.freeBytes },
      "the exchange is not healthy",
    );
  }
}

const LAGS = "the history is more than a minute behind";
const LITTLE_SPACE = "there is little space left on the disk";
const ORDERS_REFUSED = "new orders are refused: the disk is nearly full";
const LOW_SPACE = "Less than a tenth of the disk is free.";
const MAIL_WAITS = "mail has waited for more than ten minutes";
const CLOCK_LEAPT = "the wall clock has leapt and is not followed";
/** Failures without file names and addresses, which are public as they are. */
const OWN_REASONS: ReadonlySet<string> = new Set([
  LAGS,
  LITTLE_SPACE,
  ORDERS_REFUSED,
  MAIL_WAITS,
  CLOCK_LEAPT,
]);

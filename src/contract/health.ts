/** What `/api/health` answers. */

export type HealthPart = "exchange" | "clock" | "history" | "database" | "disk" | "mail";

export interface HealthProblem {
  readonly part: HealthPart;
  /** What strangers may know of it. */
  readonly reason: string;
  /** When it was found, ISO 8601 in UTC. */
  readonly since: string;
}

export interface HealthReport {
  readonly status: "ok" | "degraded" | "stopped";
  /** Of the newest command. */
  readonly sequence: number;
  /** Commands submitted and not yet durable. */
  readonly lag: number;
  readonly history: {
    readonly status: "ok" | "retrying" | "behind" | "failed";
    readonly projectedSequence: number;
    /** Sequences that are not in the tables yet. */
    readonly lag: number;
  };
  /** Longest known first. */
  readonly problems: readonly HealthProblem[];
  /** What becomes a problem one day: sentences. */
  readonly warnings?: readonly string[];
  readonly [detail: string]: unknown;
}

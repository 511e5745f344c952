/** The answer of `/api/health`. */

export const HEALTH_PARTS = [
  "exchange",
  "orders",
  "clock",
  "history",
  "database",
  "disk",
  "mail",
] as const;
export type HealthPart = (typeof HEALTH_PARTS)[number];

export interface HealthProblem {
  readonly part: HealthPart;
  /** The reason as shown to strangers. */
  readonly reason: string;
  /** When it was found, ISO 8601 in UTC. */
  readonly since: string;
}

export interface HealthReport {
  readonly status: "ok" | "degraded" | "stopped";
  /** Of the newest command. */
  readonly sequence: number;
  /** Commands submitted but not yet durable. */
  readonly lag: number;
  readonly history: {
    readonly status: "ok" | "retrying" | "behind" | "failed";
    readonly projectedSequence: number;
    /** Sequences that are not in the tables yet. */
    readonly lag: number;
  };
  /** Oldest first. */
  readonly problems: readonly HealthProblem[];
  /** Future problems, as sentences. */
  readonly warnings?: readonly string[];
  readonly [detail: string]: unknown;
}

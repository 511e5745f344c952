/** The response of `/api/health`. */

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
  /** The reason of the problem, as published. */
  readonly reason: string;
  /** When the problem was found, ISO 8601 in UTC. */
  readonly since: string;
}

export interface HealthReport {
  readonly status: "ok" | "degraded" | "stopped";
  /** The sequence of the newest command. */
  readonly sequence: number;
  /** How many commands were submitted but are not durable yet. */
  readonly lag: number;
  readonly history: {
    readonly status: "ok" | "retrying" | "behind" | "failed";
    readonly projectedSequence: number;
    /** How many sequences are not in the tables yet. */
    readonly lag: number;
  };
  /** Current problems, oldest first. */
  readonly problems: readonly HealthProblem[];
  /** Problems to expect, as sentences. */
  readonly warnings?: readonly string[];
  readonly [detail: string]: unknown;
}

/** What all connections of a server share. */
import type { HeldBytes } from "../limits/held-bytes.ts";
import type { RecentWork, WorkShares } from "../limits/work-shares.ts";
import type { Executor } from "./executor.ts";
import type { FlushSchedule } from "./flush-schedule.ts";
import type { MutationRates } from "./mutation-rates.ts";
import type { MutationRunner } from "./mutation-runner.ts";
import type { QueryStore } from "./query-store.ts";
import type { ReactiveLog } from "./reactive-log.ts";
import type { RepeatedLog } from "../limits/repeated-log.ts";
import type { Timestamps } from "./timestamps.ts";

/** Close code and reason; the client knows the reason and backs off more slowly. */
export const COME_LATER = [1013, "TooManyConcurrentRequests: too many connections"] as const;

export interface ConnectionHost {
  readonly executor: Executor;
  readonly log: ReactiveLog;
  readonly repeats: RepeatedLog;
  readonly clock: () => number;
  /** The `serverTs` of transitions. */
  readonly serverTime: () => number;
  readonly timestamps: Timestamps;
  readonly queries: QueryStore;
  readonly mutations: MutationRunner;
  readonly mutationRates: MutationRates;
  /** How long an action may take. */
  readonly actionMsMax: number;
  readonly schedule: FlushSchedule;
  readonly shares: WorkShares;
  readonly held: HeldBytes;
  /** Answers kept for comparison and re-sending. */
  readonly kept: HeldBytes;
}

/** A client as known before its first message. */
export interface ConnectingClient {
  readonly address: string;
  /** Whether it understands TransitionChunk. */
  readonly joinsChunks: boolean;
  /** Whether it asked for increments (increments.ts). */
  readonly takesIncrements: boolean;
  /** The work already done for it. */
  readonly work: RecentWork;
  onClosed(): void;
}

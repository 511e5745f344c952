/** Dependencies shared by all connections of a server. */
import type { HeldBytes } from "../limits/held-bytes.ts";
import type { RecentWork } from "../limits/recent-work.ts";
import type { ChunkedWork } from "../limits/chunked-work.ts";
import type { WorkShares } from "../limits/work-shares.ts";
import type { Executor } from "./executor.ts";
import type { FlushSchedule } from "./flush-schedule.ts";
import type { MutationRates } from "./mutation-rates.ts";
import type { MutationRunner } from "./mutation-runner.ts";
import type { QueryStore } from "./query-store.ts";
import type { ReactiveLog } from "./reactive-log.ts";
import type { RepeatedLog } from "../limits/repeated-log.ts";
import type { Timestamps } from "./timestamps.ts";

/** Close code and reason; the official client recognises the reason and backs off longer. */
export const RETRY_LATER = [1013, "TooManyConcurrentRequests: too many connections"] as const;

export interface ConnectionHost {
  readonly executor: Executor;
  readonly log: ReactiveLog;
  readonly repeats: RepeatedLog;
  readonly clock: () => number;
  /** The `serverTs` of transitions, in milliseconds. */
  readonly serverTime: () => number;
  readonly timestamps: Timestamps;
  readonly queries: QueryStore;
  readonly mutations: MutationRunner;
  readonly mutationRates: MutationRates;
  /** Time limit of actions, in milliseconds. */
  readonly actionMsMax: number;
  readonly schedule: FlushSchedule;
  /** Accepts connections, checks their tokens and answers their first queries. */
  readonly openings: ChunkedWork;
  /** Forgets the state that closed connections have left. */
  readonly departures: ChunkedWork;
  readonly shares: WorkShares;
  readonly held: HeldBytes;
  /** Memory of answers that are kept for comparison and re-sending. */
  readonly kept: HeldBytes;
}

/** A client before its first message. */
export interface ConnectingClient {
  readonly address: string;
  /** Whether the client understands TransitionChunk. */
  readonly joinsChunks: boolean;
  /** Whether the client requested increments (increments.ts). */
  readonly takesIncrements: boolean;
  /** The recent work done for the connection. */
  readonly work: RecentWork;
  onClosed(): void;
}

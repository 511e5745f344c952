/** What the main thread and the history's worker say to each other. */
import type { DatabaseLocation } from "../database/open-database.ts";
import type { BacklogBatch } from "./backlog.ts";
import type { HistoryFoldState } from "./fold.ts";
import type { Progress } from "./projector.ts";

export interface HistoryWorkerData {
  readonly location: DatabaseLocation;
  /** What the tables held when the process began. */
  readonly progress: Progress;
  /** Address of a module that exports `simulatedCandles`. */
  readonly simulatedCandlesModule: string;
}

/** First, where there is one, the state at a snapshot; then batches to project; "close" at last. */
export type ToHistoryWorker = { readonly restored: HistoryFoldState } | BacklogBatch | "close";

export type FromHistoryWorker =
  | { readonly type: "projected"; readonly sequence: number }
  | { readonly type: "retrying"; readonly reason: string }
  | {
      readonly type: "failed";
      readonly reason: string;
      /** Another exchange writes to the same database. */
      readonly isTaken: boolean;
    };

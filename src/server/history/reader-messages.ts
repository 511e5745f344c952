/** What the main thread and the thread that reads the history send each other. */
import type { DatabaseLocation } from "../database/open-database.ts";
import type { HistoryReader } from "./reader.ts";

/** What can be read of the past, wherever the reading is done. */
export type HistoryReads = { readonly [Read in keyof HistoryReader]: HistoryReader[Read] };

export interface ReaderWorkerData {
  readonly location: DatabaseLocation;
}

export interface ReadRequest {
  readonly id: number;
  readonly read: keyof HistoryReads;
  readonly args: readonly unknown[];
}

/** Errors that callers tell apart keep their kind between the threads. */
export type ReadErrorKind = "cursor" | "range" | "other";

export type FromReaderWorker =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: ReadErrorKind; readonly message: string };

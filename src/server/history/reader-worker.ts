/**
 * The thread that reads the history. SQLite answers synchronously, and PostgreSQL's answers must be
 * parsed and summed: in this thread nothing else waits for that. The thread has its own connection;
 * concurrent reads alternate whenever one pauses.
 */
import { parentPort, workerData } from "node:worker_threads";
import { loadSqlite } from "../database/load-sqlite.ts";
import { type DatabaseLocation, openDatabase } from "../database/open-database.ts";
import { createSilentLog, messageOf } from "../log.ts";
import { CursorError } from "../database/cursor.ts";
import { checkLimit } from "./readers/pages.ts";
import { READS } from "./reads.ts";

export interface ReaderWorkerData {
  readonly location: DatabaseLocation;
}

export interface ReadRequest {
  readonly id: number;
  readonly read: keyof typeof READS;
  readonly args: readonly unknown[];
}

/** Errors whose class is preserved between the threads, because callers distinguish them. */
export type ReadErrorKind = "cursor" | "range" | "other";

export type FromReaderWorker =
  | "loaded"
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: ReadErrorKind; readonly message: string };

if (parentPort === null) throw new Error("reader-worker.ts runs as a worker only");
const port = parentPort;
const { location } = workerData as ReaderWorkerData;
if (location.databaseUrl === undefined) loadSqlite();
send("loaded");
const database = await openDatabase({ ...location, log: createSilentLog() });

port.on("message", (request: ReadRequest) => void answer(request));

async function answer({ id, read, args }: ReadRequest): Promise<void> {
  let message: FromReaderWorker;
  try {
    const [query] = args;
    if (hasLimit(query)) checkLimit(query.limit);
    const run = READS[read] as (...given: readonly unknown[]) => Promise<unknown>;
    message = { id, value: await run(database.read, ...args) };
  } catch (error) {
    message = { id, error: kindOf(error), message: messageOf(error) };
  }
  send(message);
}

function hasLimit(query: unknown): query is { readonly limit: number } {
  return typeof query === "object" && query !== null && "limit" in query;
}

function send(message: FromReaderWorker): void {
  port.postMessage(message);
}

function kindOf(error: unknown): ReadErrorKind {
  if (error instanceof CursorError) return "cursor";
  return error instanceof RangeError ? "range" : "other";
}

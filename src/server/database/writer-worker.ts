/** The thread that writes to SQLite's file: see writer-thread.ts. */
import { parentPort, workerData } from "node:worker_threads";
import SqliteFile from "better-sqlite3";
import type { QueryResult } from "kysely";
import { loadSqlite } from "./load-sqlite.ts";
import { openFile, RetryingConnection } from "./sqlite-file.ts";

export type WriterName = "write" | "counters";

export interface WriterData {
  readonly path: string;
}

export type ToWriter =
  | {
      readonly id: number;
      readonly name: WriterName;
      readonly sql: string;
      readonly parameters: readonly unknown[];
    }
  | "close";

interface SentError {
  readonly message: string;
  /** SQLite's; undefined for other errors. */
  readonly code?: string | undefined;
}

export type FromWriter =
  | "loaded"
  | "opened"
  /** The file cannot be opened. */
  | SentError
  | { readonly id: number; readonly result: QueryResult<unknown> }
  | (SentError & { readonly id: number });

if (parentPort === null) throw new Error("writer-worker.ts runs as a worker only");
const port = parentPort;
const { path } = workerData as WriterData;
loadSqlite();
send("loaded");

const files = new Map<WriterName, SqliteFile.Database>();
const connections = new Map<WriterName, RetryingConnection>();
const underWay = new Set<Promise<void>>();

try {
  await open("write", "FULL");
  await open("counters", "NORMAL");
  port.on("message", (message: ToWriter) => {
    if (message === "close") void close();
    else run(message);
  });
  send("opened");
} catch (error) {
  send(sentError(error));
}

async function open(name: WriterName, synchronous: "FULL" | "NORMAL"): Promise<void> {
  const file = await openFile(path, {}, synchronous);
  files.set(name, file);
  connections.set(name, new RetryingConnection(file));
}

function run(request: Exclude<ToWriter, "close">): void {
  const answered = answer(request).finally(() => underWay.delete(answered));
  underWay.add(answered);
}

async function answer({ id, name, parameters, sql }: Exclude<ToWriter, "close">): Promise<void> {
  const connection = connections.get(name) as RetryingConnection;
  try {
    const result = await connection.executeQuery({ parameters, sql });
    send({ id, result });
  } catch (error) {
    send({ id, ...sentError(error) });
  }
}

async function close(): Promise<void> {
  await Promise.all(underWay);
  for (const file of files.values()) file.close();
  port.close();
}

function sentError(error: unknown): SentError {
  const code = error instanceof SqliteFile.SqliteError ? error.code : undefined;
  return { message: (error as Error).message, code };
}

function send(message: FromWriter): void {
  port.postMessage(message);
}

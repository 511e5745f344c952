/**
 * Reads the history in a separate thread, which is started with the first read. If the thread ends
 * unexpectedly, its pending reads fail; the next read starts another.
 */
import { Worker } from "node:worker_threads";
import type { DatabaseLocation } from "../database/open-database.ts";
import type { Log } from "../log.ts";
import { CursorError } from "../database/cursor.ts";
import { workerLoaded } from "../database/worker-loaded.ts";
import type {
  FromReaderWorker,
  ReadErrorKind,
  ReaderWorkerData,
  ReadRequest,
} from "./reader-worker.ts";
import { type HistoryReads, READS } from "./reads.ts";

const NAMES = Object.keys(READS) as (keyof HistoryReads)[];
const WORKER = new URL("./reader-worker.ts", import.meta.url);

interface PendingRead {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface RunningThread {
  readonly worker: Worker;
  readonly loaded: Promise<void>;
  readonly waiting: Map<number, PendingRead>;
}

/** Wraps a read, which it begins. */
export type AroundRead = <T>(name: string, read: () => Promise<T>) => Promise<T>;

export class ReaderThread {
  readonly #location: DatabaseLocation;
  readonly #log: Log;
  readonly #around: AroundRead | undefined;
  #thread: RunningThread | undefined;
  #lastId = 0;
  #closed = false;

  constructor(location: DatabaseLocation, log: Log, around?: AroundRead) {
    this.#location = location;
    this.#log = log;
    this.#around = around;
  }

  readonly reads = Object.fromEntries(
    NAMES.map((read) => [read, (...args: unknown[]) => this.#read(read, args)]),
  ) as HistoryReads;

  /** Ends the thread; pending reads fail. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread?.loaded;
    await this.#thread?.worker.terminate();
  }

  #read(read: keyof HistoryReads, args: readonly unknown[]): Promise<unknown> {
    const around = this.#around;
    return around === undefined ? this.#ask(read, args) : around(read, () => this.#ask(read, args));
  }

  #ask(read: keyof HistoryReads, args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new Error("The history is closed.");
      this.#thread ??= this.#start();
      const { worker, waiting } = this.#thread;
      const id = ++this.#lastId;
      waiting.set(id, { resolve, reject });
      const request: ReadRequest = { id, read, args };
      worker.postMessage(request, []);
    });
  }

  #start(): RunningThread {
    const workerData: ReaderWorkerData = { location: this.#location };
    const worker = new Worker(WORKER, { workerData, name: "history reader" });
    const thread: RunningThread = { worker, loaded: workerLoaded(worker), waiting: new Map() };
    let failure = "The thread that reads the history ended.";
    worker.on("message", (message: FromReaderWorker) => settle(thread.waiting, message));
    worker.on("error", (error) => {
      failure = `The thread that reads the history failed: ${String(error)}`;
    });
    worker.on("exit", () => {
      if (this.#thread === thread) this.#thread = undefined;
      if (!this.#closed) this.#log.error({ failure }, "the thread that reads the history ended");
      for (const { reject } of thread.waiting.values()) reject(new Error(failure));
      thread.waiting.clear();
    });
    return thread;
  }
}

function settle(waiting: Map<number, PendingRead>, message: FromReaderWorker): void {
  if (message === "loaded") return;
  const waiter = waiting.get(message.id);
  waiting.delete(message.id);
  if ("error" in message) waiter?.reject(errorOf(message.error, message.message));
  else waiter?.resolve(message.value);
}

function errorOf(kind: ReadErrorKind, message: string): Error {
  switch (kind) {
    case "cursor":
      return new CursorError(message);
    case "range":
      return new RangeError(message);
    case "other":
      return new Error(message);
    default:
      throw new TypeError(`unknown kind of error ${String(kind satisfies never)}`);
  }
}

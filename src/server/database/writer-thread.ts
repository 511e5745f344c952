/**
 * The connections that write to SQLite's file, in a thread of their own: a commit waits until it is on the
 * disk, and some copy the write-ahead log into the file, which takes milliseconds to tenths of a second.
 * Orders do not wait for that.
 *
 * If the thread crashes, its pending calls fail, and so do all later ones: a transaction that
 * was under way must not continue in another thread without its beginning.
 */
import { Worker } from "node:worker_threads";
import SqliteFile from "better-sqlite3";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { workerLoaded } from "./worker-loaded.ts";
import type { FromWriter, ToWriter, WriterData, WriterName } from "./writer-worker.ts";

const WORKER = new URL("./writer-worker.ts", import.meta.url);

interface Waiter {
  readonly resolve: (result: QueryResult<unknown>) => void;
  readonly reject: (error: Error) => void;
}

export class WriterThread {
  readonly #worker: Worker;
  readonly #loaded: Promise<void>;
  readonly #opened = Promise.withResolvers<void>();
  readonly #ended: Promise<void>;
  readonly #waiting = new Map<number, Waiter>();
  #lastId = 0;
  /** Why it answers no more. */
  #failure: Error | undefined;

  private constructor(path: string) {
    const workerData: WriterData = { path };
    this.#worker = new Worker(WORKER, { workerData, name: "database writer" });
    this.#loaded = workerLoaded(this.#worker);
    this.#worker.on("message", (message: FromWriter) => this.#take(message));
    this.#worker.on("error", (error) => this.#fail(`failed: ${String(error)}`));
    this.#ended = new Promise((resolve) => {
      this.#worker.on("exit", () => {
        this.#fail("ended");
        resolve();
      });
    });
  }

  /** @throws SqliteError if the file cannot be opened */
  static async open(path: string): Promise<WriterThread> {
    const thread = new WriterThread(path);
    try {
      await thread.#opened.promise;
      return thread;
    } catch (error) {
      await thread.#loaded;
      await thread.#worker.terminate();
      throw error;
    }
  }

  connection(name: WriterName): DatabaseConnection {
    return {
      executeQuery: <Row>({ parameters, sql }: CompiledQuery) =>
        this.#ask({ name, parameters, sql }) as Promise<QueryResult<Row>>,
      streamQuery() {
        throw new Error("rows are streamed by the connection that reads");
      },
    };
  }

  /** Closes the connections once everything asked before is done. */
  async close(): Promise<void> {
    this.#worker.postMessage("close" satisfies ToWriter, []);
    await this.#ended;
  }

  #ask(query: Omit<Exclude<ToWriter, "close">, "id">): Promise<QueryResult<unknown>> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) throw this.#failure;
      const id = ++this.#lastId;
      const message: ToWriter = { id, ...query };
      // Parameters that cannot be sent throw here, before anyone waits.
      this.#worker.postMessage(message, []);
      this.#waiting.set(id, { resolve, reject });
    });
  }

  #take(message: FromWriter): void {
    if (message === "loaded") return;
    if (message === "opened") return this.#opened.resolve();
    if (!("id" in message)) return this.#opened.reject(errorOf(message));
    const waiter = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ("result" in message) waiter?.resolve(message.result);
    else waiter?.reject(errorOf(message));
  }

  #fail(how: string): void {
    this.#failure ??= new Error(`The thread that writes the database ${how}.`);
    this.#opened.reject(this.#failure);
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}

/** The error as SQLite raised it, whose code callers check. */
function errorOf({ code, message }: { code?: string | undefined; message: string }): Error {
  return code === undefined ? new Error(message) : new SqliteFile.SqliteError(message, code);
}

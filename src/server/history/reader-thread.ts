/**
 * Reads the history in a separate thread, which is started with the first read. If the thread ends
 * unexpectedly, its pending reads fail; the next read starts another.
 */
import { Worker } from "node:worker_threads";
import type { DatabaseLocation } from "../database/open-database.ts";
import type { Log } from "../log.ts";
import { CursorError } from "../database/cursor.ts";
import { workerLoaded } from "../database/worker-loaded.ts";
import type { HistoryReads } from "./reader.ts";
import type {
  FromReaderWorker,
  ReadErrorKind,
  ReaderWorkerData,
  ReadRequest,
} from "./reader-worker.ts";

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

export class ReaderThread {
  readonly #location: DatabaseLocation;
  readonly #log: Log;
  #thread: RunningThread | undefined;
  #lastId = 0;
  #closed = false;

  constructor(location: DatabaseLocation, log: Log) {
    this.#location = location;
    this.#log = log;
  }

  readonly reads: HistoryReads = {
    orders: (query) => this.#ask("orders", query),
    orderLife: (order) => this.#ask("orderLife", order),
    holdEntries: (order) => this.#ask("holdEntries", order),
    fillEntries: (fill) => this.#ask("fillEntries", fill),
    order: (account, orderId) => this.#ask("order", account, orderId),
    orderByClientId: (account, id) => this.#ask("orderByClientId", account, id),
    orderRange: (range) => this.#ask("orderRange", range),
    orderList: (name) => this.#ask("orderList", name),
    orderListRange: (range) => this.#ask("orderListRange", range),
    ordersById: (account, orderIds) => this.#ask("ordersById", account, orderIds),
    fillRange: (range) => this.#ask("fillRange", range),
    practiceFunds: (query) => this.#ask("practiceFunds", query),
    amendments: (query) => this.#ask("amendments", query),
    preventedMatches: (query) => this.#ask("preventedMatches", query),
    fill: (account, orderId, tradeId) => this.#ask("fill", account, orderId, tradeId),
    fillsOfOrder: (account, orderId, limit) => this.#ask("fillsOfOrder", account, orderId, limit),
    fills: (query) => this.#ask("fills", query),
    ledgerEntries: (account, sequence) => this.#ask("ledgerEntries", account, sequence),
    ledger: (query) => this.#ask("ledger", query),
    statements: (query) => this.#ask("statements", query),
    ticksBefore: (marketId, sequence) => this.#ask("ticksBefore", marketId, sequence),
    profits: (query) => this.#ask("profits", query),
    tradeIdFrom: (marketId, timeMs) => this.#ask("tradeIdFrom", marketId, timeMs),
    tradesFrom: (query) => this.#ask("tradesFrom", query),
    trades: (query) => this.#ask("trades", query),
    adminChanges: (query) => this.#ask("adminChanges", query),
    candles: (query) => this.#ask("candles", query),
    activity: (query) => this.#ask("activity", query),
  };

  /** Ends the thread; pending reads fail. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread?.loaded;
    await this.#thread?.worker.terminate();
  }

  #ask<Read extends keyof HistoryReads>(
    read: Read,
    ...args: Parameters<HistoryReads[Read]>
  ): ReturnType<HistoryReads[Read]> {
    const answer = new Promise<unknown>((resolve, reject) => {
      if (this.#closed) throw new Error("The history is closed.");
      this.#thread ??= this.#start();
      const { worker, waiting } = this.#thread;
      const id = ++this.#lastId;
      waiting.set(id, { resolve, reject });
      const request: ReadRequest = { id, read, args };
      worker.postMessage(request, []);
    });
    return answer as ReturnType<HistoryReads[Read]>;
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

/**
 * The engine's thread as the exchange starts it, sent encoded batches; its events are not decoded. On a
 * stream of NATS it is that of a node that leads.
 */
import { Worker } from "node:worker_threads";
import { isStream, type JournalPlace } from "#journal/open-journal.ts";
import type {
  EngineRequest,
  EngineResponse,
  EngineWorkerData,
} from "#server/exchange/engine-messages.ts";
import { releaseRows } from "#server/exchange/event-row-pool.ts";
import { ExchangeClock } from "#server/exchange/exchange-clock.ts";
import type { EncodedBatch } from "./pipeline-flow.ts";

interface Sent {
  readonly lastSequence: number;
  readonly atMs: number;
}

export class EngineThread {
  /** Resolves once it takes commands. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #underWayMax: number;
  readonly #underWay: Sent[] = [];
  #hashAnswer = Promise.withResolvers<string>();
  readonly #failure = Promise.withResolvers<never>();
  #commitsMs: number[] = [];
  #sentSequence = 0;
  #wake = () => {};

  /**
   * @param journal a new one
   * @param underWayMax how many batches are sent before the first of them is answered
   */
  constructor(journal: JournalPlace, underWayMax: number) {
    this.#underWayMax = underWayMax;
    const workerData: EngineWorkerData = {
      journal,
      segmentBytes: undefined,
      snapshots: undefined,
      timeOffset: new ExchangeClock({ info: () => undefined, warn: () => undefined }).time.offset,
      acceptsClock: true,
      notesTimes: false,
    };
    const isNode = isStream(journal);
    const file = isNode ? "node-worker.ts" : "engine-worker.ts";
    const url = import.meta.resolve(`#server/exchange/${file}`);
    this.#worker = new Worker(new URL(url), { workerData });
    const ready = Promise.withResolvers<void>();
    this.ready = Promise.race([ready.promise, this.#failure.promise]);
    this.#worker.on("error", (error) => this.#failure.reject(error));
    this.#worker.on("message", (response: EngineResponse) => {
      const { kind } = response;
      if (kind === "ready" && isNode) this.#send({ kind: "lead" });
      else if (kind === "ready" || kind === "leading") ready.resolve();
      else if (kind === "stateHash") this.#hashAnswer.resolve(response.hash);
      else if (kind === "following" || kind === "stopped") {
        this.#failure.reject(new Error(response.reason));
      } else if (kind === "events") {
        releaseRows(response.batch.rows);
        this.#arrive(response.firstSequence + response.count - 1);
      }
    });
  }

  /**
   * Sends the batches and resolves with their commit times once the last one has returned.
   * @param pacedRate commands per second; as fast as they return if omitted
   */
  async send(batches: readonly EncodedBatch[], pacedRate?: number): Promise<number[]> {
    this.#commitsMs = [];
    const startedMs = performance.now();
    let sent = 0;
    for (const { bytes, count } of batches) {
      if (pacedRate === undefined) {
        while (this.#underWay.length >= this.#underWayMax) await this.#progress();
      } else {
        const dueMs = startedMs + (sent / pacedRate) * 1000;
        while (performance.now() < dueMs) await new Promise(setImmediate);
      }
      sent += count;
      this.#sentSequence += count;
      // The flow is reused by later runs, so a copy is transferred.
      const copy = bytes.slice();
      this.#underWay.push({ lastSequence: this.#sentSequence, atMs: performance.now() });
      this.#send({ kind: "commands", bytes: copy }, [copy.buffer]);
    }
    while (this.#underWay.length > 0) await this.#progress();
    return this.#commitsMs;
  }

  /** Processor time of the worker's thread since its start. */
  async threadMicroseconds(): Promise<number> {
    const { user, system } = await this.#worker.cpuUsage();
    return user + system;
  }

  stateHash(): Promise<string> {
    this.#send({ kind: "stateHash", id: 1 });
    return Promise.race([this.#hashAnswer.promise, this.#failure.promise]);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(request: EngineRequest, moved: ArrayBuffer[] = []): void {
    this.#worker.postMessage(request, moved);
  }

  #progress(): Promise<void> {
    const progress = new Promise<void>((resolve) => (this.#wake = resolve));
    return Promise.race([progress, this.#failure.promise]);
  }

  #arrive(sequence: number): void {
    while (this.#underWay.length > 0 && this.#underWay[0].lastSequence <= sequence) {
      const { atMs } = this.#underWay.shift() as Sent;
      this.#commitsMs.push(performance.now() - atMs);
    }
    this.#wake();
  }
}

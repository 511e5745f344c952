/**
 * The durable pipeline as in production: encoded commands travel to the engine's worker in batches,
 * are applied and journalled with a group commit, and their events return to this thread. A batch's
 * commit time runs from its sending to the arrival of its last event.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type {
  EngineRequest,
  EngineResponse,
  EngineWorkerData,
} from "#server/exchange/engine-messages.ts";
import { releaseRows } from "#server/exchange/event-row-pool.ts";
import { ExchangeClock } from "#server/exchange/exchange-clock.ts";
import { type EncodedBatch, type PipelineFlow, pipelineFlow } from "./pipeline-flow.ts";

export interface PipelineOptions {
  /** Commands per run after the warm-up. */
  readonly commands?: number;
  /** Repetitions per flow, each with a new worker and a new directory. */
  readonly runs?: number;
  /** Where journals are written; must be a real disk for meaningful figures. */
  readonly directory?: string;
  readonly print?: (line: string) => void;
}

export interface PipelineResult {
  readonly flow: string;
  /** Durable commands per second at full load, one per run. */
  readonly rates: readonly number[];
  /**
   * Engine thread time per command, in nanoseconds, minimum of all runs; comparable even on a shared
   * machine. Flushes run outside that thread and are not included.
   */
  readonly threadNsMin: number;
  /** Milliseconds at full load, median. */
  readonly commitMsP50: number;
  readonly commitMsP99: number;
  /** Milliseconds at `pacedRate` commands per second. */
  readonly pacedRate: number;
  readonly pacedCommitMsP50: number;
  readonly pacedCommitMsP99: number;
}

const BATCH_COMMANDS = 4096;
const PACED_BATCH_COMMANDS = 256;
const PACED_RATE = 1_000_000;
/** Batches in flight: enough that the worker always has the next one ready. */
const WINDOW = 4;

/**
 * Runs and prints both flows.
 * @throws Error if a run's final state differs from the flow's
 */
export async function runPipelineBenchmark(
  options: PipelineOptions = {},
): Promise<PipelineResult[]> {
  const { commands = 1_000_000, runs = 3, directory = tmpdir() } = options;
  const print = options.print ?? ((line: string) => void process.stdout.write(`${line}\n`));
  const base = { seed: 1, warmUpCommands: commands / 2, measuredCommands: commands };
  const sizes = [
    { name: "one", markets: 1, restingOrders: 10_000 },
    { name: "multi", markets: 100, restingOrders: 100_000 },
  ];
  const results: PipelineResult[] = [];
  for (const size of sizes) {
    const flow = pipelineFlow({ ...base, ...size, batchCommands: BATCH_COMMANDS });
    const small = pipelineFlow({ ...base, ...size, batchCommands: PACED_BATCH_COMMANDS });
    const rates: number[] = [];
    const commits: number[] = [];
    const paced: number[] = [];
    let threadNsMin = Number.POSITIVE_INFINITY;
    for (let run = 0; run < runs; run++) {
      const full = await runFlow(flow, directory, undefined);
      rates.push(full.rate);
      threadNsMin = Math.min(threadNsMin, full.threadNs);
      commits.push(...full.commitsMs);
      paced.push(...(await runFlow(small, directory, PACED_RATE)).commitsMs);
    }
    rates.sort((a, b) => a - b);
    const result: PipelineResult = {
      flow: flow.name,
      rates,
      threadNsMin,
      commitMsP50: percentile(commits, 0.5),
      commitMsP99: percentile(commits, 0.99),
      pacedRate: PACED_RATE,
      pacedCommitMsP50: percentile(paced, 0.5),
      pacedCommitMsP99: percentile(paced, 0.99),
    };
    results.push(result);
    print(describe(result));
  }
  return results;
}

function describe(result: PipelineResult): string {
  const { rates } = result;
  const million = (rate: number) => (rate / 1e6).toFixed(2);
  const median = rates[rates.length >> 1];
  return (
    `durable pipeline, ${result.flow}: ${million(median)} M commands/s ` +
    `(${million(rates[0])} to ${million(rates[rates.length - 1])}, ${rates.length} runs), ` +
    `${result.threadNsMin.toFixed(0)} ns of the engine's thread each, ` +
    `batches of ${BATCH_COMMANDS} commit in ${result.commitMsP50.toFixed(2)} ms p50, ` +
    `${result.commitMsP99.toFixed(2)} ms p99; at ${million(result.pacedRate)} M/s ` +
    `${result.pacedCommitMsP50.toFixed(2)} ms p50, ${result.pacedCommitMsP99.toFixed(2)} ms p99`
  );
}

interface FlowRun {
  readonly rate: number;
  readonly threadNs: number;
  readonly commitsMs: number[];
}

async function runFlow(
  flow: PipelineFlow,
  directory: string,
  pacedRate: number | undefined,
): Promise<FlowRun> {
  const dataDir = mkdtempSync(join(directory, "openbell-bench-"));
  const pipeline = new Pipeline(dataDir);
  try {
    await pipeline.ready;
    await pipeline.send(flow.preparation, undefined);
    const cpuBefore = await pipeline.threadMicroseconds();
    const startedMs = performance.now();
    const commitsMs = await pipeline.send(flow.measured, pacedRate);
    const elapsedMs = performance.now() - startedMs;
    const threadMicroseconds = (await pipeline.threadMicroseconds()) - cpuBefore;
    const hash = await pipeline.stateHash();
    if (hash !== flow.stateHash) throw new Error(`the run of ${flow.name} ended in another state`);
    const count = flow.measured.reduce((sum, batch) => sum + batch.count, 0);
    const threadNs = (threadMicroseconds / count) * 1000;
    return { rate: (count / elapsedMs) * 1000, threadNs, commitsMs };
  } finally {
    await pipeline.end();
    rmSync(dataDir, { recursive: true });
  }
}

interface Sent {
  readonly lastSequence: number;
  readonly atMs: number;
}

/** Uses the worker as the exchange does, without decoding the events. */
class Pipeline {
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #underWay: Sent[] = [];
  #hashAnswer = Promise.withResolvers<string>();
  readonly #failure = Promise.withResolvers<never>();
  #commitsMs: number[] = [];
  #sentSequence = 0;
  #wake = () => {};

  constructor(journal: string) {
    const workerData: EngineWorkerData = {
      journal,
      segmentBytes: undefined,
      snapshots: undefined,
      timeOffset: new ExchangeClock({ info: () => undefined, warn: () => undefined }).time.offset,
      acceptsClock: true,
      notesTimes: false,
    };
    const url = import.meta.resolve("#server/exchange/engine-worker.ts");
    this.#worker = new Worker(new URL(url), { workerData });
    const ready = Promise.withResolvers<void>();
    this.ready = Promise.race([ready.promise, this.#failure.promise]);
    this.#worker.on("error", (error) => this.#failure.reject(error));
    this.#worker.on("message", (response: EngineResponse) => {
      if (response.kind === "ready") ready.resolve();
      else if (response.kind === "stateHash") this.#hashAnswer.resolve(response.hash);
      else if (response.kind === "stopped") this.#failure.reject(new Error(response.reason));
      else if (response.kind === "events") {
        releaseRows(response.batch.rows);
        this.#arrive(response.firstSequence + response.count - 1);
      }
    });
  }

  /** Sends the batches and resolves with their commit times once the last one has returned. */
  async send(batches: readonly EncodedBatch[], pacedRate: number | undefined): Promise<number[]> {
    this.#commitsMs = [];
    const startedMs = performance.now();
    let sent = 0;
    for (const { bytes, count } of batches) {
      if (pacedRate === undefined) {
        while (this.#underWay.length >= WINDOW) await this.#progress();
      } else {
        const dueMs = startedMs + (sent / pacedRate) * 1000;
        while (performance.now() < dueMs) await new Promise(setImmediate);
      }
      sent += count;
      this.#sentSequence += count;
      // The flow is reused by later runs, so a copy is transferred.
      const copy = bytes.slice();
      this.#underWay.push({ lastSequence: this.#sentSequence, atMs: performance.now() });
      const request: EngineRequest = { kind: "commands", bytes: copy };
      this.#worker.postMessage(request, [copy.buffer]);
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
    const request: EngineRequest = { kind: "stateHash", id: 1 };
    this.#worker.postMessage(request, []);
    return Promise.race([this.#hashAnswer.promise, this.#failure.promise]);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
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

function percentile(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))];
}

if (import.meta.main) await runPipelineBenchmark();

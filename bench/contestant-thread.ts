/**
 * Runs a contestant in its own thread, as production runs the engine, so that the compiler's assumptions
 * and the garbage of the others do not affect it. One contestant runs at a time. This file is also the
 * thread's entry point.
 */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import {
  type Clock,
  runBookAlone,
  runEngine,
  runPeer,
  type RunResult,
  setClock,
} from "./contestants.ts";
import type { Flow } from "./flow.ts";

export type ContestantName = "peer" | "book" | "engine";

/** Result of a run; only the engine has a `stateHash`. */
export type ContestantResult = RunResult & { readonly stateHash?: string };

interface ThreadData {
  readonly name: ContestantName;
  readonly flow: Flow;
  readonly clock: Clock;
}

interface RunRequest {
  readonly commands: number;
  readonly verify: boolean;
}

export class ContestantThread {
  readonly #worker: Worker;

  constructor(name: ContestantName, flow: Flow, clock: Clock) {
    const data: ThreadData = { name, flow, clock };
    this.#worker = new Worker(new URL(import.meta.url), { workerData: data });
  }

  /** Runs the commands. With `verify` the engine's fills are hashed too, as the others' always are. */
  run(commands: number, verify: boolean): Promise<ContestantResult> {
    return new Promise((resolve, reject) => {
      const done = () => {
        this.#worker.off("message", onResult);
        this.#worker.off("error", onError);
      };
      const onResult = (result: ContestantResult) => {
        done();
        resolve(result);
      };
      const onError = (error: Error) => {
        done();
        reject(error);
      };
      this.#worker.on("message", onResult);
      this.#worker.on("error", onError);
      const request: RunRequest = { commands, verify };
      this.#worker.postMessage(request, []);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

function serve({ name, flow, clock }: ThreadData): void {
  setClock(clock);
  parentPort?.on("message", ({ commands, verify }: RunRequest) => {
    parentPort?.postMessage(run(name, flow, commands, verify), []);
  });
}

function run(
  name: ContestantName,
  flow: Flow,
  commands: number,
  verify: boolean,
): ContestantResult {
  if (name === "peer") return runPeer(flow, commands);
  if (name === "book") return runBookAlone(flow, commands);
  return runEngine(flow, commands, verify);
}

if (!isMainThread) serve(workerData as ThreadData);

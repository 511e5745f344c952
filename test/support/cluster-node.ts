/** A node of an exchange as a process of its own (test/crashes/cluster-host.ts), and what it has said. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { PlantedFault } from "../faults/planted-faults.ts";
import { QUICK_START } from "./quick-start.ts";

export interface Acknowledged {
  readonly sequence: number;
  readonly isPlaced: boolean;
  readonly orderId: number;
  /** When it was heard, by the test's steady clock. */
  readonly atMs: number;
}

const plantPath = new URL("../faults/plant.ts", import.meta.url).pathname;
const hostPath = new URL("../crashes/cluster-host.ts", import.meta.url).pathname;

export class ClusterNode {
  /** By key, which is the quantity of the order. */
  readonly acknowledged = new Map<number, Acknowledged>();
  readonly errors: string[] = [];
  /** What it logged, for a failure's message. */
  readonly said: string[] = [];
  /** Of the newest acknowledgement. */
  lastMs = 0;
  readonly #args: readonly string[];
  readonly #nextRun: () => number;
  #process: ChildProcess | undefined;
  #waiting: { readonly word: string; readonly resolve: (words: string[]) => void }[] = [];

  /** @param nextRun a number that no other run on this journal has */
  constructor(dataDir: string, journal: string, nextRun: () => number) {
    this.#nextRun = nextRun;
    this.#args = [dataDir, journal];
  }

  /**
   * Resolves when the node has opened.
   * @param faults mistakes in what it runs (test/faults)
   */
  async start(...faults: Pick<PlantedFault, "file" | "line" | "mistake">[]): Promise<void> {
    const run = String(this.#nextRun());
    const planted = faults.length === 0 ? [] : ["--import", plantPath];
    const options = [...QUICK_START, ...planted, hostPath, ...this.#args, run];
    const child = spawn(process.execPath, options, {
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
      env: {
        ...process.env,
        PLANTED_FAULT: faults.length === 0 ? undefined : JSON.stringify(faults),
      },
    });
    this.#process = child;
    // What the one before has not answered, it never will.
    this.#waiting = [];
    child.stdin.on("error", () => undefined);
    child.stderr.on("data", (data: Buffer) => this.errors.push(data.toString()));
    createInterface(child.stdout).on("line", (line) => this.#hear(line));
    const ended = once(child, "exit").then(([code, signal]) => {
      if (signal === null && code !== 0) this.errors.push(`a node ended with code ${code}`);
    });
    await Promise.race([this.#next("open"), ended]);
  }

  tell(request: string): void {
    this.#process?.stdin?.write(`${request}\n`);
  }

  /** Sends a request and resolves with the words of the line that answers it. */
  ask(request: string, answer = request): Promise<string[]> {
    const next = this.#next(answer);
    this.tell(request);
    return next;
  }

  /** To the process and those that take its snapshots. */
  signal(signal: NodeJS.Signals): void {
    const { pid, exitCode, signalCode } = this.#process ?? {};
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal);
  }

  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    this.signal("SIGKILL");
    await ended;
  }

  async close(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    this.tell("close");
    await ended;
  }

  #next(word: string): Promise<string[]> {
    return new Promise((resolve) => this.#waiting.push({ word, resolve }));
  }

  #hear(line: string): void {
    const words = line.split(" ");
    const [word, key, sequence, kind, orderId] = words;
    if (word === "ack") {
      this.lastMs = performance.now();
      this.acknowledged.set(Number(key), {
        sequence: Number(sequence),
        isPlaced: kind === "placed",
        orderId: Number(orderId),
        atMs: this.lastMs,
      });
    } else if (word === "error") this.errors.push(line);
    else if (word === "info") this.said.push(line);
    const at = this.#waiting.findIndex((waiter) => waiter.word === word);
    if (at !== -1) this.#waiting.splice(at, 1)[0].resolve(words);
  }
}

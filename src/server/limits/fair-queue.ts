/**
 * Runs expensive work with limited concurrency, round robin over clients: a client with one task
 * waits for one round of the others, not for their whole backlog.
 *
 * - A place is freed one turn of the event loop after its task ended, so that tasks that end at
 *   once do not starve the loop.
 * - Preferred clients get two of three turns if clients of both kinds wait.
 * - When the queue is full, the client with the most waiting tasks loses its newest one to a client
 *   with fewer: a flood from one client never shuts out the others. A preferred client's task
 *   takes the place of an ordinary one's: a crowd of ordinary clients never shuts these out.
 * - Tasks whose caller has left are dropped before they start.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { type ClientKey, queueKeyOf } from "./client-key.ts";

export interface FairQueueLimits {
  /** Plural name of the tasks for error messages, such as "reads of the past". */
  readonly what: string;
  readonly underWay: number;
  readonly underWayPerClient: number;
  /** Waiting tasks of all clients together. */
  readonly waiting: number;
  readonly waitingPerClient: number;
}

/** A client's preference does not change while it has tasks in the queue. */
export type Preference = "preferred" | "ordinary";
/** Consecutive turns of preferred clients before one of the others. */
const PREFERRED_IN_ROW_MAX = 2;

/** The queue is full, for this client or for all; the task was not started. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";
  readonly scope: "client" | "all";

  constructor(scope: "client" | "all", message: string) {
    super(message);
    this.scope = scope;
  }
}

/** The caller left before its turn; the task was not started. */
export class CallerLeftError extends Error {
  override readonly name = "CallerLeftError";
}

interface Task {
  /** @param onEnd called once the work has ended */
  start: (onEnd: () => void) => void;
  readonly refuse: (error: Error) => void;
  readonly signal: AbortSignal | undefined;
}

interface Line {
  readonly client: ClientKey;
  readonly preference: Preference;
  readonly waiting: Task[];
  running: number;
}

export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** Clients with waiting or running tasks, in order of their next turn. */
  readonly #lines = new Map<ClientKey, Line>();
  #running = 0;
  #preferredInRow = 0;
  #waiting = 0;
  /** The clients of tasks that ended in this turn of the event loop, once for each task. */
  #ended: Line[] = [];

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs a task in the client's turn.
   * @param client whose turn the task waits for; visitors of a site (client-key.ts) are one client
   * @throws QueueFullError, CallerLeftError
   */
  run<T>(
    client: ClientKey,
    work: () => T | Promise<T>,
    signal?: AbortSignal,
    preference: Preference = "ordinary",
  ): Promise<T> {
    const key = queueKeyOf(client);
    return new Promise<T>((resolve, reject) => {
      this.#makeRoom(key, preference);
      const start = (onEnd: () => void) => {
        const fail = (error: unknown) => {
          // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the work's own error
          reject(error);
          onEnd();
        };
        const succeed = (result: T) => {
          resolve(result);
          onEnd();
        };
        try {
          const result = work();
          if (result instanceof Promise) result.then(succeed, fail);
          else succeed(result);
        } catch (error) {
          fail(error);
        }
      };
      const line = this.#lineOf(key, preference);
      const task: Task = { start, refuse: reject, signal };
      line.waiting.push(task);
      this.#waiting += 1;
      this.#startRunnable(line);
      // Another task's end will start it: its asynchronous context stays that of its caller.
      if (line.waiting.at(-1) === task) task.start = AsyncLocalStorage.bind(start);
    });
  }

  #lineOf(client: ClientKey, preference: Preference): Line {
    const known = this.#lines.get(client);
    if (known !== undefined) return known;
    const line: Line = { client, preference, waiting: [], running: 0 };
    this.#lines.set(client, line);
    return line;
  }

  /** @throws QueueFullError */
  #makeRoom(client: ClientKey, preference: Preference): void {
    const { what, waiting, waitingPerClient } = this.#limits;
    const line = this.#lines.get(client);
    if (line !== undefined && line.waiting.length >= waitingPerClient) this.#dropAbandoned(line);
    const own = line?.waiting.length ?? 0;
    if (own >= waitingPerClient) {
      throw new QueueFullError(
        "client",
        `At most ${waitingPerClient} ${what} of one client may wait at once.`,
      );
    }
    if (this.#waiting < waiting) return;
    for (const other of this.#lines.values()) this.#dropAbandoned(other);
    if (this.#waiting < waiting) return;
    const error = new QueueFullError("all", `At most ${waiting} ${what} may wait at once.`);
    const lines = [...this.#lines.values()];
    const longest = longestOf(lines);
    // If no client has more waiting tasks than the new task's client would have.
    const ordinary =
      preference === "preferred"
        ? longestOf(lines.filter((each) => each.preference === "ordinary"))
        : undefined;
    const loser = (longest?.waiting.length ?? 0) > own + 1 ? longest : ordinary;
    const refused = loser?.waiting.pop();
    if (loser === undefined || refused === undefined) throw error;
    this.#waiting -= 1;
    refused.refuse(error);
    this.#forgetIfIdle(loser);
  }

  #dropAbandoned(line: Line): void {
    const kept = line.waiting.filter(({ signal }) => signal?.aborted !== true);
    if (kept.length === line.waiting.length) return;
    const left = line.waiting.filter(({ signal }) => signal?.aborted === true);
    this.#waiting -= left.length;
    line.waiting.splice(0, line.waiting.length, ...kept);
    for (const { refuse } of left) refuse(callerLeft());
    this.#forgetIfIdle(line);
  }

  /** @param newest the client whose task was just added, if any */
  #startRunnable(newest?: Line): void {
    while (this.#running < this.#limits.underWay) {
      const line = this.#nextLine(newest);
      if (line === undefined) return;
      const task = line.waiting.shift() as Task;
      this.#waiting -= 1;
      if (task.signal?.aborted === true) {
        task.refuse(callerLeft());
        this.#forgetIfIdle(line);
        continue;
      }
      // Move the client to the end of the round.
      this.#lines.delete(line.client);
      this.#lines.set(line.client, line);
      line.running += 1;
      this.#running += 1;
      task.start(() => {
        if (this.#ended.push(line) === 1) setImmediate(() => this.#releaseEnded());
      });
    }
  }

  #nextLine(newest: Line | undefined): Line | undefined {
    if (this.#waiting === 0) return undefined;
    // Usually no other client waits, so the others need not be searched.
    const isAlone = newest !== undefined && newest.waiting.length === this.#waiting;
    const next = isAlone ? this.#ifRunnable(newest) : this.#nextOfAll();
    this.#preferredInRow = next?.preference === "preferred" ? this.#preferredInRow + 1 : 0;
    return next;
  }

  #ifRunnable(line: Line): Line | undefined {
    return line.running < this.#limits.underWayPerClient ? line : undefined;
  }

  #nextOfAll(): Line | undefined {
    const preferred = this.#firstLine("preferred");
    const ordinary = this.#firstLine("ordinary");
    const isOrdinarysTurn = this.#preferredInRow >= PREFERRED_IN_ROW_MAX;
    return isOrdinarysTurn ? (ordinary ?? preferred) : (preferred ?? ordinary);
  }

  #firstLine(preference: Preference): Line | undefined {
    for (const line of this.#lines.values()) {
      if (line.preference !== preference || line.waiting.length === 0) continue;
      if (this.#ifRunnable(line) !== undefined) return line;
    }
    return undefined;
  }

  #releaseEnded(): void {
    const ended = this.#ended;
    this.#ended = [];
    this.#running -= ended.length;
    for (const line of ended) {
      line.running -= 1;
      this.#forgetIfIdle(line);
    }
    this.#startRunnable();
  }

  #forgetIfIdle(line: Line): void {
    if (line.running === 0 && line.waiting.length === 0) this.#lines.delete(line.client);
  }
}

/** The line with the most waiting tasks; undefined if there is no line. */
function longestOf(lines: readonly Line[]): Line | undefined {
  let longest: Line | undefined;
  for (const line of lines) {
    if (line.waiting.length > (longest?.waiting.length ?? -1)) longest = line;
  }
  return longest;
}

function callerLeft(): CallerLeftError {
  return new CallerLeftError("The caller left before its turn came.");
}

/**
 * Limits that count over all nodes of one exchange. Each node decides at once, by the use on this node
 * and the reported use on the others, and at short intervals reports its own: nothing waits for
 * another node. So a client that uses several nodes at the same moment gets ahead of its limit by what
 * it uses elsewhere within an interval, and waits for as much longer afterwards. A node that receives
 * no reports counts for itself.
 */

/** A client's use of a limit. */
type ClientCount = readonly [limit: string, client: string, count: number];

/** The report of one node to the others. */
export interface ToldUse {
  /** Use of rates since the node's last report. */
  readonly used: readonly ClientCount[];
  /** All that a client has taken of a limited number at the node. */
  readonly taken: readonly ClientCount[];
}

/** A client's use is reported from this share of the limit on; below that it hardly matters. */
const PART_TOLD = 1 / 32;
/** In one word, so that it stays far below the largest message; the rest is in the next. */
const COUNTS_MAX = 1_000;
/** With untold use of a rate. */
const CLIENTS_MAX = 10_000;
/**
 * A node without news still sends a report, since the capacity that it has taken counts only while it
 * is alive.
 */
const WORD_EVERY_MS = 1_000;
const SILENT_MS_MAX = 3_000;
/** Taken capacity is reported again and again, for nodes that have started since, or missed a report. */
const REPEATED_EVERY_MS = 10_000;

export class SharedLimits {
  readonly #nowMs: () => number;
  readonly #rates = new Map<string, SharedRate>();
  readonly #numbers = new Map<string, SharedNumber>();
  /** The time of each other node's last report. */
  readonly #heardMs = new Map<string, number>();
  #toldMs = -Infinity;
  #repeatedMs: number;

  /** @param nowMs a monotonic clock */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#repeatedMs = nowMs();
  }

  /**
   * A limit of use in time.
   * @param onUsed called with a client's use on another node
   */
  rate(name: string, onUsed: (client: string, count: number) => void): SharedRate {
    const rate = new SharedRate(onUsed);
    this.#rates.set(name, rate);
    return rate;
  }

  /** A limit of resources that clients hold at the same time, such as connections. */
  number(name: string): SharedNumber {
    const number = new SharedNumber();
    this.#numbers.set(name, number);
    return number;
  }

  /**
   * The report for the other nodes; undefined if there is nothing to report now. Called at short intervals.
   */
  takeWord(): ToldUse | undefined {
    const nowMs = this.#nowMs();
    this.#forgetSilent(nowMs);
    if (nowMs - this.#repeatedMs >= REPEATED_EVERY_MS) {
      this.#repeatedMs = nowMs;
      for (const number of this.#numbers.values()) number.repeat();
    }
    const used = takeFrom(this.#rates);
    const taken = takeFrom(this.#numbers);
    const hasNews = used.length + taken.length > 0;
    if (!hasNews && nowMs - this.#toldMs < WORD_EVERY_MS) return undefined;
    this.#toldMs = nowMs;
    return { used, taken };
  }

  /** Counts the report of another node; limits that this one does not know are skipped. */
  hear(node: string, { used, taken }: ToldUse): void {
    this.#heardMs.set(node, this.#nowMs());
    for (const [limit, client, count] of used) this.#rates.get(limit)?.hear(client, count);
    for (const [limit, client, count] of taken) {
      this.#numbers.get(limit)?.hear(node, client, count);
    }
  }

  #forgetSilent(nowMs: number): void {
    for (const [node, heardMs] of this.#heardMs) {
      if (nowMs - heardMs < SILENT_MS_MAX) continue;
      this.#heardMs.delete(node);
      for (const number of this.#numbers.values()) number.forget(node);
    }
  }
}

function takeFrom(
  limits: ReadonlyMap<string, { takeUntold(countsMax: number): Iterable<[string, number]> }>,
): ClientCount[] {
  const counts: ClientCount[] = [];
  for (const [name, limit] of limits) {
    for (const [client, count] of limit.takeUntold(COUNTS_MAX - counts.length)) {
      counts.push([name, client, count]);
    }
  }
  return counts;
}

export class SharedRate {
  readonly #onUsed: (client: string, count: number) => void;
  /** Of this node, by client; longest unchanged first. */
  readonly #untold = new Map<string, number>();
  /** Clients whose untold use is large enough. */
  readonly #due = new Set<string>();

  constructor(onUsed: (client: string, count: number) => void) {
    this.#onUsed = onUsed;
  }

  /**
   * A client has used something here.
   * @param count negative if it was given back
   * @param capacity the most that the limit allows at once
   */
  use(client: string, count: number, capacity: number): void {
    const untold = (this.#untold.get(client) ?? 0) + count;
    this.#untold.delete(client);
    if (untold !== 0) this.#untold.set(client, untold);
    if (Math.abs(untold) >= capacity * PART_TOLD) this.#due.add(client);
    if (this.#untold.size <= CLIENTS_MAX) return;
    const [oldest] = this.#untold.keys();
    this.#untold.delete(oldest);
    this.#due.delete(oldest);
  }

  takeUntold(countsMax: number): [client: string, count: number][] {
    const counts: [string, number][] = [];
    for (const client of this.#due) {
      if (counts.length >= countsMax) break;
      const untold = this.#untold.get(client);
      this.#due.delete(client);
      this.#untold.delete(client);
      if (untold !== undefined) counts.push([client, untold]);
    }
    return counts;
  }

  hear(client: string, count: number): void {
    this.#onUsed(client, count);
  }
}

export class SharedNumber {
  /** The resources that clients hold here. */
  readonly #here = new Map<string, number>();
  readonly #untold = new Set<string>();
  /** The resources that clients hold on each other node. */
  readonly #elsewhere = new Map<string, Map<string, number>>();

  /** A client has so many here now. */
  set(client: string, count: number): void {
    if (count === 0) this.#here.delete(client);
    else this.#here.set(client, count);
    this.#untold.add(client);
  }

  /** The number that a client holds on all other nodes, by their last reports. */
  elsewhere(client: string): number {
    let sum = 0;
    for (const counts of this.#elsewhere.values()) sum += counts.get(client) ?? 0;
    return sum;
  }

  takeUntold(countsMax: number): [client: string, count: number][] {
    const counts: [string, number][] = [];
    for (const client of this.#untold) {
      if (counts.length >= countsMax) break;
      this.#untold.delete(client);
      counts.push([client, this.#here.get(client) ?? 0]);
    }
    return counts;
  }

  /** Everything is reported again. */
  repeat(): void {
    for (const client of this.#here.keys()) this.#untold.add(client);
  }

  hear(node: string, client: string, count: number): void {
    const counts = this.#elsewhere.get(node) ?? new Map<string, number>();
    if (count === 0) counts.delete(client);
    else counts.set(client, count);
    this.#elsewhere.set(node, counts);
  }

  /** A node is not there any more. */
  forget(node: string): void {
    this.#elsewhere.delete(node);
  }
}

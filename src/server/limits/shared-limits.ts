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
export interface UseReport {
  /** Use of rates since the node's last report. */
  readonly used: readonly ClientCount[];
  /** All of a limited resource that a client holds at the node. */
  readonly taken: readonly ClientCount[];
}

/** A client's use is reported from this share of the limit on; below that it is negligible. */
const REPORTED_SHARE = 1 / 32;
/** Per report, which stays far below the largest message; the next report has the rest. */
const COUNTS_MAX = 1_000;
/** Clients with unreported use of a rate. */
const CLIENTS_MAX = 10_000;
/**
 * A node without news still sends a report, since the capacity that it has taken counts only while it
 * is alive.
 */
const REPORT_EVERY_MS = 1_000;
const SILENT_MS_MAX = 3_000;
/** Taken capacity is reported again and again, for nodes that have started since, or missed a report. */
const REPEATED_EVERY_MS = 10_000;

export class SharedLimits {
  readonly #nowMs: () => number;
  readonly #rates = new Map<string, SharedRate>();
  readonly #numbers = new Map<string, SharedNumber>();
  /** The time of each other node's last report. */
  readonly #lastReportMs = new Map<string, number>();
  #reportedMs = -Infinity;
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
  takeReport(): UseReport | undefined {
    const nowMs = this.#nowMs();
    this.#forgetSilent(nowMs);
    if (nowMs - this.#repeatedMs >= REPEATED_EVERY_MS) {
      this.#repeatedMs = nowMs;
      for (const number of this.#numbers.values()) number.repeat();
    }
    const used = takeFrom(this.#rates);
    const taken = takeFrom(this.#numbers);
    const hasNews = used.length + taken.length > 0;
    if (!hasNews && nowMs - this.#reportedMs < REPORT_EVERY_MS) return undefined;
    this.#reportedMs = nowMs;
    return { used, taken };
  }

  /** Counts the report of another node; limits that this one does not know are skipped. */
  receive(node: string, { used, taken }: UseReport): void {
    this.#lastReportMs.set(node, this.#nowMs());
    for (const [limit, client, count] of used) this.#rates.get(limit)?.receive(client, count);
    for (const [limit, client, count] of taken) {
      this.#numbers.get(limit)?.receive(node, client, count);
    }
  }

  #forgetSilent(nowMs: number): void {
    for (const [node, lastReportMs] of this.#lastReportMs) {
      if (nowMs - lastReportMs < SILENT_MS_MAX) continue;
      this.#lastReportMs.delete(node);
      for (const number of this.#numbers.values()) number.forget(node);
    }
  }
}

function takeFrom(
  limits: ReadonlyMap<string, { takeUnreported(countsMax: number): Iterable<[string, number]> }>,
): ClientCount[] {
  const counts: ClientCount[] = [];
  for (const [name, limit] of limits) {
    for (const [client, count] of limit.takeUnreported(COUNTS_MAX - counts.length)) {
      counts.push([name, client, count]);
    }
  }
  return counts;
}

export class SharedRate {
  readonly #onUsed: (client: string, count: number) => void;
  /** The unreported use on this node, by client; longest unchanged first. */
  readonly #unreported = new Map<string, number>();
  /** Clients whose unreported use is large enough. */
  readonly #due = new Set<string>();

  constructor(onUsed: (client: string, count: number) => void) {
    this.#onUsed = onUsed;
  }

  /**
   * A client has used something here.
   * @param count negative if it was given back
   * @param capacity the maximum that the limit allows at once
   */
  use(client: string, count: number, capacity: number): void {
    const unreported = (this.#unreported.get(client) ?? 0) + count;
    this.#unreported.delete(client);
    if (unreported !== 0) this.#unreported.set(client, unreported);
    if (Math.abs(unreported) >= capacity * REPORTED_SHARE) this.#due.add(client);
    if (this.#unreported.size <= CLIENTS_MAX) return;
    const [oldest] = this.#unreported.keys();
    this.#unreported.delete(oldest);
    this.#due.delete(oldest);
  }

  takeUnreported(countsMax: number): [client: string, count: number][] {
    const counts: [string, number][] = [];
    for (const client of this.#due) {
      if (counts.length >= countsMax) break;
      const unreported = this.#unreported.get(client);
      this.#due.delete(client);
      this.#unreported.delete(client);
      if (unreported !== undefined) counts.push([client, unreported]);
    }
    return counts;
  }

  receive(client: string, count: number): void {
    this.#onUsed(client, count);
  }
}

export class SharedNumber {
  /** The resources that clients hold here. */
  readonly #here = new Map<string, number>();
  readonly #unreported = new Set<string>();
  /** The resources that clients hold on each other node. */
  readonly #elsewhere = new Map<string, Map<string, number>>();

  /** The client now holds this many here. */
  set(client: string, count: number): void {
    if (count === 0) this.#here.delete(client);
    else this.#here.set(client, count);
    this.#unreported.add(client);
  }

  /** The number that a client holds on all other nodes, by their last reports. */
  elsewhere(client: string): number {
    let sum = 0;
    for (const counts of this.#elsewhere.values()) sum += counts.get(client) ?? 0;
    return sum;
  }

  takeUnreported(countsMax: number): [client: string, count: number][] {
    const counts: [string, number][] = [];
    for (const client of this.#unreported) {
      if (counts.length >= countsMax) break;
      this.#unreported.delete(client);
      counts.push([client, this.#here.get(client) ?? 0]);
    }
    return counts;
  }

  /** Everything is reported again. */
  repeat(): void {
    for (const client of this.#here.keys()) this.#unreported.add(client);
  }

  receive(node: string, client: string, count: number): void {
    const counts = this.#elsewhere.get(node) ?? new Map<string, number>();
    if (count === 0) counts.delete(client);
    else counts.set(client, count);
    this.#elsewhere.set(node, counts);
  }

  /** A node has gone away. */
  forget(node: string): void {
    this.#elsewhere.delete(node);
  }
}

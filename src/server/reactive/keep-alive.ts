/**
 * Looks after every connection every few seconds: pings it, and closes what is dead. A slice at a time,
 * because ten thousand pings in a row would hold everybody up.
 */

const EVERY_MS = 5_000;
const PER_SLICE = 32;

interface Kept {
  keepAlive(): void;
}

export class KeepAlive {
  readonly #connections: ReadonlySet<Kept>;
  readonly #timer: NodeJS.Timeout;
  #slice: NodeJS.Immediate | undefined;

  constructor(connections: ReadonlySet<Kept>, everyMs = EVERY_MS) {
    this.#connections = connections;
    this.#timer = setInterval(() => this.#begin(), everyMs);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
    clearImmediate(this.#slice);
  }

  /** A round that is still under way is left to end. */
  #begin(): void {
    if (this.#slice === undefined) this.#run([...this.#connections].values());
  }

  #run(round: IterableIterator<Kept>): void {
    this.#slice = undefined;
    let left = PER_SLICE;
    for (const connection of round) {
      // Those that were closed meanwhile do nothing.
      connection.keepAlive();
      left -= 1;
      if (left > 0) continue;
      this.#slice = setImmediate(() => this.#run(round));
      return;
    }
  }
}

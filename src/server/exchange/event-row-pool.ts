/**
 * The arrays in which events travel from the engine's thread to the main thread: shared by both,
 * and reused once read. The two alternatives cost more. Transferring an array detaches it, and in a
 * thread where that ever happened V8 checks on every access of every array whether it is still
 * attached: 8 % of the engine's time. A new array for each batch causes one page fault after
 * another: another 10 % (docs/decisions/013).
 *
 * The rows of a batch belong to its reader, who releases them and keeps no reference to them.
 */
const FREE = 0;
const TAKEN = 1;
/** Bytes of the header before the rows, which holds their current owner. */
const HEAD_BYTES = Float64Array.BYTES_PER_ELEMENT;

interface SharedRows {
  readonly owner: Int32Array;
  readonly rows: Float64Array;
}

/** The writer's side of the shared arrays. */
export class EventRows {
  readonly #numbers: number;
  readonly #keptMax: number;
  readonly #kept: SharedRows[] = [];
  #next = 0;

  /** Provides arrays of a fixed length, of which at most `keptMax` are reused. */
  constructor(numbers: number, keptMax: number) {
    this.#numbers = numbers;
    this.#keptMax = keptMax;
  }

  /** Rows that are no longer being read, else new ones. */
  take(): Float64Array {
    for (let tried = 0; tried < this.#kept.length; tried++) {
      const { owner, rows } = this.#kept[this.#next];
      this.#next = (this.#next + 1) % this.#kept.length;
      if (Atomics.compareExchange(owner, 0, FREE, TAKEN) === FREE) return rows;
    }
    const buffer = new SharedArrayBuffer(
      HEAD_BYTES + this.#numbers * Float64Array.BYTES_PER_ELEMENT,
    );
    const shared = {
      owner: new Int32Array(buffer, 0, 1),
      rows: new Float64Array(buffer, HEAD_BYTES),
    };
    shared.owner[0] = TAKEN;
    if (this.#kept.length < this.#keptMax) this.#kept.push(shared);
    return shared.rows;
  }
}

/** Releases rows after reading; has no effect on rows that are not shared. */
export function releaseRows({ buffer }: Float64Array): void {
  if (buffer instanceof SharedArrayBuffer) Atomics.store(new Int32Array(buffer, 0, 1), 0, FREE);
}

/**
 * The arrays in which events travel from the engine's thread to the main one: shared by both, and
 * written again once they have been read. Two things would be dearer. Transferring an array detaches
 * it, and in a thread where that ever happened V8 looks at every access of every array whether it is
 * still attached: 8 % of the engine's time. A new array for each batch is one page fault after the
 * other: another 10 % (docs/decisions/013).
 *
 * The rows of a batch are its reader's until it gives them back; it keeps nothing of them.
 */
const FREE = 0;
const TAKEN = 1;
/** The header before the rows: their current owner. */
const HEAD_BYTES = Float64Array.BYTES_PER_ELEMENT;

interface SharedRows {
  readonly owner: Int32Array;
  readonly rows: Float64Array;
}

/** The writer's side. */
export class EventRows {
  readonly #numbers: number;
  readonly #keptMax: number;
  readonly #kept: SharedRows[] = [];
  #next = 0;

  /** Hands out arrays of so many numbers, of which at most `keptMax` are used again. */
  constructor(numbers: number, keptMax: number) {
    this.#numbers = numbers;
    this.#keptMax = keptMax;
  }

  /** Rows that nobody reads any more, or new ones. */
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

/** What was read of these rows is done with; without effect on rows that are not shared. */
export function giveBackRows({ buffer }: Float64Array): void {
  if (buffer instanceof SharedArrayBuffer) Atomics.store(new Int32Array(buffer, 0, 1), 0, FREE);
}

/**
 * The free space where the data directory is. A full disk stops the exchange, cancels included, so
 * new orders are refused before: what is left then lasts for cancels and for what the exchange
 * itself writes.
 */
import { statfs } from "node:fs/promises";

/** In bytes. */
export interface Space {
  /** What the process may still write. */
  readonly free: number;
  readonly total: number;
}

/** Below this share of the disk an operator is warned, however large it is. */
const LOW_SHARE = 0.1;

/** The space of the file system of a directory. */
export async function spaceOf(directory: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { free: bavail * bsize, total: blocks * bsize };
}

export class FreeSpace {
  readonly #read: () => Promise<Space>;
  readonly #ordersBytesMin: number;
  #space: Space | undefined;

  /** @param ordersBytesMin with fewer bytes free there are to be no new orders */
  constructor(read: () => Promise<Space>, ordersBytesMin: number) {
    this.#read = read;
    this.#ordersBytesMin = ordersBytesMin;
  }

  /** Reads it; call every few seconds. What the system does not report refuses nothing. */
  async refresh(): Promise<void> {
    this.#space = await this.#read().catch(() => undefined);
  }

  /** Undefined if the system does not report it. */
  get freeBytes(): number | undefined {
    return this.#space?.free;
  }

  /** Whether less than a tenth of the disk is free. */
  get isLow(): boolean {
    return this.#space !== undefined && this.#space.free < LOW_SHARE * this.#space.total;
  }

  /** Whether there is too little for new orders. */
  get isShort(): boolean {
    return this.#space !== undefined && this.#space.free < this.#ordersBytesMin;
  }
}

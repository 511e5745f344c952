/**
 * The free disk space of the data directory. A full disk stops the exchange, cancels included. So new
 * orders are refused before the disk is full, which leaves space for cancels and for the exchange's
 * own writes.
 */
import { statfs } from "node:fs/promises";

/** Disk space in bytes. */
export interface Space {
  /** Bytes that this process may still write. */
  readonly free: number;
  readonly total: number;
}

/** Below this share of the disk's size the operator is warned. */
const LOW_SHARE = 0.1;

/** The disk space of the file system that contains a directory. */
export async function spaceOf(directory: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { free: bavail * bsize, total: blocks * bsize };
}

export class FreeSpace {
  readonly #read: () => Promise<Space>;
  readonly #ordersBytesMin: number;
  #space: Space | undefined;

  /** @param ordersBytesMin new orders are refused while fewer bytes are free */
  constructor(read: () => Promise<Space>, ordersBytesMin: number) {
    this.#read = read;
    this.#ordersBytesMin = ordersBytesMin;
  }

  /**
   * Reads the free space; call every few seconds. If the system does not report it, no order is
   * refused.
   */
  async refresh(): Promise<void> {
    this.#space = await this.#read().catch(() => undefined);
  }

  /** Free bytes; undefined if the system does not report them. */
  get freeBytes(): number | undefined {
    return this.#space?.free;
  }

  /** Whether less than a tenth of the disk is free. */
  get isLow(): boolean {
    return this.#space !== undefined && this.#space.free < LOW_SHARE * this.#space.total;
  }

  /** Whether new orders are refused for lack of space. */
  get isShort(): boolean {
    return this.#space !== undefined && this.#space.free < this.#ordersBytesMin;
  }
}

/**
 * A disk in memory that behaves as badly as a real one may. What is written stands in a cache until
 * it is flushed; a power cut keeps any subset of the unflushed sectors and of the unflushed changes
 * of the directory; a killed process leaves the beginning of the write it was in. A flush that fails
 * forgets what it was to flush, as Linux does: the cache continues to show it, and no later flush tries
 * again unless it is written again.
 */
import { dirname } from "node:path";
import type { JournalFile, JournalFileSystem } from "#journal/file-system.ts";

const SECTOR_BYTES = 512;

/** Numbers from 0 up to, not including, `limit`. */
export type Random = (limit: number) => number;

/** A small seeded generator (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

interface Node {
  cached: Uint8Array;
  durable: Uint8Array;
  /** Sectors that a flush failed to write. */
  readonly forgotten: Set<number>;
  /** The path that a symbolic link leads to. */
  readonly link?: string;
}

export type Operation =
  | "write"
  | "flush"
  | "createZeroed"
  | "rename"
  | "remove"
  | "link"
  | "flushDirectory";
/** `crash` stops everything within this operation; the others fail it and let the process live. */
export type Fault = "full" | "broken" | "short" | "crash";

/** The process is gone: nothing that it does from here on reaches the disk. */
export class CrashedError extends Error {}

export class SimulatedDisk implements JournalFileSystem {
  readonly #random: Random;
  #entries = new Map<string, Node>();
  #durableEntries = new Map<string, Node>();
  #hasCrashed = false;
  #flushes = 0;
  /** Asked before every change of the disk. */
  fault: (operation: Operation) => Fault | undefined = () => undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A disk of its own with the same, flushed content. */
  clone(): SimulatedDisk {
    const copy = new SimulatedDisk(this.#random);
    for (const [path, node] of this.#entries) {
      if (node.link === undefined) copy.put(path, node.cached);
      else copy.link(node.link, path);
    }
    copy.#durableEntries = new Map(copy.#entries);
    return copy;
  }

  /** Replaces a file's content, or makes the file. */
  put(path: string, bytes: Uint8Array): void {
    const node = { cached: bytes.slice(), durable: bytes.slice(), forgotten: new Set<number>() };
    this.#entries.set(path, node);
    this.#durableEntries.set(path, node);
  }

  contentOf(path: string): Uint8Array {
    return this.#node(path).cached.slice();
  }

  paths(): string[] {
    return [...this.#entries.keys()].sort();
  }

  /** What the next process finds: `kill` keeps the cache, `power` only what reached the disk. */
  restart(cause: "kill" | "power"): void {
    if (cause === "power") {
      this.#entries = this.#survivingEntries();
      for (const node of this.#entries.values()) this.#losePower(node);
      this.#durableEntries = new Map(this.#entries);
    }
    this.#hasCrashed = false;
    this.fault = () => undefined;
  }

  list(directory: string): string[] {
    const prefix = `${directory}/`;
    return this.paths()
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length));
  }

  createDirectory(): void {}

  open(path: string): JournalFile {
    const node = this.#node(path);
    return {
      size: () => node.cached.length,
      read: (target, position) => {
        const bytes = node.cached.subarray(position, position + target.length);
        target.set(bytes);
        return bytes.length;
      },
      write: (bytes, position) => this.#write(node, bytes, position),
      flush: async () => {
        // Like a real flush it ends in a later turn, soon or not, so that other work comes in between.
        this.#flushes += 1;
        for (let turns = this.#flushes % 5; turns >= 0; turns--) await Promise.resolve();
        this.#flush(node);
      },
      close: () => undefined,
    };
  }

  async createZeroed(path: string, bytes: number): Promise<void> {
    await Promise.resolve();
    const make = (length: number) =>
      this.#entries.set(path, {
        cached: new Uint8Array(length),
        durable: new Uint8Array(length),
        forgotten: new Set(),
      });
    try {
      this.#meet("createZeroed");
    } catch (error) {
      // A disk that is full, or breaks, has taken a part of it.
      if (!(error instanceof CrashedError)) make(bytes >> 1);
      throw error;
    }
    make(bytes);
  }

  link(target: string, path: string): void {
    this.#meet("link");
    const nothing = new Uint8Array(0);
    const node = { cached: nothing, durable: nothing, forgotten: new Set<number>(), link: target };
    this.#entries.set(path, node);
  }

  share(file: string, path: string): void {
    this.#entries.set(path, this.#node(file));
  }

  linkedFrom(path: string): string | undefined {
    return this.#entries.get(path)?.link;
  }

  rename(from: string, to: string): void {
    this.#meet("rename");
    const node = this.#entries.get(from);
    if (node === undefined) throw new Error(`ENOENT: ${from}`);
    this.#entries.delete(from);
    this.#entries.set(to, node);
  }

  remove(path: string): void {
    if (!this.#entries.has(path)) return;
    this.#meet("remove");
    this.#entries.delete(path);
  }

  async flushDirectory(directory: string): Promise<void> {
    await Promise.resolve();
    this.#meet("flushDirectory");
    const isInside = (path: string) => dirname(path) === directory;
    for (const path of this.#durableEntries.keys()) {
      if (isInside(path) && !this.#entries.has(path)) this.#durableEntries.delete(path);
    }
    for (const [path, node] of this.#entries) {
      if (isInside(path)) this.#durableEntries.set(path, node);
    }
  }

  #node(path: string): Node {
    const node = this.#entries.get(path);
    if (node === undefined) throw new Error(`ENOENT: ${path}`);
    return node.link === undefined ? node : this.#node(node.link);
  }

  /** Throws where the operation shall fail as a whole. */
  #meet(operation: Operation): Fault | undefined {
    if (this.#hasCrashed) throw new CrashedError("the process is gone");
    const fault = this.fault(operation);
    if (fault === "crash") {
      this.#hasCrashed = true;
      if (operation !== "write") throw new CrashedError("the process is gone");
    }
    if (fault === "full") throw new Error("ENOSPC: no space left on device");
    if (fault === "broken") throw new Error("EIO: i/o error");
    return fault;
  }

  #flush(node: Node): void {
    const sectors = Math.ceil(node.cached.length / SECTOR_BYTES);
    const isSame = (sector: number) => {
      const [from, to] = [sector * SECTOR_BYTES, (sector + 1) * SECTOR_BYTES];
      return Buffer.compare(node.cached.subarray(from, to), node.durable.subarray(from, to)) === 0;
    };
    try {
      this.#meet("flush");
    } catch (error) {
      if (error instanceof CrashedError) throw error;
      for (let sector = 0; sector < sectors; sector++) {
        if (!isSame(sector)) node.forgotten.add(sector);
      }
      throw error;
    }
    const durable = node.cached.slice();
    for (const sector of node.forgotten) {
      const from = sector * SECTOR_BYTES;
      durable.fill(0, from, from + SECTOR_BYTES);
      durable.set(node.durable.subarray(from, from + SECTOR_BYTES), from);
    }
    node.durable = durable;
  }

  #write(node: Node, bytes: Uint8Array, position: number): number {
    const fault = this.#meet("write");
    const isPartial = fault === "crash" || fault === "short";
    const taken = isPartial ? this.#random(bytes.length) : bytes.length;
    const end = position + taken;
    if (end > node.cached.length) {
      const larger = new Uint8Array(end);
      larger.set(node.cached);
      node.cached = larger;
    }
    node.cached.set(bytes.subarray(0, taken), position);
    const last = Math.floor((end - 1) / SECTOR_BYTES);
    for (let sector = Math.floor(position / SECTOR_BYTES); sector <= last; sector++) {
      node.forgotten.delete(sector);
    }
    if (fault === "crash") throw new CrashedError("the process is gone");
    return taken;
  }

  /** Each unflushed change of the directory has reached the disk, or has not. */
  #survivingEntries(): Map<string, Node> {
    const survivors = new Map(this.#durableEntries);
    // A rename is one change: its old and its new name are decided together.
    const keepsChanges = this.#random(2) === 1;
    return keepsChanges ? new Map(this.#entries) : survivors;
  }

  /** Each sector that was not flushed has reached the disk, or has not. */
  #losePower(node: Node): void {
    const length = this.#random(2) === 1 ? node.cached.length : node.durable.length;
    const after = new Uint8Array(Math.max(length, node.durable.length));
    after.set(node.durable);
    // All, none or some of them: a fair coin for each would hardly ever try the first two.
    const chance = this.#random(11);
    for (let from = 0; from < Math.min(after.length, node.cached.length); from += SECTOR_BYTES) {
      if (this.#random(10) >= chance) continue;
      const sector = node.cached.subarray(from, from + SECTOR_BYTES);
      after.set(sector.subarray(0, Math.min(sector.length, after.length - from)), from);
    }
    node.cached = after;
    node.durable = after.slice();
    node.forgotten.clear();
  }
}

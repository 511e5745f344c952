/**
 * Loaded into a measured server with `node --expose-gc --import`: at SIGUSR2 it collects garbage and
 * writes what is left to the file MEMORY_FILE, as JSON.
 */
import { renameSync, writeFileSync } from "node:fs";

export interface MemoryLeft {
  readonly heapMb: number;
  /** Beside the heap: buffers. */
  readonly externalMb: number;
  /** Of the whole process. */
  readonly residentMb: number;
  /** Timers, sockets, requests. */
  readonly handles: number;
}

const MB = 1_048_576;
const file = process.env.MEMORY_FILE;
if (file !== undefined) {
  process.on("SIGUSR2", () => {
    globalThis.gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    const left: MemoryLeft = {
      heapMb: heapUsed / MB,
      externalMb: external / MB,
      residentMb: rss / MB,
      handles: process.getActiveResourcesInfo().length,
    };
    writeFileSync(`${file}.new`, JSON.stringify(left));
    renameSync(`${file}.new`, file);
  });
}

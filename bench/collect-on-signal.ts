/**
 * Loaded into a measured server with `node --expose-gc --import`: at SIGUSR2 it collects garbage and
 * writes the memory still in use to the file MEMORY_FILE, as JSON.
 */
import { renameSync, writeFileSync } from "node:fs";

export interface MemoryLeft {
  readonly heapMb: number;
  /** Memory outside the heap: buffers. */
  readonly externalMb: number;
  /** Resident memory of the process. */
  readonly residentMb: number;
  /** Active handles: timers, sockets, requests. */
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

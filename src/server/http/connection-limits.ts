/**
 * How many connections are open at once. Each is an open file to the system, as the journal's are:
 * clients must never use so many that the exchange cannot open its own files, which would halt it.
 */
const CONNECTIONS_MAX = 10_000;
/**
 * Reserved for the journal, the databases, the threads, a snapshot's process and mail; some 100 are
 * used.
 */
const OWN_FILES = 512;
/** Pages and calls are answered beside the connections that stay open. */
const REACTIVE_SHARE = 0.7;
const STREAM_SHARE = 0.15;

export interface ConnectionLimits {
  /** Of all kinds, those of the reactive protocol included. */
  readonly all: number;
  readonly reactive: number;
  /** Of programs that listen to market streams. */
  readonly streams: number;
}

/** @param openFilesMax what the system allows this process; if it is low, half are connections */
export function connectionLimits(openFilesMax: number): ConnectionLimits {
  const left = Math.max(openFilesMax - OWN_FILES, Math.floor(openFilesMax / 2));
  const all = Math.min(CONNECTIONS_MAX, left);
  const streams = Math.floor(all * STREAM_SHARE);
  return { all, reactive: Math.floor(all * REACTIVE_SHARE), streams };
}

/** Infinity if the system has no limit or does not report it. Node raises its own to the maximum. */
export function openFilesMax(): number {
  // Not in Node's types yet. Without it the names of all peers are looked up.
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean };
  const { excludeNetwork } = report;
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as {
    userLimits?: { open_files?: { soft: number | "unlimited" } };
  };
  report.excludeNetwork = excludeNetwork;
  const limit = userLimits?.open_files?.soft;
  return typeof limit === "number" ? limit : Infinity;
}

/**
 * Limits on open connections. Each connection uses a file descriptor, as the journal's files do:
 * clients must never use so many that the exchange cannot open its own files, which would halt it.
 */
const CONNECTIONS_MAX = 10_000;
/**
 * File descriptors reserved for the journal, the databases, threads, a snapshot's process and mail;
 * some 100 are used.
 */
const OWN_FILES = 512;
/** Share of the connections for the reactive protocol; the others remain for pages and HTTP calls. */
const REACTIVE_SHARE = 0.7;
const STREAM_SHARE = 0.15;

export interface ConnectionLimits {
  /** All connections, those of the reactive protocol included. */
  readonly all: number;
  readonly reactive: number;
  /** WebSockets of programs that subscribe to market streams. */
  readonly streams: number;
}

/**
 * @param openFilesMax the process's limit of file descriptors; if it is low, half are for
 * connections
 */
export function connectionLimits(openFilesMax: number): ConnectionLimits {
  const left = Math.max(openFilesMax - OWN_FILES, Math.floor(openFilesMax / 2));
  const all = Math.min(CONNECTIONS_MAX, left);
  const streams = Math.floor(all * STREAM_SHARE);
  return { all, reactive: Math.floor(all * REACTIVE_SHARE), streams };
}

/**
 * The process's limit of file descriptors, which Node raises to the maximum; Infinity if there is
 * no limit or it is unknown.
 */
export function openFilesMax(): number {
  // `excludeNetwork` is missing from Node's types; without it the report looks up the host names of
  // all peers.
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

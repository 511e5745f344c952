/**
 * How often what is random is tried. `npm test` takes a share, which still finds every planted fault;
 * FULL=1 (`npm run verify` and CI) takes all, SIMULATION_RUNS a multiple of all.
 */
const multiple = process.env.SIMULATION_RUNS;
const SHARE = 0.4;

export const isFull = process.env.FULL === "1" || multiple !== undefined;

/** @param full how many it is in full */
export function runs(full: number): number {
  return isFull ? allRuns(full) : Math.max(1, Math.round(full * SHARE));
}

/** For what happens too rarely for a share to show it. */
export function allRuns(full: number): number {
  return Math.max(1, Math.round(full * Number(multiple ?? 1)));
}

/** One and the same seed, where a test counts on rare things to happen; any with SIMULATION_RUNS. */
export function fixedSeed(seed: number): { readonly seed?: number } {
  return multiple === undefined ? { seed } : {};
}

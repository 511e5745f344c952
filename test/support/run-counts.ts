/**
 * How much of the tests runs. `npm test` runs a share, which still finds every planted fault;
 * FULL=1 (`npm run verify` and CI) runs all, SIMULATION_RUNS a multiple of all.
 */
const multiple = process.env.SIMULATION_RUNS;
const SHARE = 0.4;

export const isFull = process.env.FULL === "1" || multiple !== undefined;

/** @param full the number of full runs */
export function runs(full: number): number {
  return isFull ? allRuns(full) : Math.max(1, Math.round(full * SHARE));
}

/** Of cases that differ little (widths, providers): the first and the last, or all. */
export function share<Case>(cases: readonly Case[]): readonly Case[] {
  return isFull ? cases : cases.filter((_, at) => at === 0 || at === cases.length - 1);
}

/** Every pair of the two; in a share of the tests each of `others` with one of `some`, in turn. */
export function pairs<Some, Other>(
  some: readonly Some[],
  others: readonly Other[],
): readonly (readonly [Some, Other])[] {
  return others.flatMap((other, at) => {
    const chosen = isFull ? some : [some[at % some.length]];
    return chosen.map((one) => [one, other] as const);
  });
}

/** For events too rare for a share of the runs. */
export function allRuns(full: number): number {
  return Math.max(1, Math.round(full * Number(multiple ?? 1)));
}

/** A fixed seed, if a test relies on rare events; a random one with SIMULATION_RUNS. */
export function fixedSeed(seed: number): { readonly seed?: number } {
  return multiple === undefined ? { seed } : {};
}

/**
 * Which share of the tests runs. `npm test`, as in CI, runs a share that still finds every kind of planted
 * fault; FULL=1 (`npm run verify`) runs all, SIMULATION_RUNS a multiple of all.
 */
const multiple = process.env.SIMULATION_RUNS;
const SHARE = 0.2;

export const isFull = process.env.FULL === "1" || multiple !== undefined;

/**
 * @param full number of runs when all tests run
 * @param share of them otherwise; more than usual for what is met rarely
 */
export function runs(full: number, share = SHARE): number {
  return isFull ? allRuns(full) : Math.max(1, Math.round(full * share));
}

/** For cases that differ little, such as widths or providers: the first and the last, or all. */
export function share<Case>(cases: readonly Case[]): readonly Case[] {
  return isFull ? cases : cases.filter((_, at) => at === 0 || at === cases.length - 1);
}

/** All pairs; in a share of the tests each of `others` with one of `some`, in turn. */
export function pairs<Some, Other>(
  some: readonly Some[],
  others: readonly Other[],
): readonly (readonly [Some, Other])[] {
  return others.flatMap((other, at) => {
    const chosen = isFull ? some : [some[at % some.length]];
    return chosen.map((one) => [one, other] as const);
  });
}

/** The full number of runs, for events too rare for a share. */
export function allRuns(full: number): number {
  return Math.max(1, Math.round(full * Number(multiple ?? 1)));
}

/** A fixed seed, for tests that rely on rare events; a random seed with SIMULATION_RUNS. */
export function fixedSeed(seed: number): { readonly seed?: number } {
  return multiple === undefined ? { seed } : {};
}

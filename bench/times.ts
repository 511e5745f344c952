/** Summaries of measured times. */

export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

export function timesOf(times: readonly number[]): Times {
  const sorted = Float64Array.from(times).toSorted();
  const at = (share: number) =>
    sorted.at(Math.min(sorted.length - 1, Math.floor(sorted.length * share))) ?? Number.NaN;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), longest: at(1) };
}

/** One line, in milliseconds. */
export function inWords({ count, p50, p99, longest }: Times): string {
  const [half, most, all] = [p50, p99, longest].map((ms) => ms.toFixed(1));
  return `p50 ${half}, p99 ${most}, longest ${all} ms of ${count}`;
}

/** The median, the minimum and the maximum of some measurements. */
export function spreadOf(values: readonly number[], decimals: number): string {
  const sorted = Float64Array.from(values).toSorted();
  const [middle, least, most] = [sorted[sorted.length >> 1], sorted[0], sorted.at(-1)].map(
    (value = Number.NaN) => value.toFixed(decimals),
  );
  return `${middle} (${least} to ${most})`;
}

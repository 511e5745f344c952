/** Lengths of time as administrators type them: minutes, with seconds if need be. */
const MINUTE_MS = 60_000;

/**
 * @param text such as "5", "1:30" or "0:00.250"
 * @returns milliseconds; undefined if the text is no length of time
 */
export function parseMinutes(text: string): number | undefined {
  const [, whole, seconds = "0", fraction = ""] =
    /^(\d{1,9})(?::([0-5]\d)(?:\.(\d{1,3}))?)?$/.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  return Number(whole) * MINUTE_MS + Number(seconds + fraction.padEnd(3, "0"));
}

/** The text that {@link parseMinutes} parses as these milliseconds. */
export function minutesText(ms: number): string {
  const rest = ms % MINUTE_MS;
  const whole = String((ms - rest) / MINUTE_MS);
  if (rest === 0) return whole;
  const [seconds, fraction] = [Math.trunc(rest / 1000), rest % 1000];
  const text = `${whole}:${String(seconds).padStart(2, "0")}`;
  return fraction === 0 ? text : `${text}.${String(fraction).padStart(3, "0")}`;
}

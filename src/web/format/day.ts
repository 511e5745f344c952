/** Days as users choose them, "2026-11-21", and when they begin in a time zone. */

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The text if it is a day of the calendar. */
export function readDay(given: unknown): string | undefined {
  const [, year, month, date] = DAY.exec(typeof given === "string" ? given : "") ?? [];
  if (year === undefined) return undefined;
  const utc = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)));
  return utc.toISOString().startsWith(String(given)) ? String(given) : undefined;
}

/** When a day begins, or the day `later` days after it, in milliseconds since 1970. */
export function startOfDay(day: string, timeZone: string, later = 0): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const asUtc = Date.UTC(year, month - 1, date + later);
  // The offset at the beginning of the day may differ from that at the same time in UTC.
  const guess = asUtc - offsetAt(asUtc, timeZone);
  return asUtc - offsetAt(guess, timeZone);
}

/** How far the clocks of a time zone are ahead of UTC at a moment, in milliseconds. */
function offsetAt(timeMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(timeMs);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value ?? 0);
  const local = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return local - Math.floor(timeMs / 1000) * 1000;
}

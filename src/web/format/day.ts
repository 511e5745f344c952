/** Calendar days as users choose them ("2026-11-21"), and their start in a time zone. */

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The value if it is a valid calendar day, otherwise undefined. */
export function parseDay(given: unknown): string | undefined {
  const [, year, month, date] = DAY.exec(typeof given === "string" ? given : "") ?? [];
  if (year === undefined) return undefined;
  const utc = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)));
  return utc.toISOString().startsWith(String(given)) ? String(given) : undefined;
}

/**
 * The start of a day in a time zone, in milliseconds since 1970.
 * @param later number of days to add to the day
 */
export function startOfDay(day: string, timeZone: string, later = 0): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const asUtc = Date.UTC(year, month - 1, date + later);
  // The zone's offset at the start of the day may differ from the offset at the same time in UTC.
  const guess = asUtc - offsetAt(asUtc, timeZone);
  return asUtc - offsetAt(guess, timeZone);
}

/** From the start of the first day to the end of the last; undefined where no day is given. */
export function periodOf(first: string | undefined, last: string | undefined, timeZone: string) {
  return {
    from: first === undefined ? undefined : startOfDay(first, timeZone),
    to: last === undefined ? undefined : startOfDay(last, timeZone, 1),
  };
}

/** The moment that a datetime-local input names, such as "2026-11-21T12:30", in a time zone; NaN if none. */
export function momentOf(text: string, timeZone: string): number {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return asUtc;
  const guess = asUtc - offsetAt(asUtc, timeZone);
  return asUtc - offsetAt(guess, timeZone);
}

/** A time zone's offset from UTC at a moment, in milliseconds; positive if its clocks are ahead. */
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

/**
 * Months of the Gregorian calendar in UTC. The conversions between days and dates are those of
 * Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (public domain): years begin in
 * March, so that the leap day comes last.
 */
export const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS_PER_ERA = 146_097;
/** Days from 1 March 0000 to 1 January 1970. */
const DAYS_TO_1970 = 719_468;
const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/**
 * The same day and time of day some months later, or the last day of that month if it is shorter. Times
 * in milliseconds since 1970 UTC, not before.
 */
export function addMonths(timeMs: number, months: number): number {
  const days = Math.floor(timeMs / DAY_MS);
  const { year, month, day } = dateOf(days);
  const monthCount = year * 12 + (month - 1) + months;
  const toYear = Math.floor(monthCount / 12);
  const toMonth = (monthCount % 12) + 1;
  const toDay = Math.min(day, daysOfMonth(toYear, toMonth));
  return daysOf(toYear, toMonth, toDay) * DAY_MS + (timeMs - days * DAY_MS);
}

/** Months since January 1970 UTC. */
export function monthOf(timeMs: number): number {
  const { year, month } = dateOf(Math.floor(timeMs / DAY_MS));
  return (year - 1970) * 12 + month - 1;
}

function daysOfMonth(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : DAYS_OF_MONTH[month - 1];
}

function dateOf(daysSince1970: number): { year: number; month: number; day: number } {
  const days = daysSince1970 + DAYS_TO_1970;
  const era = Math.floor(days / DAYS_PER_ERA);
  const dayOfEra = days - era * DAYS_PER_ERA;
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

function daysOf(year: number, month: number, day: number): number {
  const yearFromMarch = month <= 2 ? year - 1 : year;
  const era = Math.floor(yearFromMarch / 400);
  const yearOfEra = yearFromMarch - era * 400;
  const monthFromMarch = month > 2 ? month - 3 : month + 9;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - DAYS_TO_1970;
}

/** Computes how long a ban lasts from the form's values. */
import { momentOf } from "../../format/day.ts";

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

export const BAN_LENGTHS = [
  { value: "forever", label: "Until it is lifted" },
  { value: "hour", label: "1 hour" },
  { value: "day", label: "1 day" },
  { value: "week", label: "7 days" },
  { value: "month", label: "30 days" },
  { value: "date", label: "Until a date" },
] as const;
export type BanLength = (typeof BAN_LENGTHS)[number]["value"];

const SECONDS = {
  hour: HOUR_SECONDS,
  day: DAY_SECONDS,
  week: 7 * DAY_SECONDS,
  month: 30 * DAY_SECONDS,
} as const;

/**
 * @param until value of a datetime-local input, in `timeZone`; "" if empty
 * @returns seconds from now, null for a ban without an end, or an error message if the date is
 * invalid
 */
export function banSeconds(
  length: BanLength,
  until: string,
  nowMs: number,
  timeZone: string,
): number | null | string {
  if (length === "forever") return null;
  if (length !== "date") return SECONDS[length];
  const endMs = momentOf(until, timeZone);
  if (until === "" || Number.isNaN(endMs)) return "Choose when the ban ends";
  const seconds = Math.ceil((endMs - nowMs) / 1000);
  return seconds > 0 ? seconds : "Choose a moment in the future";
}

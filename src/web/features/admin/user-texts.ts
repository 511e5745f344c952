/** Texts about users: last sign of activity, bans and kinds of security events. */
import { formatDate, formatShortDateTime } from "../../format/time.ts";

const DAY_MS = 86_400_000;

/** "Today", "Yesterday", "12 days ago", then the date: the last use is known to the day only. */
export function lastSeenText(atMs: number | null, nowMs: number, timeZone: string): string {
  if (atMs === null) return "Never";
  const days = dayNumber(nowMs, timeZone) - dayNumber(atMs, timeZone);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  return days < 30 ? `${days} days ago` : formatDate(atMs, timeZone);
}

/** Describes a ban: "Banned until 3 Dec, 14:00:00". */
export function banText(ban: { readonly until: number | null } | null, timeZone: string): string {
  if (ban === null) return "Active";
  return ban.until === null ? "Banned" : `Banned until ${formatShortDateTime(ban.until, timeZone)}`;
}

/** Formats a kind of security event: "passwordResetAsked" → "Password reset asked". */
export function kindText(kind: string): string {
  const words = kind.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Days since 1970 in the calendar of `timeZone`. */
function dayNumber(timeMs: number, timeZone: string): number {
  const date = new Intl.DateTimeFormat("en-CA", { timeZone }).format(timeMs);
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

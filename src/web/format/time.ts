/**
 * Formats times in the viewer's format and an explicit time zone, because server and browser must
 * print the same text. {@link useTimeZone} returns the zone to pass.
 */
import { useSyncExternalStore } from "react";
import type { DateFormat } from "#contract/formats.ts";
import { currentFormats } from "./formats.ts";
import { usePreferences } from "./preferences.ts";

/** Locales with English month names; order and separators follow the date format. */
const LOCALES = { dayMonth: "en-GB", monthDay: "en-US", iso: "en-GB", dotted: "en-GB" } as const;
/** The time zone of times in server-rendered pages. */
export const SERVER_TIME_ZONE = "UTC";

const STYLES = {
  time: { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
  month: { month: "long", year: "numeric" },
  date: { day: "2-digit", month: "short", year: "numeric" },
  dateTime: {
    day: "2-digit",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  },
  shortDateTime: {
    day: "2-digit",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  },
  minute: {
    day: "2-digit",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formatters = new Map<string, Intl.DateTimeFormat>();

function format(style: keyof typeof STYLES, timeMs: number, timeZone: string): string {
  const { dates } = currentFormats();
  const key = `${dates} ${style} ${timeZone}`;
  let formatter = formatters.get(key);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat(LOCALES[dates], { ...optionsOf(style, dates), timeZone });
    formatters.set(key, formatter);
  }
  if (dates === "dayMonth" || dates === "monthDay" || style === "month") {
    return formatter.format(timeMs);
  }
  return numericDate(formatter.formatToParts(timeMs), dates);
}

function optionsOf(style: keyof typeof STYLES, dates: DateFormat): Intl.DateTimeFormatOptions {
  const options: Intl.DateTimeFormatOptions = STYLES[style];
  const isNumeric = (dates === "iso" || dates === "dotted") && style !== "month";
  return isNumeric && options.month !== undefined ? { ...options, month: "2-digit" } : options;
}

/** Joins the given parts to "2026-11-21 14:05:09" or "21.11.2026 14:05:09". */
function numericDate(parts: readonly Intl.DateTimeFormatPart[], dates: "iso" | "dotted"): string {
  const part = (type: string) => parts.find((each) => each.type === type)?.value;
  const [year, month, day] = [part("year"), part("month"), part("day")];
  const time = [part("hour"), part("minute"), part("second")].filter((each) => each !== undefined);
  const date =
    dates === "iso"
      ? [year, month, day].filter((each) => each !== undefined).join("-")
      : day === undefined
        ? ""
        : `${day}.${month}.${year ?? ""}`;
  return [date, time.join(":")].filter((text) => text !== "").join(" ");
}

/** A time of day: "14:05:09". */
export function formatTime(timeMs: number, timeZone: string): string {
  return format("time", timeMs, timeZone);
}
/** Month and year: "November 2026". */
export function formatMonth(timeMs: number, timeZone: string): string {
  return format("month", timeMs, timeZone);
}
/** A date: "21 Nov 2026". */
export function formatDate(timeMs: number, timeZone: string): string {
  return format("date", timeMs, timeZone);
}
/** Date and time: "21 Nov 2026, 14:05:09". */
export function formatDateTime(timeMs: number, timeZone: string): string {
  return format("dateTime", timeMs, timeZone);
}
/** "21 Nov, 14:05:09", for tables of recent events. */
export function formatShortDateTime(timeMs: number, timeZone: string): string {
  return format("shortDateTime", timeMs, timeZone);
}

/** "21 Nov, 14:05", for times that users choose. */
export function formatMinute(timeMs: number, timeZone: string): string {
  return format("minute", timeMs, timeZone);
}

/**
 * A duration in its two largest units: "2 d 4 h", "3 h 12 min", "45 s". A negative one prints as "0
 * s".
 */
export function formatSpan(spanMs: number): string {
  const seconds = Math.max(0, Math.floor(spanMs / 1000));
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min` : `${seconds} s`;
}

let deviceTimeZone: string | undefined;
const neverChanges = () => () => undefined;

/**
 * The time zone that the viewer chose, otherwise the device's; UTC on the server and during
 * hydration.
 */
export function useTimeZone(): string {
  const { timeZone: chosen } = usePreferences();
  const ofDevice = useSyncExternalStore(
    neverChanges,
    () => (deviceTimeZone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone),
    () => SERVER_TIME_ZONE,
  );
  return chosen ?? ofDevice;
}

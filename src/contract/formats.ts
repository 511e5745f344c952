/**
 * The viewer's formats of numbers and dates, kept in a cookie, because the server renders pages too
 * and must print the same text as the browser.
 */
export const NUMBER_FORMATS = ["commaPoint", "pointComma", "spaceComma"] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];
export const DATE_FORMATS = ["dayMonth", "monthDay", "iso", "dotted"] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

export interface Formats {
  readonly numbers: NumberFormat;
  readonly dates: DateFormat;
}

export const DEFAULT_FORMATS: Formats = { numbers: "commaPoint", dates: "dayMonth" };

const COOKIE = "openbell.formats";
const YEAR_S = 31_536_000;

/**
 * Reads the formats; the default for anything invalid.
 * @param cookies as in a request's header or `document.cookie`
 */
export function parseFormats(cookies: string): Formats {
  const [, numbers, dates] = /(?:^|;\s*)openbell\.formats=(\w+)-(\w+)(?:;|$)/.exec(cookies) ?? [];
  return {
    numbers: NUMBER_FORMATS.find((each) => each === numbers) ?? DEFAULT_FORMATS.numbers,
    dates: DATE_FORMATS.find((each) => each === dates) ?? DEFAULT_FORMATS.dates,
  };
}

/** The cookie that stores the formats, for `document.cookie`. */
export function formatsCookie({ numbers, dates }: Formats): string {
  return `${COOKIE}=${numbers}-${dates}; path=/; max-age=${YEAR_S}; samesite=lax`;
}

/**
 * The icon of a coin: the one that it was given, or its first letters in a circle, coloured by its
 * symbol. Pages need no script for it, and each page shows the same.
 */
import type { Handler } from "./handlers.ts";

const PATH = /^\/coins\/([a-z0-9]{1,16})\.svg$/;
const LETTERS_MAX = 3;
/** Font sizes that fit one, two and three letters into a circle of 32. */
const FONT_SIZES = [18, 14, 11] as const;
const SECONDS_PER_DAY = 86_400;
/** An administrator may change it. */
const ICON_SECONDS = 300;

/**
 * Answers `GET /coins/SYMBOL.svg` for coins that were given an icon; before the files.
 * @param iconOf a PNG in base 64, undefined if the coin was given none
 */
export function createCoinIcons(iconOf: (symbol: string) => string | undefined): Handler {
  return (request, response) => {
    const [path] = (request.url ?? "").split("?");
    const symbol = PATH.exec(path)?.[1];
    if (symbol === undefined || (request.method !== "GET" && request.method !== "HEAD"))
      return false;
    const icon = iconOf(symbol.toUpperCase());
    if (icon === undefined) return false;
    const bytes = Buffer.from(icon, "base64");
    response.writeHead(200, {
      "content-type": "image/png",
      "content-length": bytes.length,
      "cache-control": `public, max-age=${ICON_SECONDS}`,
    });
    response.end(request.method === "HEAD" ? undefined : bytes);
    return true;
  };
}

/** Answers `GET /coins/SYMBOL.svg`; after the files, of which some are icons. */
export const coinBadges: Handler = (request, response) => {
  const [path] = (request.url ?? "").split("?");
  const symbol = PATH.exec(path)?.[1];
  if (symbol === undefined || (request.method !== "GET" && request.method !== "HEAD")) return false;
  const svg = badgeOf(symbol);
  response.writeHead(200, {
    "content-type": "image/svg+xml",
    "content-length": Buffer.byteLength(svg),
    "cache-control": `public, max-age=${SECONDS_PER_DAY}`,
  });
  response.end(request.method === "HEAD" ? undefined : svg);
  return true;
};

/** @param symbol letters and digits alone: it becomes part of a document */
function badgeOf(symbol: string): string {
  const letters = symbol.slice(0, LETTERS_MAX).toUpperCase();
  let hue = 7;
  for (const byte of Buffer.from(symbol)) hue = (hue * 31 + byte) % 360;
  // Dark enough for white letters at 4.5:1 in every hue.
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    `<circle cx="16" cy="16" r="16" fill="hsl(${hue},45%,30%)"/>` +
    `<text x="16" y="16" dy=".36em" text-anchor="middle" fill="#fff" font-weight="600" ` +
    `font-family="system-ui,sans-serif" font-size="${FONT_SIZES[letters.length - 1]}">${letters}</text></svg>`
  );
}

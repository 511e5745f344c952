/**
 * A coin's icon: the uploaded image, or a badge with its first letters in a circle whose colour is
 * derived from the symbol. The same on every page, without a script.
 */
import type { Handler } from "./handlers.ts";

const PATH = /^\/coins\/([a-z0-9]{1,16})\.svg$/;
const LETTERS_MAX = 3;
/** Font sizes for one, two and three letters in a circle of 32 units. */
const FONT_SIZES = [18, 14, 11] as const;
const SECONDS_PER_DAY = 86_400;
/** How long browsers may cache an icon; short, because an administrator may replace it. */
const ICON_CACHE_SECONDS = 300;

/**
 * Answers `GET /coins/SYMBOL.svg` for coins with an uploaded icon; runs before the built files.
 * @param iconOf returns a PNG in base64, undefined if the coin has no uploaded icon
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
      "cache-control": `public, max-age=${ICON_CACHE_SECONDS}`,
    });
    response.end(request.method === "HEAD" ? undefined : bytes);
    return true;
  };
}

/** Answers `GET /coins/SYMBOL.svg` with a badge; runs after the built files, which include icons. */
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

/**
 * The badge as SVG.
 * @param symbol letters and digits only, because it is inserted unescaped
 */
function badgeOf(symbol: string): string {
  const letters = symbol.slice(0, LETTERS_MAX).toUpperCase();
  let hue = 7;
  for (const byte of Buffer.from(symbol)) hue = (hue * 31 + byte) % 360;
  // A background dark enough for white letters (contrast 4.5:1) in every hue.
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    `<circle cx="16" cy="16" r="16" fill="hsl(${hue},45%,30%)"/>` +
    `<text x="16" y="16" dy=".36em" text-anchor="middle" fill="#fff" font-weight="600" ` +
    `font-family="system-ui,sans-serif" font-size="${FONT_SIZES[letters.length - 1]}">${letters}</text></svg>`
  );
}

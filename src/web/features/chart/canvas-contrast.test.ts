/**
 * Texts on the canvas, which accessibility tools do not read, have a contrast of 4.5:1 with every
 * choice of colours.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const THEME = readFileSync(new URL("../../theme.css", import.meta.url), "utf8");
const SCHEMES = ["", "redGreen", "colourBlind"];

/** The theme's colours by name, with those that a choice of colours replaces. */
function coloursOf(scheme: string): ReadonlyMap<string, string> {
  const chosen = new RegExp(`html\\[data-colours="${scheme}"\\] \\{([^}]*)\\}`).exec(THEME)?.[1];
  const read = (css: string) =>
    [...css.matchAll(/--color-([\w-]+): (#[0-9a-f]{6});/g)].map(
      ([, name = "", value = ""]) => [name, value] as const,
    );
  const [theme = ""] = THEME.split("@layer base");
  return new Map([...read(theme), ...read(chosen ?? "")]);
}

/** Relative luminance by WCAG 2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

/** Names of chart-styles.ts: texts, each with its background. */
const TEXTS: readonly (readonly [text: string, background: string])[] = [
  // Axes, legends, highest and lowest price, values of candles and indicators.
  ...["faint", "muted", "text", "buy", "sell", "warn", "accent", "share-2"].map(
    (text) => [text, "surface"] as const,
  ),
  // The last price, the countdown to the candle's close.
  ...["buy", "sell", "muted"].map((background) => ["page", background] as const),
  // The crosshair's labels, names of drawings.
  ["text", "line-strong"],
  ["text", "page"],
];

test.each(SCHEMES)("with the colours %o", (scheme) => {
  const colours = coloursOf(scheme);
  const poor = TEXTS.filter(([text, background]) => {
    const [one, other] = [colours.get(text), colours.get(background)];
    return one === undefined || other === undefined || contrast(one, other) < 4.5;
  });
  expect(poor).toEqual([]);
});

/**
 * The points of a curve as an SVG path over the full width, with `inset` units kept free above and
 * below. Equal values draw a line through the middle.
 * @param shares each value's position as a share of the width; evenly spaced by default
 */
export function linePath(
  values: readonly number[],
  width: number,
  height: number,
  inset: number,
  shares?: readonly number[],
): string {
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const step = width / Math.max(1, values.length - 1);
  return values
    .map((value, index) => {
      const share = span === 0 ? 0.5 : (value - low) / span;
      const y = height - inset - share * (height - 2 * inset);
      return `${index === 0 ? "M" : "L"}${round(shares === undefined ? index * step : (shares[index] ?? 0) * width)} ${round(y)}`;
    })
    .join("");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/**
 * The SVG path of a line chart over the full width, with `inset` units left free above and below.
 * If all values are equal, the line is in the middle.
 * @param shares each value's horizontal position as a share of the width; evenly spaced by default
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

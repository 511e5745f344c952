import { SEPARATORS } from "./decimal-text.ts";
import { currentFormats } from "./formats.ts";

/**
 * Reformats the numbers in a sentence from the server, such as "Bought 0.5 BTC at 64,000.00", in
 * the viewer's format.
 */
export function formatNumbersIn(sentence: string): string {
  const { thousands, point } = SEPARATORS[currentFormats().numbers];
  if (point === ".") return sentence;
  return sentence.replace(
    /(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?!\w|[.,]\d)/g,
    (_, whole: string, fraction?: string) =>
      whole.replaceAll(",", thousands) + (fraction === undefined ? "" : point + fraction.slice(1)),
  );
}

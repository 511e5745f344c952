/** Types of settings shared by several areas. */
import { z } from "zod";

export const flag = z.enum(["on", "off"]).transform((value) => value === "on");

export function wholeNumber(minimum: number, maximum: number) {
  const sentence = `must be a whole number from ${minimum} to ${maximum}`;
  return z.coerce.number(sentence).int(sentence).min(minimum, sentence).max(maximum, sentence);
}

/** The comma-separated items of a text. */
export function commaSeparated(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

import type { Decimal } from "#contract/types.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { TEXT_LENGTH_MAX, unitsOf } from "./summary.ts";
import type { TicketField } from "./ticket-state.ts";

export interface TicketError {
  readonly field: TicketField;
  readonly message: string;
}

/** Why the text is not a valid number for its field; null if it is. */
export function numberProblem(
  name: string,
  text: string,
  step: Decimal,
  decimals: number,
  coin: string,
): string | null {
  if (text === "") return `${name} is missing.`;
  if (!/^-?\d*\.?\d*$/.test(text) || !/\d/.test(text)) return `${name} is not a number.`;
  if (text.startsWith("-") || !/[1-9]/.test(text)) return `${name} must be more than zero.`;
  const stepText = `${formatExact(step)} ${coin}`;
  const units = unitsOf(text, decimals);
  const stepUnits = unitsOf(step, decimals) ?? 1n;
  if (units === null) {
    return text.length > TEXT_LENGTH_MAX
      ? `${name} is too long.`
      : `${name} must be a multiple of ${stepText}.`;
  }
  return units % stepUnits === 0n ? null : `${name} must be a multiple of ${stepText}.`;
}

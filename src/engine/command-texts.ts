/** Validates the texts in administrators' commands: bounded, and never empty. */
import type { Decision } from "./commands.ts";

const IDENTITY_LENGTH_MAX = 64;
const REASON_LENGTH_MAX = 200;

/** Whether a text can be an administrator's id. */
export function isIdentity(value: string): boolean {
  return isTextUpTo(value, IDENTITY_LENGTH_MAX);
}

export function isReason(value: string): boolean {
  return isTextUpTo(value, REASON_LENGTH_MAX);
}

export function isDecision(value: unknown): value is Decision {
  if (typeof value !== "object" || value === null) return false;
  const { byAdmin, reason } = value as Decision;
  return isIdentity(byAdmin) && isReason(reason);
}

/** Whether a change that needs no decision has none or a valid one. */
export function isDecisionOrNone(value: unknown): value is Decision | undefined {
  return value === undefined || isDecision(value);
}

/** The decision as a field of the change's event; no field if there is none. */
export function decisionIn(decision: Decision | undefined): { readonly decision?: Decision } {
  if (decision === undefined) return {};
  const { byAdmin, reason } = decision;
  return { decision: { byAdmin, reason } };
}

/** Whether a value is a text that is not blank and has at most `lengthMax` characters. */
export function isTextUpTo(value: unknown, lengthMax: number): boolean {
  return typeof value === "string" && value.trim() !== "" && value.length <= lengthMax;
}

/** Texts that administrators' commands carry: bounded, and never empty. */
const IDENTITY_LENGTH_MAX = 64;
const REASON_LENGTH_MAX = 200;

/** The administrator who acts, as the server names them. */
export function isIdentity(value: string): boolean {
  return isTextOf(value, IDENTITY_LENGTH_MAX);
}

export function isReason(value: string): boolean {
  return isTextOf(value, REASON_LENGTH_MAX);
}

function isTextOf(value: unknown, lengthMax: number): boolean {
  return typeof value === "string" && value.trim() !== "" && value.length <= lengthMax;
}

/** An authenticator app: stores the secret of an otpauth address and shows codes. */
import { timeCode, STEP_MS } from "#server/accounts/second-factor/time-codes.ts";

const BASE_32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export interface AuthenticatorApp {
  readonly issuer: string | null;
  /** The current code, or the code a number of 30-second steps later. */
  code(stepsLater?: number): string;
}

/** @param address as in the QR code: otpauth://totp/… */
export function scan(address: string): AuthenticatorApp {
  const url = new URL(address);
  const secret = decode(url.searchParams.get("secret") ?? "");
  return {
    issuer: url.searchParams.get("issuer"),
    code: (stepsLater = 0) => timeCode(secret, Math.floor(Date.now() / STEP_MS) + stepsLater),
  };
}

function decode(text: string): string {
  let bits = "";
  for (const letter of text) bits += BASE_32.indexOf(letter).toString(2).padStart(5, "0");
  const bytes = bits.match(/.{8}/g) ?? [];
  return bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join("");
}

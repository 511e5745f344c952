/**
 * Codes of authenticator apps (RFC 6238): six digits, HMAC-SHA-1, a new code every 30 seconds. The
 * authentication library checks the code; this module finds its time step, so that no code works
 * twice.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

export const STEP_MS = 30_000;
const DIGITS = 6;
/** Clocks may differ by one step in either direction. */
const STEPS_APART_MAX = 1;

/** @param secret its bytes are the key, not decoded from the base 32 that apps use */
export function timeCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const offset = digest[digest.length - 1] & 15;
  const number = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** The time step of the code; null if the code is wrong. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const now = Math.floor(nowMs / STEP_MS);
  let found: number | null = null;
  for (let step = now - STEPS_APART_MAX; step <= now + STEPS_APART_MAX; step += 1) {
    if (timingSafeEqual(Buffer.from(code), Buffer.from(timeCode(secret, step)))) found = step;
  }
  return found;
}

/**
 * Parses Ed25519 public keys (RFC 8032) as users paste them: as PEM (SPKI, RFC 8410), as the same
 * in base 64 without the PEM header and footer, or as only the 32 bytes in base 64.
 */
import { createPublicKey, type KeyObject } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";

/** The bytes before the key in an SPKI structure. */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");
const KEY_BYTES = 32;
/** The longest PEM, with room for line breaks. */
const TEXT_LENGTH_MAX = 500;

/** The message tells the user why the key's text is invalid. */
export class PublicKeyError extends Error {
  override readonly name = "PublicKeyError";
}

/**
 * @returns the 32 bytes in base 64
 * @throws PublicKeyError unless the key is a point of the curve that can have a private key
 */
export function parsePublicKey(text: string): string {
  if (text.includes("PRIVATE KEY")) {
    throw new PublicKeyError(
      "This is a private key, which no one else may see. Make a new pair, and paste its public key.",
    );
  }
  const bytes = bytesOf(text);
  if (bytes === undefined) {
    throw new PublicKeyError(
      "This is not an Ed25519 public key as PEM, or as 32 bytes in base 64.",
    );
  }
  if (!isPointOfFullOrder(bytes)) {
    throw new PublicKeyError(
      "This is not a valid Ed25519 public key: no private key belongs to it.",
    );
  }
  return bytes.toString("base64");
}

/** @param stored a result of `parsePublicKey` */
export function publicKeyOf(stored: string): KeyObject {
  const der = Buffer.concat([SPKI_PREFIX, Buffer.from(stored, "base64")]);
  return createPublicKey({ key: der, format: "der", type: "spki" });
}

function bytesOf(text: string): Buffer | undefined {
  if (text.length > TEXT_LENGTH_MAX) return undefined;
  const framed = /^-----BEGIN PUBLIC KEY-----([^-]+)-----END PUBLIC KEY-----$/.exec(text.trim());
  const base64 = (framed?.[1] ?? text).replaceAll(/\s/g, "");
  const bytes = Buffer.from(base64, "base64");
  // Node's decoder skips characters that are not base 64.
  if (bytes.toString("base64") !== base64) return undefined;
  if (framed === null && bytes.length === KEY_BYTES) return bytes;
  const isSpki =
    bytes.length === SPKI_PREFIX.length + KEY_BYTES &&
    bytes.subarray(0, SPKI_PREFIX.length).equals(SPKI_PREFIX);
  return isSpki ? bytes.subarray(SPKI_PREFIX.length) : undefined;
}

/** False for a point of small order, for which anyone can sign. */
function isPointOfFullOrder(bytes: Buffer): boolean {
  try {
    const point = ed25519.Point.fromBytes(new Uint8Array(bytes));
    return !point.isSmallOrder() && point.isTorsionFree();
  } catch {
    return false;
  }
}

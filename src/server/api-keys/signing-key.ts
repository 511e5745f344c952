/**
 * Verifies the signatures of one key. The UTF-8 bytes of the payload are signed: with HMAC-SHA256
 * (RFC 2104), sent in hexadecimal of either case, or with Ed25519, sent in base 64.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual, verify } from "node:crypto";
import { publicKeyOf } from "./ed25519-public-key.ts";

export type SigningKey = (payload: string, signature: string) => boolean;

const SIGNATURE_BYTES = 64;

const HMAC_BYTES = 32;
/** Kept for all keys, because new ones cost a quarter of a verification. */
const expected = Buffer.alloc(HMAC_BYTES);
const given = Buffer.alloc(HMAC_BYTES);

export function hmacKey(secret: string): SigningKey {
  const key: KeyObject = createSecretKey(Buffer.from(secret, "utf8"));
  return (payload, signature) => {
    if (!/^[\da-f]{64}$/i.test(signature)) return false;
    // As text, because Node takes a third longer to make a buffer.
    expected.write(createHmac("sha256", key).update(payload, "utf8").digest("latin1"), "latin1");
    given.write(signature, "hex");
    return timingSafeEqual(expected, given);
  };
}

/** @param stored a result of `parsePublicKey` */
export function ed25519Key(stored: string): SigningKey {
  const key = publicKeyOf(stored);
  return (payload, signature) => {
    if (signature.length > 2 * SIGNATURE_BYTES) return false;
    const bytes = Buffer.from(signature, "base64");
    if (bytes.length !== SIGNATURE_BYTES || bytes.toString("base64") !== signature) return false;
    return verify(null, Buffer.from(payload, "utf8"), key, bytes);
  };
}

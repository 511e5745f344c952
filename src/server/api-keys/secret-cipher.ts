/**
 * Encrypts the secrets of HMAC keys at rest: AES-256-GCM with a key derived from AUTH_SECRET (HKDF,
 * RFC 5869) for this purpose only. Each secret is bound to its API key, so that it cannot be moved
 * to another key's row.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Names the purpose and the format version, with which stored texts begin. */
const PURPOSE = "openbell/api-key-secrets/1";
const FORMAT = "1.";
const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export class SecretCipher {
  readonly #key: Uint8Array;

  constructor(authSecret: string) {
    this.#key = new Uint8Array(hkdfSync("sha256", authSecret, "", PURPOSE, 32));
  }

  encrypt(secret: string, apiKey: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce);
    cipher.setAAD(Buffer.from(apiKey));
    const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return FORMAT + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url");
  }

  /**
   * Undefined if the secret was encrypted with another AUTH_SECRET or for another key, or has been
   * altered.
   */
  decrypt(stored: string, apiKey: string): string | undefined {
    if (!stored.startsWith(FORMAT)) return undefined;
    const bytes = Buffer.from(stored.slice(FORMAT.length), "base64url");
    if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, this.#key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(apiKey));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    try {
      return Buffer.concat([text, decipher.final()]).toString("utf8");
    } catch {
      return undefined;
    }
  }
}

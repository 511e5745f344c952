/** Why a request's API key is refused. */

export type KeyRefusalReason =
  /** The key is not 64 letters and digits. */
  | "malformed"
  /** No such key, or it was revoked, or its owner is banned or deleted. */
  | "unknown"
  | "expired"
  /** The request's address is outside the key's ranges. */
  | "address"
  /** AUTH_SECRET has changed since the key was created, so its secret cannot be decrypted. */
  | "secretChanged";

const REASON_TEXTS: Readonly<Record<KeyRefusalReason, string>> = {
  malformed: "The API key is not one: keys have 64 letters and digits.",
  unknown: "There is no such API key, or it was revoked.",
  expired: "The API key has expired.",
  address: "The API key may not be used from this address.",
  secretChanged:
    "The server's secret has changed since the API key was made: revoke it and make another.",
};

export class ApiKeyRefusedError extends Error {
  override readonly name = "ApiKeyRefusedError";
  readonly reason: KeyRefusalReason;

  constructor(reason: KeyRefusalReason) {
    super(REASON_TEXTS[reason]);
    this.reason = reason;
  }
}

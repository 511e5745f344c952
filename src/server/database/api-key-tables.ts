/** Keys with which programs act for users; see api-keys/key-store.ts. */

export interface ApiKeysTable {
  id: string;
  user_id: string;
  name: string;
  /** What a program sends to say which key it uses; not a secret. */
  api_key: string;
  kind: "hmac" | "ed25519";
  /** Encrypted, of an HMAC key; see api-keys/secret-cipher.ts. */
  secret: string | null;
  /** The 32 bytes of an Ed25519 key, in base 64. */
  public_key: string | null;
  /** As a JSON array. */
  permissions: string;
  /** As a JSON array; empty if the key may be used from anywhere. */
  address_ranges: string;
  created_at_ms: number;
  /** null if it never expires. */
  expires_at_ms: number | null;
  last_used_at_ms: number | null;
  last_used_address: string | null;
}

export interface ApiKeyTables {
  api_keys: ApiKeysTable;
}

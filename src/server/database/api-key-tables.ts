/** API keys, with which programs act for users; see api-keys/key-store.ts. */

export interface ApiKeysTable {
  id: string;
  user_id: string;
  name: string;
  /** Identifies the key in a program's requests; not a secret. */
  api_key: string;
  kind: "hmac" | "ed25519";
  /** The secret of an HMAC key, encrypted; see api-keys/secret-cipher.ts. */
  secret: string | null;
  /** The 32 bytes of an Ed25519 key, in base 64. */
  public_key: string | null;
  /** A JSON array of permissions. */
  permissions: string;
  /** A JSON array of addresses and ranges; empty if the key may be used from anywhere. */
  address_ranges: string;
  created_at_ms: number;
  /** When the key expires; null if never. */
  expires_at_ms: number | null;
  last_used_at_ms: number | null;
  last_used_address: string | null;
}

export interface ApiKeyTables {
  api_keys: ApiKeysTable;
}

/** API keys, with which programs act for their owner, as the owner sees them. */

import type { ActiveKeyFaults } from "./key-faults.ts";

/** Reading is part of every key. No key can be permitted to withdraw yet. */
export const API_KEY_PERMISSIONS = ["read", "trade"] as const;
export type ApiKeyPermission = (typeof API_KEY_PERMISSIONS)[number];

export const API_KEY_KINDS = ["hmac", "ed25519"] as const;
export type ApiKeyKind = (typeof API_KEY_KINDS)[number];

/** How many addresses and ranges one key may be limited to. */
export const API_KEY_RANGES_MAX = 30;
export const API_KEY_NAME_LENGTH_MAX = 60;

export interface ApiKey {
  keyId: string;
  name: string;
  /** Identifies the key in a program's requests; not a secret. */
  apiKey: string;
  kind: ApiKeyKind;
  permissions: readonly ApiKeyPermission[];
  /** Addresses and CIDR ranges from which the key may be used; empty for any address. */
  addressRanges: readonly string[];
  createdAt: number;
  /** When the key expires; null if never. */
  expiresAt: number | null;
  /** The last use, at most a minute and some seconds out of date; null if never used. */
  lastUse: { at: number; address: string } | null;
  /** The faults that the key's traffic suffers; null if none. */
  faults: ActiveKeyFaults | null;
  /**
   * False if the server's secret has changed since the key was created: the key is refused, and a new
   * one must be created.
   */
  readable: boolean;
}

export interface ApiKeys {
  /** The caller's keys, newest first. */
  keys: ApiKey[];
  /** How many keys one user may have. */
  keysMax: number;
}

export interface CreatedApiKey {
  key: ApiKey;
  /** The secret of an HMAC key, contained in this answer alone; null for an Ed25519 key. */
  secret: string | null;
}

/** Keys with which programs act for their owner, as the owner sees them. */

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
  /** What a program sends with its requests; not a secret. */
  apiKey: string;
  kind: ApiKeyKind;
  permissions: readonly ApiKeyPermission[];
  /** Addresses and CIDR ranges; empty if it may be used from anywhere. */
  addressRanges: readonly string[];
  createdAt: number;
  /** null if it never expires. */
  expiresAt: number | null;
  /** null if it was never used. At most a minute and some seconds old. */
  lastUse: { at: number; address: string } | null;
  /** What its traffic suffers; null if nothing. */
  faults: ActiveKeyFaults | null;
  /** False if the server's secret is another one since: the key is refused, and must be made anew. */
  readable: boolean;
}

export interface ApiKeys {
  /** Newest first. */
  keys: ApiKey[];
  /** How many one user may have. */
  keysMax: number;
}

export interface CreatedApiKey {
  key: ApiKey;
  /** Of an HMAC key: this answer alone has it. */
  secret: string | null;
}

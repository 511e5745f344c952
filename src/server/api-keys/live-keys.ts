/**
 * The keys that programs are currently using, ready to verify requests; all other keys are only in
 * the database.
 */
import type { AddressRanges } from "./address-ranges.ts";
import type { ApiKeyRecord } from "./key-store.ts";
import type { SigningKey } from "./signing-key.ts";

const KEYS_MAX = 20_000;

export interface LiveKey {
  readonly record: ApiKeyRecord;
  readonly ranges: AddressRanges;
  /** Undefined if AUTH_SECRET has changed since the key was created. */
  readonly signingKey: SigningKey | undefined;
  /** Networks from which the key has signed requests since it was loaded, the last ones at the end. */
  readonly signedFrom: Set<string>;
}

export class LiveKeys {
  readonly #byApiKey = new Map<string, LiveKey>();
  readonly #byId = new Map<string, LiveKey>();

  find(apiKey: string): LiveKey | undefined {
    return this.#byApiKey.get(apiKey);
  }

  /** Finds the key of a request, which is then the last to be dropped. */
  use(apiKey: string): LiveKey | undefined {
    const live = this.#byApiKey.get(apiKey);
    if (live === undefined) return undefined;
    // The most recently used keys are at the end.
    this.#byApiKey.delete(apiKey);
    this.#byApiKey.set(apiKey, live);
    return live;
  }

  byId(keyId: string): LiveKey | undefined {
    return this.#byId.get(keyId);
  }

  all(): LiveKey[] {
    return [...this.#byApiKey.values()];
  }

  /** @returns the least recently used key, if it was dropped to make room */
  add(live: LiveKey): LiveKey | undefined {
    this.#byApiKey.set(live.record.apiKey, live);
    this.#byId.set(live.record.id, live);
    if (this.#byApiKey.size <= KEYS_MAX) return undefined;
    const [oldest] = this.#byApiKey.values();
    return oldest;
  }

  /** Returns false if the key had already been removed or replaced. */
  remove(live: LiveKey): boolean {
    const { apiKey, id } = live.record;
    if (this.#byId.get(id) !== live) return false;
    this.#byApiKey.delete(apiKey);
    this.#byId.delete(id);
    return true;
  }
}

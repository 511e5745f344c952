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
  readonly #keysMax: number;
  readonly #byApiKey = new Map<string, LiveKey>();
  readonly #byId = new Map<string, LiveKey>();
  /** The keys of each user, the most recently used at the end. */
  readonly #byUser = new Map<string, Set<LiveKey>>();
  /** Users by how many keys they have here, those whose keys were used most recently at the end. */
  readonly #usersByCount = new Map<number, Set<string>>();

  constructor(keysMax = KEYS_MAX) {
    this.#keysMax = keysMax;
  }

  find(apiKey: string): LiveKey | undefined {
    return this.#byApiKey.get(apiKey);
  }

  /** Finds the key of a request, which is then the last of its user's to be dropped. */
  use(apiKey: string): LiveKey | undefined {
    const live = this.#byApiKey.get(apiKey);
    if (live === undefined) return undefined;
    const { userId } = live.record;
    const own = this.#byUser.get(userId);
    if (own !== undefined) moveToEnd(own, live);
    const users = this.#usersByCount.get(own?.size ?? 0);
    if (users !== undefined) moveToEnd(users, userId);
    return live;
  }

  byId(keyId: string): LiveKey | undefined {
    return this.#byId.get(keyId);
  }

  all(): LiveKey[] {
    return [...this.#byApiKey.values()];
  }

  /**
   * @returns the key that has to make room: of a user with most keys the least recently used, so that
   * someone with very many keys displaces no one else's
   */
  add(live: LiveKey): LiveKey | undefined {
    this.#byApiKey.set(live.record.apiKey, live);
    this.#byId.set(live.record.id, live);
    this.#joinUser(live);
    if (this.#byApiKey.size <= this.#keysMax) return undefined;
    const [userId] = this.#usersByCount.get(Math.max(...this.#usersByCount.keys())) ?? [];
    const [oldest] = this.#byUser.get(userId) ?? [];
    return oldest;
  }

  /** Returns false if the key had already been removed or replaced. */
  remove(live: LiveKey): boolean {
    const { apiKey, id } = live.record;
    if (this.#byId.get(id) !== live) return false;
    this.#byApiKey.delete(apiKey);
    this.#byId.delete(id);
    this.#leaveUser(live);
    return true;
  }

  #joinUser(live: LiveKey): void {
    const { userId } = live.record;
    const own = this.#byUser.get(userId) ?? new Set();
    own.add(live);
    this.#byUser.set(userId, own);
    this.#count(userId, own.size - 1, own.size);
  }

  #leaveUser(live: LiveKey): void {
    const { userId } = live.record;
    const own = this.#byUser.get(userId);
    if (own?.delete(live) !== true) return;
    if (own.size === 0) this.#byUser.delete(userId);
    this.#count(userId, own.size + 1, own.size);
  }

  #count(userId: string, before: number, after: number): void {
    const left = this.#usersByCount.get(before);
    left?.delete(userId);
    if (left?.size === 0) this.#usersByCount.delete(before);
    if (after === 0) return;
    const joined = this.#usersByCount.get(after) ?? new Set();
    joined.add(userId);
    this.#usersByCount.set(after, joined);
  }
}

function moveToEnd<Item>(items: Set<Item>, item: Item): void {
  items.delete(item);
  items.add(item);
}

/**
 * Looks up and verifies the keys of requests. Keys in use are in memory. A key that stops being
 * valid is refused from that moment on, and connections opened with it are notified. Changes by
 * this process take effect at once, those by others (the command line) at the next check.
 */
import type { ApiKeyKind, ApiKeyPermission } from "#contract/api-keys.ts";
import { clientKeyOf, networkOf } from "../limits/client-key.ts";
import { FairQueue } from "../limits/fair-queue.ts";
import { AddressRanges } from "./address-ranges.ts";
import { ApiKeyRefusedError } from "./key-refusal.ts";
import type { ApiKeyRecord, KeyStore } from "./key-store.ts";
import { type LiveKey, LiveKeys } from "./live-keys.ts";
import type { SigningKey } from "./signing-key.ts";

const API_KEY = /^[A-Za-z0-9]{64}$/;
/** Networks remembered per key. */
const SIGNED_FROM_MAX = 4;

/** Reads of keys that are not in memory: anyone may send any number of invented keys. */
const LOAD_LIMITS = {
  what: "look-ups of keys",
  underWay: 4,
  underWayPerClient: 1,
  waiting: 1_000,
  waitingPerClient: 64,
} as const;

/** The permissions of a program, by the key that it sent. */
export interface ApiKeyGrant {
  readonly keyId: string;
  readonly userId: string;
  /** The owner's ledger account. */
  readonly account: number;
  readonly permissions: readonly ApiKeyPermission[];
  readonly kind: ApiKeyKind;
}

interface KeyGateOptions {
  readonly store: Pick<KeyStore, "find" | "usable">;
  /** Undefined if AUTH_SECRET has changed since the key was created. */
  readonly signingKeyOf: (record: ApiKeyRecord) => SigningKey | undefined;
  /** The owner's ledger account; undefined if there is none yet. */
  readonly accountOf: (userId: string) => number | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
}

export class KeyGate {
  readonly #options: KeyGateOptions;
  readonly #live = new LiveKeys();
  readonly #listeners = new Set<(keyId: string) => void>();
  readonly #loads = new FairQueue(LOAD_LIMITS);
  /** Incremented by every change that may make a record stale while it is being read. */
  #changes = 0;

  constructor(options: KeyGateOptions) {
    this.#options = options;
  }

  /** @throws ApiKeyRefusedError; QueueFullError if too many keys are being looked up */
  async find(apiKey: string, address: string): Promise<ApiKeyGrant> {
    const known = this.findInUse(apiKey, address);
    if (known !== undefined) return known;
    const client = clientKeyOf(undefined, address);
    const live = await this.#loads.run(client, () => this.#load(apiKey));
    if (live === undefined) throw new ApiKeyRefusedError("unknown");
    return this.#grantOf(live, address);
  }

  /** Like `find`, at once: undefined if the key has to be looked up. @throws ApiKeyRefusedError */
  findInUse(apiKey: string, address: string): ApiKeyGrant | undefined {
    if (!API_KEY.test(apiKey)) throw new ApiKeyRefusedError("malformed");
    const live = this.#live.use(apiKey);
    return live && this.#grantOf(live, address);
  }

  /** @throws ApiKeyRefusedError */
  #grantOf(live: LiveKey, address: string): ApiKeyGrant {
    if (this.#hasExpired(live)) throw new ApiKeyRefusedError("expired");
    if (live.signingKey === undefined) throw new ApiKeyRefusedError("secretChanged");
    if (!live.ranges.allow(address)) throw new ApiKeyRefusedError("address");
    const { id: keyId, kind, permissions, userId } = live.record;
    const account = this.#options.accountOf(userId);
    if (account === undefined) throw new ApiKeyRefusedError("unknown");
    return { keyId, userId, account, permissions, kind };
  }

  verify(apiKey: string, payload: string, signature: string): boolean {
    const live = this.#live.find(apiKey);
    return live?.signingKey?.(payload, signature) === true;
  }

  isLive(keyId: string): boolean {
    const live = this.#live.byId(keyId);
    return live !== undefined && !this.#hasExpired(live);
  }

  /** Whether a key in use may be used from this address. */
  allows(keyId: string, address: string): boolean {
    return this.#live.byId(keyId)?.ranges.allow(address) === true;
  }

  /** Notes that the key has signed a request from this address. */
  noteSigned(keyId: string, address: string): void {
    const signedFrom = this.#live.byId(keyId)?.signedFrom;
    if (signedFrom === undefined) return;
    const network = networkOf(address);
    signedFrom.delete(network);
    signedFrom.add(network);
    if (signedFrom.size <= SIGNED_FROM_MAX) return;
    const [oldest = ""] = signedFrom;
    signedFrom.delete(oldest);
  }

  /** The id of a key in use that has signed requests from this address; else undefined. */
  signerAt(apiKey: string, address: string): string | undefined {
    const live = this.#live.find(apiKey);
    return live?.signedFrom.has(networkOf(address)) === true ? live.record.id : undefined;
  }

  /** The record of a key in use. */
  recordOf(keyId: string): ApiKeyRecord | undefined {
    return this.#live.byId(keyId)?.record;
  }

  onStopped(listener: (keyId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Must be called when a key has been changed or removed in the database. */
  stop(keyId: string): void {
    this.#changes += 1;
    const live = this.#live.byId(keyId);
    if (live !== undefined) this.#stop(live);
  }

  stopAllOf(userId: string): void {
    this.#changes += 1;
    for (const live of this.#live.all()) if (live.record.userId === userId) this.#stop(live);
  }

  /**
   * Stops keys that have expired, and keys that another process has changed or whose owners it has.
   * @param userId of one user's keys alone
   */
  async check(userId?: string): Promise<void> {
    // A key that is being read may be stale.
    if (userId !== undefined) this.#changes += 1;
    const lives = this.#live
      .all()
      .filter(({ record }) => userId === undefined || record.userId === userId);
    for (const live of lives) if (this.#hasExpired(live)) this.#stop(live);
    const usable = await this.#options.store.usable(lives.map(({ record }) => record.id));
    for (const live of lives) {
      const record = usable.get(live.record.id);
      if (record !== undefined && haveSameTerms(record, live.record)) continue;
      this.#changes += 1;
      this.#stop(live);
    }
  }

  async #load(apiKey: string): Promise<LiveKey | undefined> {
    // Another request may have loaded the key while this one waited.
    const loaded = this.#live.find(apiKey);
    if (loaded !== undefined) return loaded;
    let record: ApiKeyRecord | undefined;
    let changes: number;
    do {
      changes = this.#changes;
      record = await this.#options.store.find(apiKey);
    } while (changes !== this.#changes);
    // Check again: another request may have loaded the key while the store was read.
    const known = this.#live.find(apiKey);
    if (record === undefined || known !== undefined) return known;
    const live: LiveKey = {
      record,
      ranges: new AddressRanges(record.addressRanges),
      signingKey: this.#options.signingKeyOf(record),
      // Also before the server's last start.
      signedFrom: new Set(record.lastUse === null ? [] : [networkOf(record.lastUse.address)]),
    };
    const displaced = this.#live.add(live);
    // A displaced key is no longer checked, so its connections must end now.
    if (displaced !== undefined) this.#stop(displaced);
    return live;
  }

  #hasExpired({ record: { expiresAtMs } }: LiveKey): boolean {
    return expiresAtMs !== null && expiresAtMs <= this.#options.now();
  }

  #stop(live: LiveKey): void {
    if (!this.#live.remove(live)) return;
    for (const listener of this.#listeners) listener(live.record.id);
  }
}

function haveSameTerms(left: ApiKeyRecord, right: ApiKeyRecord): boolean {
  const termsOf = ({ addressRanges, expiresAtMs, permissions }: ApiKeyRecord) =>
    JSON.stringify([addressRanges, expiresAtMs, permissions]);
  return termsOf(left) === termsOf(right);
}

/**
 * The faults of API keys, kept in memory: they end at their time, with their key and with the
 * process, so that none can be forgotten.
 */
import { randomInt } from "node:crypto";
import {
  type ActiveKeyFaults,
  KEY_FAULT_NAMES,
  type KeyFaultName,
  type KeyFaults,
} from "#contract/key-faults.ts";
import type { ApiKeyRecord } from "./key-store.ts";

type Key = Pick<ApiKeyRecord, "apiKey" | "id" | "userId">;

/** Within the bounds of `KEY_FAULTS`; absent faults are off. */
interface WantedFaults {
  readonly faults: { readonly [Name in KeyFaultName]?: number | undefined };
  readonly seconds: number;
  /** Random if absent. */
  readonly seed?: number | undefined;
}

interface Entry {
  readonly key: Key;
  readonly active: ActiveKeyFaults;
  readonly timer: NodeJS.Timeout;
}

export class KeyFaultSettings {
  readonly #onChange: (userId: string) => void;
  readonly #now: () => number;
  readonly #byId = new Map<string, Entry>();
  readonly #byApiKey = new Map<string, ActiveKeyFaults>();

  /**
   * @param onChange called when the faults of a user's keys have changed
   * @param now milliseconds since 1970 UTC
   */
  constructor(onChange: (userId: string) => void, now: () => number) {
    this.#onChange = onChange;
    this.#now = now;
  }

  /** Replaces the faults of a key; all zero ends them. @returns the key's new faults */
  set(key: Key, { faults, seconds, seed }: WantedFaults): ActiveKeyFaults | undefined {
    const all = Object.fromEntries(KEY_FAULT_NAMES.map((name) => [name, faults[name] ?? 0]));
    if (Object.values(all).every((value) => value === 0)) {
      this.clear(key.id);
      return undefined;
    }
    const active: ActiveKeyFaults = {
      faults: all as KeyFaults,
      seed: seed ?? randomInt(2 ** 32),
      endsAt: this.#now() + seconds * 1_000,
    };
    this.#remove(key.id);
    const timer = setTimeout(() => this.clear(key.id), seconds * 1_000).unref();
    this.#byId.set(key.id, { key, active, timer });
    this.#byApiKey.set(key.apiKey, active);
    this.#onChange(key.userId);
    return active;
  }

  clear(keyId: string): void {
    const removed = this.#remove(keyId);
    if (removed !== undefined) this.#onChange(removed.key.userId);
  }

  clearAllOf(userId: string): void {
    for (const { key } of this.#byId.values()) if (key.userId === userId) this.clear(key.id);
  }

  /** Undefined if the key has no faults. Returns the same object until the faults change. */
  of(keyId: string): ActiveKeyFaults | undefined {
    return this.#byId.get(keyId)?.active;
  }

  /** @param apiKey the key named by a request or a connection, not verified */
  ofNamed(apiKey: string): ActiveKeyFaults | undefined {
    return this.#byApiKey.get(apiKey);
  }

  #remove(keyId: string): Entry | undefined {
    const entry = this.#byId.get(keyId);
    if (entry === undefined) return undefined;
    clearTimeout(entry.timer);
    this.#byId.delete(keyId);
    this.#byApiKey.delete(entry.key.apiKey);
    return entry;
  }
}

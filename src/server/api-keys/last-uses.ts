/**
 * When and from which address each key was last used; stored in the background, once a minute per
 * key.
 */
import type { KeyUse } from "./key-store.ts";

const STORED_EVERY_MS = 60_000;

interface LastUsesOptions {
  readonly store: (uses: ReadonlyMap<string, KeyUse>) => Promise<void>;
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
}

export class LastUses {
  readonly #options: LastUsesOptions;
  /** By key id. */
  readonly #unstored = new Map<string, KeyUse>();
  readonly #storedAtMs = new Map<string, number>();

  constructor(options: LastUsesOptions) {
    this.#options = options;
  }

  note(keyId: string, address: string): void {
    this.#unstored.set(keyId, { atMs: this.#options.now(), address });
  }

  /**
   * Stores the uses that are due.
   * @param isLast stores all uses
   * @returns the stored uses
   */
  async store(isLast = false): Promise<ReadonlyMap<string, KeyUse>> {
    const nowMs = this.#options.now();
    for (const [keyId, atMs] of this.#storedAtMs) {
      if (nowMs - atMs >= STORED_EVERY_MS) this.#storedAtMs.delete(keyId);
    }
    const due = new Map(
      [...this.#unstored].filter(([keyId]) => isLast || !this.#storedAtMs.has(keyId)),
    );
    if (due.size === 0) return due;
    await this.#options.store(due);
    for (const [keyId, use] of due) {
      this.#storedAtMs.set(keyId, nowMs);
      if (this.#unstored.get(keyId) === use) this.#unstored.delete(keyId);
    }
    return due;
  }
}

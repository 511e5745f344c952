/**
 * Listen keys, for programs that follow their account at `/ws/<listen key>`. Binance removed them in
 * 2026; programs made before still use them. A listen key is a secret that reads one account, and
 * is kept in memory alone: after a restart programs create new ones.
 */
import { randomBytes } from "node:crypto";
import type { ApiKeys } from "./api-keys.ts";
import type { ApiKeyGrant } from "./key-gate.ts";

/** How long a listen key is valid after it was created or extended. */
export const LISTEN_KEY_MS = 60 * 60_000;
const RANDOM_BYTES = 32;

interface Listening {
  readonly grant: ApiKeyGrant;
  timer: NodeJS.Timeout;
}

export class ListenKeys {
  readonly #listening = new Map<string, Listening>();
  /** Each API key has at most one listen key. */
  readonly #byKeyId = new Map<string, string>();
  readonly #listeners = new Set<(listenKey: string) => void>();

  constructor(apiKeys: Pick<ApiKeys, "onStopped">) {
    apiKeys.onStopped((keyId) => {
      const listenKey = this.#byKeyId.get(keyId);
      if (listenKey !== undefined) this.#end(listenKey);
    });
  }

  /**
   * The listen key of the API key. An existing listen key is extended; otherwise a new one is
   * created.
   */
  create(grant: ApiKeyGrant): string {
    const present = this.#byKeyId.get(grant.keyId);
    if (present !== undefined && this.extend(present, grant)) return present;
    const listenKey = randomBytes(RANDOM_BYTES).toString("hex");
    this.#listening.set(listenKey, { grant, timer: this.#timerOf(listenKey) });
    this.#byKeyId.set(grant.keyId, listenKey);
    return listenKey;
  }

  /** @returns false if the API key has no such listen key */
  extend(listenKey: string, { keyId }: ApiKeyGrant): boolean {
    const listening = this.#listening.get(listenKey);
    if (listening?.grant.keyId !== keyId) return false;
    clearTimeout(listening.timer);
    listening.timer = this.#timerOf(listenKey);
    return true;
  }

  /** @returns false if the API key has no such listen key */
  close(listenKey: string, { keyId }: ApiKeyGrant): boolean {
    if (this.find(listenKey)?.keyId !== keyId) return false;
    this.#end(listenKey);
    return true;
  }

  /** The owner and permissions of the listen key; undefined if it does not exist. */
  find(listenKey: string): ApiKeyGrant | undefined {
    return this.#listening.get(listenKey)?.grant;
  }

  /**
   * Calls the listener with each listen key that ends: its time is over, it was closed, or its API
   * key has stopped.
   * @returns ends it
   */
  onEnded(listener: (listenKey: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #timerOf(listenKey: string): NodeJS.Timeout {
    return setTimeout(() => this.#end(listenKey), LISTEN_KEY_MS).unref();
  }

  #end(listenKey: string): void {
    const listening = this.#listening.get(listenKey);
    if (listening === undefined) return;
    clearTimeout(listening.timer);
    this.#listening.delete(listenKey);
    this.#byKeyId.delete(listening.grant.keyId);
    for (const listener of this.#listeners) listener(listenKey);
  }
}

/**
 * Keeps one value per user in memory, stored in the database. It is loaded when the user connects,
 * because queries do not wait; the least recently used values are dropped. A change is stored
 * before it is visible, and the changes of one user are made one after another.
 */
import type { Database } from "../database/open-database.ts";
import { RepeatedLog } from "../limits/repeated-log.ts";
import type { Log } from "../log.ts";

const USERS_KEPT_MAX = 10_000;
const RETRY_MS = 5_000;

export interface PerUserOptions<Value> {
  readonly log: Log;
  readonly load: (userId: string) => Promise<Value>;
  /** Called when the result of `read` has changed. */
  readonly onChange: (userId: string) => void;
  /**
   * Notifies other nodes, which may have the earlier value in memory, that `change` has stored one.
   * Undefined if there are none; if there are, they change values too, and `load` always reads the
   * database.
   */
  readonly tellNodes?: ((userId: string) => void) | undefined;
}

/** The dependencies of a store of users' values. */
export interface UserStoreOptions extends Omit<PerUserOptions<unknown>, "load"> {
  readonly database: Database;
}

interface Loading<Value> {
  value?: Promise<Value>;
}

export class PerUser<Value> {
  readonly #options: PerUserOptions<Value>;
  readonly #repeatedLog: RepeatedLog;
  readonly #values = new Map<string, Value>();
  readonly #loading = new Map<string, Loading<Value>>();
  /** The completion of each user's newest change. */
  readonly #changing = new Map<string, Promise<unknown>>();

  constructor(options: PerUserOptions<Value>) {
    this.#options = options;
    this.#repeatedLog = new RepeatedLog(options.log, Date.now);
  }

  /** Undefined while the value is being loaded; `onChange` reports the end. */
  read(userId: string): Value | undefined {
    const value = this.#values.get(userId);
    if (value === undefined) void this.#loadSoon(userId);
    else this.#keep(userId, value);
    return value;
  }

  /** @throws Error if the database fails */
  load(userId: string): Promise<Value> {
    const value = this.#values.get(userId);
    if (this.#options.tellNodes !== undefined) {
      // A load in progress may have read the value before another node changed it.
      this.#loading.delete(userId);
    } else if (value !== undefined) {
      return Promise.resolve(value);
    }
    const known = this.#loading.get(userId);
    return known?.value ?? this.#startLoading(userId);
  }

  /**
   * Replaces the value once `store` has stored the new one.
   * @param compute the new value; returning the same object changes nothing
   */
  change(
    userId: string,
    compute: (value: Value) => Value,
    store: (value: Value) => Promise<unknown>,
  ): Promise<Value> {
    const changed = this.#changeAfter(this.#changing.get(userId), userId, compute, store);
    this.#changing.set(userId, changed);
    void this.#endChange(userId, changed);
    return changed;
  }

  /** Applies a change that was stored elsewhere, if the value is in memory. */
  revise(userId: string, compute: (value: Value) => Value): void {
    // A load in progress may have read the value before the change.
    const wasLoading = this.#loading.delete(userId);
    const value = this.#values.get(userId);
    if (value === undefined) return;
    this.#values.set(userId, compute(value));
    if (wasLoading) void this.refresh(userId);
  }

  /** Reloads a value that was changed elsewhere, if it is in memory. */
  async refresh(userId: string): Promise<void> {
    if (!this.#values.has(userId) && !this.#loading.has(userId)) return;
    try {
      // Replaces a load in progress: of two loads, the older may end last.
      await this.#startLoading(userId);
    } catch {
      // The next `read` tries again.
      this.#values.delete(userId);
    }
    this.#options.onChange(userId);
  }

  /**
   * Drops the value; the next `read` loads it again. The result of a load in progress reaches its
   * callers, but is not kept in memory.
   */
  forget(userId: string): void {
    this.#values.delete(userId);
    this.#loading.delete(userId);
  }

  #startLoading(userId: string): Promise<Value> {
    const loading: Loading<Value> = {};
    this.#loading.set(userId, loading);
    loading.value = this.#load(userId, loading);
    return loading.value;
  }

  async #load(userId: string, loading: Loading<Value>): Promise<Value> {
    try {
      const value = await this.#options.load(userId);
      if (this.#loading.get(userId) === loading) this.#keep(userId, value);
      return value;
    } finally {
      if (this.#loading.get(userId) === loading) this.#loading.delete(userId);
    }
  }

  async #changeAfter(
    before: Promise<unknown> | undefined,
    userId: string,
    compute: (value: Value) => Value,
    store: (value: Value) => Promise<unknown>,
  ): Promise<Value> {
    await Promise.allSettled([before]);
    const value = await this.load(userId);
    const next = compute(value);
    if (next === value) return value;
    await store(next);
    this.#keep(userId, next);
    this.#options.onChange(userId);
    this.#options.tellNodes?.(userId);
    return next;
  }

  async #endChange(userId: string, changed: Promise<Value>): Promise<void> {
    await Promise.allSettled([changed]);
    if (this.#changing.get(userId) === changed) this.#changing.delete(userId);
  }

  async #loadSoon(userId: string): Promise<void> {
    if (this.#loading.has(userId)) return;
    try {
      await this.load(userId);
      this.#options.onChange(userId);
    } catch (error) {
      this.#repeatedLog.warn(
        { userId, error: String(error) },
        "a user's own data could not be loaded",
      );
      setTimeout(() => this.#options.onChange(userId), RETRY_MS).unref();
    }
  }

  #keep(userId: string, value: Value): void {
    this.#values.delete(userId);
    this.#values.set(userId, value);
    if (this.#values.size <= USERS_KEPT_MAX) return;
    const [oldest] = this.#values.keys();
    if (oldest !== undefined) this.#values.delete(oldest);
  }
}

/**
 * API keys, with which programs act for their owners: created and changed by the owner, looked up
 * and verified with every request. A key that has stopped being valid (revoked, restricted,
 * expired, its owner banned or deleted) is refused from that moment on. A key never has the rights
 * of its owner's role.
 */
import { randomInt, randomUUID } from "node:crypto";
import { RepeatedLog } from "../limits/repeated-log.ts";
import { PerUser, type UserStoreOptions } from "../personal/per-user.ts";
import { KeyFaultSettings } from "./key-faults.ts";
import { type ApiKeyGrant, KeyGate } from "./key-gate.ts";
import { type ApiKeyRecord, createKeyStore, type KeyStore, type KeyTerms } from "./key-store.ts";
import { LastUses } from "./last-uses.ts";
import { SecretCipher } from "./secret-cipher.ts";
import { ed25519Key, hmacKey, type SigningKey } from "./signing-key.ts";

const CHECK_EVERY_MS = 5_000;
/** The length that keys have on other exchanges. */
const TEXT_LENGTH = 64;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** The terms have been validated; the public key is a result of `parsePublicKey`. */
export type NewApiKey = KeyTerms & { readonly userId: string } & (
    | { readonly kind: "hmac" }
    | { readonly kind: "ed25519"; readonly publicKey: string }
  );

export interface CreatedApiKey {
  readonly record: ApiKeyRecord;
  /** The secret of an HMAC key, which is returned only here. */
  readonly secret: string | null;
}

/** The user already has the maximum number of keys. */
export class TooManyApiKeysError extends Error {
  override readonly name = "TooManyApiKeysError";
}

export interface ApiKeysOptions extends UserStoreOptions {
  /** The encryption key of secrets is derived from it. */
  readonly authSecret: string;
  /** Maximum number of keys of a user; existing keys beyond that keep working. */
  readonly keysMaxOf: (userId: string) => number;
  /** The owner's ledger account; undefined if there is none yet. */
  readonly accountOf: (userId: string) => number | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly now?: () => number;
}

export class ApiKeys {
  /** The faults that the fault lab applies to keys' traffic. */
  readonly faults: KeyFaultSettings;
  readonly #options: ApiKeysOptions;
  readonly #now: () => number;
  readonly #store: KeyStore;
  readonly #cipher: SecretCipher;
  readonly #gate: KeyGate;
  readonly #uses: LastUses;
  readonly #lists: PerUser<readonly ApiKeyRecord[]>;
  readonly #repeatedLog: RepeatedLog;
  readonly #timer: NodeJS.Timeout;

  /** @throws Error if the database cannot be read */
  static async open(options: ApiKeysOptions): Promise<ApiKeys> {
    const store = createKeyStore(options.database);
    await store.removeOfBanned();
    return new ApiKeys(options, store);
  }

  private constructor(options: ApiKeysOptions, store: KeyStore) {
    const { accountOf, authSecret, log, now = Date.now, onChange, tellNodes } = options;
    this.faults = new KeyFaultSettings(onChange, now);
    this.#options = options;
    this.#now = now;
    this.#store = store;
    this.#cipher = new SecretCipher(authSecret);
    const signingKeyOf = (record: ApiKeyRecord) => this.#signingKeyOf(record);
    this.#gate = new KeyGate({ store, signingKeyOf, accountOf, now });
    this.#uses = new LastUses({ store: (uses) => store.storeUses(uses), now });
    const load = (userId: string) => store.ofUser(userId);
    this.#lists = new PerUser({ log, onChange, tellNodes, load });
    this.#repeatedLog = new RepeatedLog(log, Date.now);
    this.#timer = setInterval(() => void this.#checkOrLog(), CHECK_EVERY_MS).unref();
  }

  /**
   * The permissions of a program that sends this key from this address.
   * @throws ApiKeyRefusedError
   */
  find(apiKey: string, address: string): Promise<ApiKeyGrant> {
    return this.#gate.find(apiKey, address);
  }

  /** Like `find`, at once: undefined if the key has to be looked up. @throws ApiKeyRefusedError */
  findInUse(apiKey: string, address: string): ApiKeyGrant | undefined {
    return this.#gate.findInUse(apiKey, address);
  }

  /**
   * Whether the signature of the payload is valid for a key that `find` has returned; takes
   * constant time.
   */
  verify(apiKey: string, payload: string, signature: string): boolean {
    return this.#gate.verify(apiKey, payload, signature);
  }

  /** The record of a key in use; undefined if it has stopped being valid. */
  recordOf(keyId: string): ApiKeyRecord | undefined {
    return this.#gate.recordOf(keyId);
  }

  /** Whether a key that was found is still valid. */
  isLive(keyId: string): boolean {
    return this.#gate.isLive(keyId);
  }

  /** Whether a key that was found may be used from this address. */
  allows(keyId: string, address: string): boolean {
    return this.#gate.allows(keyId, address);
  }

  /** Notes that a key has signed a request from this address. */
  noteUse(keyId: string, address: string): void {
    if (this.#gate.recordOf(keyId) !== undefined) this.#uses.note(keyId, address);
  }

  /** Notes that the key's owner has paid for a request signed at this address. */
  notePaid(keyId: string, address: string): void {
    this.#gate.noteSigned(keyId, address);
  }

  /** The id of a key that has signed requests from this address recently; else undefined. */
  signerAt(apiKey: string, address: string): string | undefined {
    return this.#gate.signerAt(apiKey, address);
  }

  /**
   * Calls the listener when a key in use stops being valid: it is revoked, restricted or expired,
   * or its owner is banned or deleted. Connections opened with the key must end.
   * @returns ends it
   */
  onStopped(listener: (keyId: string) => void): () => void {
    return this.#gate.onStopped(listener);
  }

  /** The user's keys, newest first; undefined while they are being loaded. */
  read(userId: string): readonly ApiKeyRecord[] | undefined {
    return this.#lists.read(userId);
  }

  /**
   * A key of the user; undefined if the user has no such key. @throws Error if the database fails
   */
  async ownKey(userId: string, keyId: string): Promise<ApiKeyRecord | undefined> {
    return (await this.#lists.load(userId)).find(({ id }) => id === keyId);
  }

  /** False if AUTH_SECRET has changed since the key was created. */
  isReadable(record: ApiKeyRecord): boolean {
    return this.#signingKeyOf(record) !== undefined;
  }

  /**
   * Resolves when the key has been stored.
   * @throws TooManyApiKeysError, in which case nothing changes
   */
  async create(wanted: NewApiKey): Promise<CreatedApiKey> {
    const apiKey = randomText();
    const { addressRanges, expiresAtMs, name, permissions, userId } = wanted;
    const terms: KeyTerms = { addressRanges, expiresAtMs, name, permissions };
    const id = randomUUID();
    const fields = { ...terms, id, userId, apiKey, createdAtMs: this.#now(), lastUse: null };
    const secret = wanted.kind === "hmac" ? randomText() : null;
    const record: ApiKeyRecord =
      wanted.kind === "hmac"
        ? { ...fields, kind: "hmac", encryptedSecret: this.#cipher.encrypt(secret ?? "", apiKey) }
        : { ...fields, kind: "ed25519", publicKey: wanted.publicKey };
    const keysMax = this.#options.keysMaxOf(userId);
    await this.#lists.change(
      userId,
      (list) => [record, ...list],
      async () => {
        if (!(await this.#store.insert(record, keysMax))) throw new TooManyApiKeysError();
      },
    );
    return { record, secret };
  }

  /**
   * Changes a key's name or permissions. If permissions change, connections opened with the key
   * end.
   * @returns the changed key; undefined if the user has no such key
   */
  async change(
    userId: string,
    keyId: string,
    terms: Partial<KeyTerms>,
  ): Promise<ApiKeyRecord | undefined> {
    const keyIn = (list: readonly ApiKeyRecord[]) => list.find(({ id }) => id === keyId);
    const list = await this.#lists.change(
      userId,
      (before) =>
        keyIn(before) === undefined
          ? before
          : before.map((record) => (record.id === keyId ? { ...record, ...terms } : record)),
      async (after) => {
        if (keyIn(after) !== undefined) await this.#store.update(keyId, terms);
      },
    );
    const changed = keyIn(list);
    const isOnlyName = Object.keys(terms).every((term) => term === "name");
    if (changed !== undefined && !isOnlyName) this.#gate.stop(keyId);
    return changed;
  }

  /**
   * Resolves when the key can never be used again. @returns the key; undefined if the user has no
   * such key
   */
  async revoke(userId: string, keyId: string): Promise<ApiKeyRecord | undefined> {
    let revoked: ApiKeyRecord | undefined;
    await this.#lists.change(
      userId,
      (list) => {
        revoked = list.find(({ id }) => id === keyId);
        return revoked === undefined ? list : list.filter((each) => each !== revoked);
      },
      () => this.#store.remove(keyId),
    );
    if (revoked !== undefined) {
      this.#gate.stop(keyId);
      this.faults.clear(keyId);
    }
    return revoked;
  }

  /**
   * Removes all keys of a user who is already banned or deleted in the database, or has taken over
   * an address that someone else had signed up with. The keys are refused before anything is
   * awaited.
   */
  async revokeAllOf(userId: string): Promise<void> {
    this.#gate.stopAllOf(userId);
    await this.#lists.change(
      userId,
      () => [],
      () => this.#store.removeOfUser(userId),
    );
    this.#gate.stopAllOf(userId);
    this.faults.clearAllOf(userId);
    this.#lists.forget(userId);
  }

  /** Applies another node's changes to the user's keys, bans included. */
  async changedElsewhere(userId: string): Promise<void> {
    await this.#withLoggedErrors(() => this.#gate.check(userId));
    await this.#lists.refresh(userId);
  }

  /** Applies changes by other processes and expiries; called every few seconds. */
  async check(): Promise<void> {
    await this.#gate.check();
    await this.#storeUses();
  }

  /** Stores the last uses that have not been stored yet, unless the database fails. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#withLoggedErrors(() => this.#storeUses(true));
  }

  #checkOrLog(): Promise<void> {
    return this.#withLoggedErrors(() => this.check());
  }

  async #withLoggedErrors(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#repeatedLog.warn({ error: String(error) }, "API keys wait for the database");
    }
  }

  async #storeUses(isLast = false): Promise<void> {
    for (const [keyId, lastUse] of await this.#uses.store(isLast)) {
      const owner = this.#gate.recordOf(keyId)?.userId;
      if (owner === undefined) continue;
      this.#lists.revise(owner, (list) =>
        list.map((record) => (record.id === keyId ? { ...record, lastUse } : record)),
      );
      this.#options.onChange(owner);
    }
  }

  /** Undefined if AUTH_SECRET has changed since the key was created. */
  #signingKeyOf(record: ApiKeyRecord): SigningKey | undefined {
    if (record.kind === "ed25519") return ed25519Key(record.publicKey);
    const secret = this.#cipher.decrypt(record.encryptedSecret, record.apiKey);
    return secret === undefined ? undefined : hmacKey(secret);
  }
}

function randomText(): string {
  return Array.from({ length: TEXT_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}

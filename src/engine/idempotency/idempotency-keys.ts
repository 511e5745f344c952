/**
 * The keys of requests that were accepted, so that a repeat is answered with the first outcome and
 * changes nothing. A key is remembered for three days of command time, and at most a million at once:
 * when full, the account with the most keys loses its oldest (docs/decisions/017; the exchange's own
 * keys count as one account's). A key is found whichever account sent it. Keys of refused requests are
 * not kept, so they may be retried. A key has a digest of its request if that is compared with a
 * repeat (request-content.ts). A key has at most 64 characters, which engine.ts checks.
 *
 * Aged keys are dropped when a new key arrives, never by a lookup.
 */
import type { KeyedHash } from "./keyed-hash.ts";
import { NO_TEXT, RememberedTexts } from "./remembered-texts.ts";
import type { SnapshotReader, SnapshotWriter } from "../formats/snapshot.ts";
import type { StateHash } from "../formats/state-hash.ts";

export const REMEMBERED_MS = 3 * 24 * 60 * 60 * 1000;
export const REMEMBERED_MAX = 1_000_000;

/** The owner of keys of commands without an account. */
export const HOUSE = 0;

export interface AcceptedRequest {
  readonly sequence: number;
  /** The id of the order that the request placed, 0 if none. */
  readonly orderId: number;
  /** The digest of the request; 0 if it is not compared. */
  readonly content: number;
}

// The numbers stored with a key.
const CONTENT = 0;
const SEQUENCE = 1;
const ORDER_ID = 2;
const ACCEPTED_AT_MS = 3;
const FIELD_COUNT = 4;

export class IdempotencyKeys {
  readonly #keys: RememberedTexts;

  readonly #rememberedMax: number;

  constructor(hash: KeyedHash, rememberedMax = REMEMBERED_MAX) {
    this.#rememberedMax = rememberedMax;
    this.#keys = new RememberedTexts(hash, FIELD_COUNT, true);
  }

  find(key: string, nowMs: number): AcceptedRequest | undefined {
    const keys = this.#keys;
    const slot = keys.find(HOUSE, key);
    if (slot === NO_TEXT || keys.number(slot, ACCEPTED_AT_MS) + REMEMBERED_MS <= nowMs) {
      return undefined;
    }
    return {
      sequence: keys.number(slot, SEQUENCE),
      orderId: keys.number(slot, ORDER_ID),
      content: keys.number(slot, CONTENT),
    };
  }

  /** Remembers a key that `find` does not find, for the requesting account or HOUSE. */
  remember(
    key: string,
    account: number,
    { content, orderId, sequence }: AcceptedRequest,
    acceptedAtMs: number,
  ): void {
    this.#makeRoom(acceptedAtMs);
    const keys = this.#keys;
    const slot = keys.append(account, key);
    keys.setNumber(slot, CONTENT, content);
    keys.setNumber(slot, SEQUENCE, sequence);
    keys.setNumber(slot, ORDER_ID, orderId);
    keys.setNumber(slot, ACCEPTED_AT_MS, acceptedAtMs);
  }

  #makeRoom(nowMs: number): void {
    const keys = this.#keys;
    while (keys.count > 0 && keys.number(keys.first, ACCEPTED_AT_MS) + REMEMBERED_MS <= nowMs) {
      keys.drop(keys.first);
    }
    if (keys.count >= this.#rememberedMax) keys.drop(keys.firstOfLargest);
  }

  addTo(hash: StateHash): void {
    const keys = this.#keys;
    hash.number(keys.count);
    for (let slot = keys.first; slot !== NO_TEXT; slot = keys.next(slot)) {
      hash.number(keys.ownerOf(slot));
      keys.addTo(hash, "", slot, SEQUENCE);
      // Omitted if not compared, so that earlier hashes stay valid.
      const content = keys.number(slot, CONTENT);
      if (content !== 0) hash.number(content);
    }
  }

  writeTo(snapshot: SnapshotWriter): void {
    snapshot.part("idempotency keys");
    this.#keys.writeTo(snapshot);
  }

  readFrom(snapshot: SnapshotReader): void {
    snapshot.part("idempotency keys");
    this.#keys.readFrom(snapshot);
  }
}

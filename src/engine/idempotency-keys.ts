/**
 * The keys of requests that were accepted, so that a repeat is answered with the first outcome and
 * changes nothing. A key is remembered for three days of command time, and at most a million are:
 * the oldest go first. Keys of refused requests are not kept; they may be tried again. A key has at
 * most 64 characters, which is seen to where commands come in (engine.ts).
 *
 * What has aged is dropped when a new key comes in, never by a lookup.
 */
import type { KeyedHash } from "./keyed-hash.ts";
import { NOWHERE, RememberedTexts } from "./remembered-texts.ts";
import type { SnapshotReader, SnapshotWriter } from "./snapshot.ts";
import type { StateHash } from "./state-hash.ts";

export const REMEMBERED_MS = 3 * 24 * 60 * 60 * 1000;
export const REMEMBERED_MAX = 1_000_000;

export interface AcceptedRequest {
  readonly sequence: number;
  /** The order that it placed, 0 where none. */
  readonly orderId: number;
}

// The numbers of a key.
const SEQUENCE = 0;
const ORDER_ID = 1;
const ACCEPTED_AT_MS = 2;
const NUMBERS = 3;

/** A key holds for the whole exchange, whoever sent it. */
const NO_OWNER = 0;

export class IdempotencyKeys {
  readonly #keys: RememberedTexts;

  constructor(hash: KeyedHash) {
    this.#keys = new RememberedTexts(hash, NUMBERS);
  }

  find(key: string, nowMs: number): AcceptedRequest | undefined {
    const keys = this.#keys;
    const slot = keys.find(NO_OWNER, key);
    if (slot === NOWHERE || keys.number(slot, ACCEPTED_AT_MS) + REMEMBERED_MS <= nowMs) {
      return undefined;
    }
    return { sequence: keys.number(slot, SEQUENCE), orderId: keys.number(slot, ORDER_ID) };
  }

  /** Remembers a key that `find` does not know. */
  remember(key: string, sequence: number, orderId: number, acceptedAtMs: number): void {
    this.#dropAged(acceptedAtMs);
    const keys = this.#keys;
    const slot = keys.append(NO_OWNER, key);
    keys.setNumber(slot, SEQUENCE, sequence);
    keys.setNumber(slot, ORDER_ID, orderId);
    keys.setNumber(slot, ACCEPTED_AT_MS, acceptedAtMs);
  }

  #dropAged(nowMs: number): void {
    const keys = this.#keys;
    while (
      keys.count > 0 &&
      (keys.number(keys.first, ACCEPTED_AT_MS) + REMEMBERED_MS <= nowMs ||
        keys.count >= REMEMBERED_MAX)
    ) {
      keys.dropFirst();
    }
  }

  addTo(hash: StateHash): void {
    const keys = this.#keys;
    hash.number(keys.count);
    for (let place = 0; place < keys.count; place++) keys.addTo(hash, "", keys.at(place), SEQUENCE);
  }

  writeTo(snapshot: SnapshotWriter): void {
    snapshot.part("idempotency keys");
    this.#keys.writeTo(snapshot);
  }

  readFrom(snapshot: SnapshotReader): void {
    snapshot.part("idempotency keys");
    const keys = this.#keys;
    keys.readFrom(snapshot);
    // The hash does not cover it, and a key of anybody else is never found.
    for (let place = 0; place < keys.count; place++) {
      if (keys.ownerOf(keys.at(place)) !== NO_OWNER) snapshot.refuse("a key that is somebody's");
    }
  }
}

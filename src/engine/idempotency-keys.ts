/**
 * The keys of requests that were accepted, so that a repeat is answered with the first outcome and
 * changes nothing. A key is remembered for three days of command time, and at most a million are:
 * the oldest go first. Keys of refused requests are not kept; they may be tried again.
 *
 * What has aged is dropped when a new key comes in, never by a lookup.
 */
import type { SnapshotReader, SnapshotWriter } from "./snapshot.ts";
import type { StateHash } from "./state-hash.ts";

export const REMEMBERED_MS = 3 * 24 * 60 * 60 * 1000;
export const REMEMBERED_MAX = 1_000_000;

export interface AcceptedRequest {
  readonly key: string;
  readonly sequence: number;
  /** The order that it placed, 0 where none. */
  readonly orderId: number;
  readonly acceptedAtMs: number;
  /** The one accepted next. */
  next: AcceptedRequest | undefined;
}

export class IdempotencyKeys {
  readonly #byKey = new Map<string, AcceptedRequest>();
  #first: AcceptedRequest | undefined;
  #last: AcceptedRequest | undefined;

  find(key: string, nowMs: number): AcceptedRequest | undefined {
    const request = this.#byKey.get(key);
    if (request === undefined || request.acceptedAtMs + REMEMBERED_MS <= nowMs) return undefined;
    return request;
  }

  /** Remembers a key that `find` does not know. */
  remember(key: string, sequence: number, orderId: number, acceptedAtMs: number): void {
    this.#dropAged(acceptedAtMs);
    this.#append({ key, sequence, orderId, acceptedAtMs, next: undefined });
  }

  #append(request: AcceptedRequest): void {
    this.#byKey.set(request.key, request);
    if (this.#last === undefined) this.#first = request;
    else this.#last.next = request;
    this.#last = request;
  }

  #dropAged(nowMs: number): void {
    let oldest = this.#first;
    while (
      oldest !== undefined &&
      (oldest.acceptedAtMs + REMEMBERED_MS <= nowMs || this.#byKey.size >= REMEMBERED_MAX)
    ) {
      this.#byKey.delete(oldest.key);
      oldest = oldest.next;
    }
    this.#first = oldest;
    if (oldest === undefined) this.#last = undefined;
  }

  addTo(hash: StateHash): void {
    hash.number(this.#byKey.size);
    for (let request = this.#first; request !== undefined; request = request.next) {
      hash.text(request.key);
      hash.number(request.sequence);
      hash.number(request.orderId);
      hash.number(request.acceptedAtMs);
    }
  }

  writeTo(snapshot: SnapshotWriter): void {
    snapshot.part("idempotency keys");
    snapshot.int(this.#byKey.size);
    for (let request = this.#first; request !== undefined; request = request.next) {
      snapshot.text(request.key);
      snapshot.number(request.sequence);
      snapshot.number(request.orderId);
      snapshot.number(request.acceptedAtMs);
    }
  }

  readFrom(snapshot: SnapshotReader): void {
    snapshot.part("idempotency keys");
    const count = snapshot.count(28);
    for (let index = 0; index < count; index++) {
      this.#append({
        key: snapshot.text(),
        sequence: snapshot.number(),
        orderId: snapshot.number(),
        acceptedAtMs: snapshot.number(),
        next: undefined,
      });
    }
  }
}

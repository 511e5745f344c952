import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOUSE, IdempotencyKeys, REMEMBERED_MAX, REMEMBERED_MS } from "./idempotency-keys.ts";
import { KeyedHash } from "./keyed-hash.ts";
import { SnapshotReader, SnapshotWriter } from "../formats/snapshot.ts";
import { StateHash } from "../formats/state-hash.ts";

/** So few that they are often full. */
const ROOM = 4;

interface Kept {
  readonly key: string;
  readonly account: number;
  readonly sequence: number;
  readonly atMs: number;
}

/** The oldest key of the account with the most keys; of several such accounts, the lowest. */
function oldestOfLargest(kept: readonly Kept[]): number {
  const countOf = (of: number) => kept.filter(({ account }) => account === of).length;
  const accounts = kept.map(({ account }) => account).toSorted((a, b) => a - b);
  const largest = accounts.reduce((best, of) => (countOf(of) > countOf(best) ? of : best));
  return kept.findIndex(({ account }) => account === largest);
}

function hashOf(keys: IdempotencyKeys): string {
  const hash = new StateHash();
  keys.addTo(hash);
  return hash.digest();
}

function restored(keys: IdempotencyKeys): IdempotencyKeys {
  const snapshot = new SnapshotWriter();
  keys.writeTo(snapshot);
  const again = new IdempotencyKeys(new KeyedHash([3, 4]), ROOM);
  again.readFrom(new SnapshotReader(snapshot.bytes()));
  return again;
}

describe("idempotency keys", () => {
  test("are known for three days, as many as there is room for, and hashed as a list would be", () => {
    const account = fc.constantFrom(HOUSE, 16, 17);
    const key = fc.constantFrom("", "a", "key", "キー", "\udfff", "e\u0301", "x".repeat(64));
    const afterMs = fc.constantFrom(0, 1, REMEMBERED_MS / 3, REMEMBERED_MS - 1, REMEMBERED_MS);
    fc.assert(
      fc.property(fc.array(fc.tuple(key, account, afterMs, fc.boolean())), (steps) => {
        let keys = new IdempotencyKeys(new KeyedHash(), ROOM);
        let kept: Kept[] = [];
        let nowMs = 1000;
        steps.forEach(([asked, from, after, restarts], sequence) => {
          nowMs += after;
          if (restarts) keys = restored(keys);
          const known = kept.find((one) => one.key === asked && one.atMs + REMEMBERED_MS > nowMs);
          expect(keys.find(asked, nowMs)?.sequence).toBe(known?.sequence);
          if (known === undefined) {
            // Two of three are compared with their repeats.
            const content = sequence % 3;
            keys.remember(asked, from, { sequence, orderId: sequence * 2, content }, nowMs);
            kept = kept.filter(({ atMs }) => atMs + REMEMBERED_MS > nowMs);
            if (kept.length === ROOM) kept.splice(oldestOfLargest(kept), 1);
            kept.push({ key: asked, account: from, sequence, atMs: nowMs });
            expect(keys.find(asked, nowMs)).toEqual({
              sequence,
              orderId: sequence * 2,
              content,
            });
          }
          const expected = new StateHash();
          expected.number(kept.length);
          for (const one of kept) {
            expected.number(one.account);
            expected.text(one.key);
            expected.number(one.sequence);
            expected.number(one.sequence * 2);
            expected.number(one.atMs);
            if (one.sequence % 3 !== 0) expected.number(one.sequence % 3);
          }
          expect(hashOf(keys)).toBe(expected.digest());
        });
      }),
    );
  });

  test("of an account go, its oldest first, when it has made a million; those of others stay", () => {
    const keys = new IdempotencyKeys(new KeyedHash());
    const request = (sequence: number) => ({ sequence, orderId: 0, content: 0 });
    keys.remember("of another", 17, request(7), 1);
    for (let index = 1; index < REMEMBERED_MAX; index++) {
      keys.remember(`${index}`, 16, request(index), 1);
    }
    expect(keys.find("1", 1)?.sequence).toBe(1);
    keys.remember("one more", 18, request(5), 1);
    expect(keys.find("1", 1)).toBeUndefined();
    expect(keys.find("2", 1)?.sequence).toBe(2);
    expect(keys.find("one more", 1)?.sequence).toBe(5);
    expect(keys.find("of another", 1)?.sequence).toBe(7);
  });
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { IdempotencyKeys, REMEMBERED_MAX, REMEMBERED_MS } from "./idempotency-keys.ts";
import { KeyedHash } from "./keyed-hash.ts";
import { SnapshotReader, SnapshotWriter } from "./snapshot.ts";
import { StateHash } from "./state-hash.ts";

function hashOf(keys: IdempotencyKeys): string {
  const hash = new StateHash();
  keys.addTo(hash);
  return hash.digest();
}

function restored(keys: IdempotencyKeys): IdempotencyKeys {
  const snapshot = new SnapshotWriter();
  keys.writeTo(snapshot);
  const again = new IdempotencyKeys(new KeyedHash([3, 4]));
  again.readFrom(new SnapshotReader(snapshot.bytes()));
  return again;
}

describe("idempotency keys", () => {
  test("are known for three days, and hashed as a list of them would be", () => {
    const key = fc.constantFrom("", "a", "key", "キー", "\udfff", "e\u0301", "x".repeat(64));
    const afterMs = fc.constantFrom(0, 1, REMEMBERED_MS / 3, REMEMBERED_MS - 1, REMEMBERED_MS);
    fc.assert(
      fc.property(fc.array(fc.tuple(key, afterMs, fc.boolean())), (steps) => {
        let keys = new IdempotencyKeys(new KeyedHash());
        let kept: { key: string; sequence: number; atMs: number }[] = [];
        let nowMs = 1000;
        steps.forEach(([asked, after, restarts], sequence) => {
          nowMs += after;
          if (restarts) keys = restored(keys);
          const known = kept.find((one) => one.key === asked && one.atMs + REMEMBERED_MS > nowMs);
          expect(keys.find(asked, nowMs)?.sequence).toBe(known?.sequence);
          if (known === undefined) {
            keys.remember(asked, sequence, sequence * 2, nowMs);
            kept = kept.filter(({ atMs }) => atMs + REMEMBERED_MS > nowMs);
            kept.push({ key: asked, sequence, atMs: nowMs });
            expect(keys.find(asked, nowMs)).toEqual({ sequence, orderId: sequence * 2 });
          }
          const expected = new StateHash();
          expected.number(kept.length);
          for (const one of kept) {
            expected.text(one.key);
            expected.number(one.sequence);
            expected.number(one.sequence * 2);
            expected.number(one.atMs);
          }
          expect(hashOf(keys)).toBe(expected.digest());
        });
      }),
    );
  });

  test("go, the oldest first, when there are a million", () => {
    const keys = new IdempotencyKeys(new KeyedHash());
    for (let index = 0; index < REMEMBERED_MAX; index++) keys.remember(`${index}`, index, 0, 1);
    expect(keys.find("0", 1)?.sequence).toBe(0);
    keys.remember("one more", 5, 0, 1);
    expect(keys.find("0", 1)).toBeUndefined();
    expect(keys.find("1", 1)?.sequence).toBe(1);
    expect(keys.find("one more", 1)?.sequence).toBe(5);
  });
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KeyedHash } from "./keyed-hash.ts";
import { NOWHERE, RememberedTexts } from "./remembered-texts.ts";
import { SnapshotReader, SnapshotWriter } from "./snapshot.ts";
import { StateHash } from "./state-hash.ts";

/** Nearly everything stands in one place. */
class CrowdedHash extends KeyedHash {
  override of(owner: number, bytes: Uint8Array, start: number, length: number): number {
    return super.of(owner, bytes, start, length) & 3;
  }
}

interface Entry {
  readonly owner: number;
  readonly text: string;
  readonly number: number;
}

const loneSurrogates = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => {
  return String.fromCharCode(...units);
});
const text = fc.oneof(
  fc.constantFrom(
    "",
    "a",
    "b",
    "ab",
    "慡",
    "\0",
    "\0\0",
    "é",
    "\ud800",
    "\udc00\ud800",
    "a".repeat(64),
  ),
  fc.string({ unit: "binary", maxLength: 70 }),
  loneSurrogates,
);
const owner = fc.integer({ min: -1, max: 2 });

function append(texts: RememberedTexts, { owner: of, text: what, number }: Entry): void {
  const slot = texts.append(of, what);
  texts.setNumber(slot, 0, number);
  texts.setNumber(slot, 1, number + 0.5);
}

function written(texts: RememberedTexts): Uint8Array {
  const snapshot = new SnapshotWriter();
  for (let place = 0; place < texts.count; place++) {
    snapshot.int(texts.ownerOf(texts.at(place)));
    texts.writeTo(snapshot, texts.at(place));
  }
  return snapshot.bytes();
}

function restored(bytes: Uint8Array, count: number, hash: KeyedHash): RememberedTexts {
  const snapshot = new SnapshotReader(bytes);
  const texts = new RememberedTexts(hash, 2);
  texts.readFrom(
    snapshot,
    count,
    () => snapshot.int(),
    () => undefined,
  );
  snapshot.end();
  return texts;
}

function expectSame(texts: RememberedTexts, entries: readonly Entry[]): void {
  expect(texts.count).toBe(entries.length);
  entries.forEach(({ owner: of, text: what, number }, place) => {
    const slot = texts.at(place);
    expect([texts.ownerOf(slot), texts.textOf(slot)]).toEqual([of, what]);
    expect([texts.number(slot, 0), texts.number(slot, 1)]).toEqual([number, number + 0.5]);
    expect(texts.find(of, what)).toBe(slot);
  });
}

describe("remembered texts", () => {
  test("take memory for those that stay, not for all that came", () => {
    // The first of the tests, so that nothing of the others is collected meanwhile.
    const texts = new RememberedTexts(new KeyedHash(), 2);
    const before = process.memoryUsage().arrayBuffers;
    for (let number = 0; number < 300_000; number++) {
      append(texts, { owner: 1, text: `text ${number}`, number });
      if (texts.count > 100) texts.dropFirst();
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
  });

  test("are what a list of them would say, in order, found unit by unit, also after a snapshot", () => {
    const step = fc.tuple(fc.constantFrom("append", "append", "append", "drop"), owner, text);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, isCrowded) => {
        const makeHash = (second: number) =>
          isCrowded ? new CrowdedHash([1, second]) : new KeyedHash([1, second]);
        const texts = new RememberedTexts(makeHash(1), 2);
        const entries: Entry[] = [];
        steps.forEach(([action, of, what], number) => {
          const known = entries.findIndex((entry) => entry.owner === of && entry.text === what);
          expect(texts.find(of, what)).toBe(known < 0 ? NOWHERE : texts.at(known));
          if (action === "drop") {
            if (entries.shift() !== undefined) texts.dropFirst();
          } else if (known < 0) {
            const entry = { owner: of, text: what, number };
            append(texts, entry);
            entries.push(entry);
          }
        });
        expectSame(texts, entries);

        const bytes = written(texts);
        const again = restored(bytes, entries.length, makeHash(2));
        expectSame(again, entries);
        expect(written(again)).toEqual(bytes);
        const more = { owner: 3, text: "more", number: 9 };
        append(again, more);
        expectSame(again, [...entries, more]);
      }),
      { numRuns: 300 },
    );
  });

  test("are hashed as their texts are", () => {
    fc.assert(
      fc.property(text, (what) => {
        const texts = new RememberedTexts(new KeyedHash(), 2);
        append(texts, { owner: 0, text: what, number: 0.5 });
        const hash = new StateHash();
        texts.addTo(hash, "17 ", texts.first, 1);
        const expected = new StateHash();
        expected.text(`17 ${what}`);
        expected.number(1);
        expect(hash.digest()).toBe(expected.digest());
      }),
    );
  });

  test("go round their slots", () => {
    const texts = new RememberedTexts(new KeyedHash(), 2);
    let first = 0;
    for (let number = 0; number < 1_200_000; number++) {
      append(texts, { owner: 1, text: `text ${number}`, number });
      // Many go at once now and then, as when nobody came for days.
      const keptMax = number % 7000 < 5000 ? 3000 : 10;
      while (texts.count > keptMax) {
        texts.dropFirst();
        first++;
      }
      if (number % 1000 === 0) expect(texts.textOf(texts.first)).toBe(`text ${first}`);
    }
    expect(texts.find(1, `text ${first - 1}`)).toBe(NOWHERE);
    const kept = Array.from({ length: texts.count }, (_, place) => first + place);
    expectSame(
      texts,
      kept.map((number) => ({ owner: 1, text: `text ${number}`, number })),
    );
  });

  test("are refused in a form that nobody writes, in which they would not be found", () => {
    const wide = new SnapshotWriter();
    wide.int(1);
    wide.encodedText(Uint8Array.of(0x61, 0), 0, -1);
    expect(() => restored(wide.bytes(), 1, new KeyedHash())).toThrow("a form that nobody writes");
    const narrow = new SnapshotWriter();
    narrow.int(1);
    narrow.encodedText(Uint8Array.of(0xe9), 0, 1);
    expect(() => restored(narrow.bytes(), 1, new KeyedHash())).toThrow("a form that nobody writes");
  });
});

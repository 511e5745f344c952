import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KeyedHash } from "./keyed-hash.ts";
import { NO_TEXT, RememberedTexts } from "./remembered-texts.ts";
import { readRows, SnapshotReader, SnapshotWriter } from "../formats/snapshot.ts";
import { StateHash } from "../formats/state-hash.ts";

/** Nearly all texts hash to one place. */
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
const owner = fc.integer({ min: 0, max: 3 });

/** The number if it is even, else its complement to `MAX_SAFE_INTEGER`: both extremes occur. */
function otherNumberOf(number: number): number {
  return number % 2 === 0 ? number : Number.MAX_SAFE_INTEGER - number;
}

function append(texts: RememberedTexts, { owner: of, text: what, number }: Entry): void {
  const slot = texts.append(of, what);
  texts.setNumber(slot, 0, number);
  texts.setNumber(slot, 1, otherNumberOf(number));
}

function written(texts: RememberedTexts): Uint8Array {
  const snapshot = new SnapshotWriter();
  texts.writeTo(snapshot);
  return snapshot.bytes();
}

function restored(bytes: Uint8Array, hash: KeyedHash): RememberedTexts {
  const snapshot = new SnapshotReader(bytes);
  const texts = new RememberedTexts(hash, 2);
  texts.readFrom(snapshot);
  snapshot.end();
  return texts;
}

function expectSame(texts: RememberedTexts, entries: readonly Entry[]): void {
  expect(texts.count).toBe(entries.length);
  let slot = texts.first;
  for (const { owner: of, text: what, number } of entries) {
    expect([texts.ownerOf(slot), texts.textOf(slot)]).toEqual([of, what]);
    expect([texts.number(slot, 0), texts.number(slot, 1)]).toEqual([number, otherNumberOf(number)]);
    expect(texts.find(of, what)).toBe(slot);
    slot = texts.next(slot);
  }
  expect(slot).toBe(NO_TEXT);
}

/** The oldest text of the owner with the most texts; of several such owners, the lowest. */
function oldestOfLargest(entries: readonly Entry[]): number {
  const countOf = (of: number) => entries.filter((entry) => entry.owner === of).length;
  const owners = entries.map((entry) => entry.owner).toSorted((a, b) => a - b);
  const largest = owners.reduce((best, of) => (countOf(of) > countOf(best) ? of : best));
  return entries.findIndex((entry) => entry.owner === largest);
}

describe("remembered texts", () => {
  test("take memory for those that stay, not for all that came", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const texts = new RememberedTexts(new KeyedHash(), 2);
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    for (let number = 0; number < 300_000; number++) {
      append(texts, { owner: 1, text: `text ${number}`, number });
      if (texts.count > 100) texts.drop(texts.first);
    }
    // The remains of other tests in this process may hold memory for a moment.
    const held = () => {
      collectGarbage();
      return process.memoryUsage().arrayBuffers - before;
    };
    await expect.poll(held).toBeLessThan(2 ** 20);
    expect(texts.count).toBe(100);
  });

  test("are what a list of them would say, in order, found unit by unit, also after a snapshot", () => {
    const action = fc.constantFrom("append", "append", "append", "append", "drop", "drop largest");
    const step = fc.tuple(action, owner, text);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, isCrowded) => {
        const makeHash = (second: number) =>
          isCrowded ? new CrowdedHash([1, second]) : new KeyedHash([1, second]);
        let texts = new RememberedTexts(makeHash(1), 2);
        const entries: Entry[] = [];
        steps.forEach(([action, of, what], number) => {
          // It also continues from a snapshot, in other slots.
          if (number % 17 === 16) texts = restored(written(texts), makeHash(3));
          const known = entries.findIndex((entry) => entry.owner === of && entry.text === what);
          expect(texts.find(of, what) === NO_TEXT).toBe(known < 0);
          if (action === "drop") {
            if (entries.shift() !== undefined) texts.drop(texts.first);
          } else if (action === "drop largest") {
            if (entries.length === 0) return;
            entries.splice(oldestOfLargest(entries), 1);
            texts.drop(texts.firstOfLargest);
          } else if (known < 0) {
            const entry = { owner: of, text: what, number };
            append(texts, entry);
            entries.push(entry);
          }
        });
        expectSame(texts, entries);

        const bytes = written(texts);
        const again = restored(bytes, makeHash(2));
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
        append(texts, { owner: 0, text: what, number: 2 });
        const hash = new StateHash();
        texts.addTo(hash, "17 ", texts.first, 1);
        const expected = new StateHash();
        expected.text(`17 ${what}`);
        expected.number(2);
        expect(hash.digest()).toBe(expected.digest());
      }),
    );
  });

  test("of which all but one owner's are dropped leave no memory behind", () => {
    const texts = new RememberedTexts(new KeyedHash(), 2);
    append(texts, { owner: 2, text: "stays", number: 1 });
    for (let number = 0; number < 300_000; number++) {
      append(texts, { owner: 1, text: `${number}`.padStart(number % 40, "x"), number });
      if (texts.count > 1000) texts.drop(texts.firstOfLargest);
    }
    expect(texts.find(2, "stays")).toBe(texts.first);
    expect(texts.count).toBe(1000);
  });

  test("shared by all are found for every owner", () => {
    const texts = new RememberedTexts(new KeyedHash(), 2, true);
    append(texts, { owner: 2, text: "key", number: 1 });
    expect(texts.find(1, "key")).toBe(texts.first);
  });

  test("go round their slots", () => {
    const texts = new RememberedTexts(new KeyedHash(), 2);
    let first = 0;
    for (let number = 0; number < 1_200_000; number++) {
      append(texts, { owner: 1, text: `text ${number}`, number });
      // Occasionally many expire at once, as when no command came for days.
      const keptMax = number % 7000 < 5000 ? 3000 : 10;
      while (texts.count > keptMax) {
        texts.drop(texts.first);
        first++;
      }
      if (number % 1000 === 0) expect(texts.textOf(texts.first)).toBe(`text ${first}`);
    }
    expect(texts.find(1, `text ${first - 1}`)).toBe(NO_TEXT);
    const kept = Array.from({ length: texts.count }, (_, place) => first + place);
    const entries = kept.map((number) => ({ owner: 1, text: `text ${number}`, number }));
    expectSame(texts, entries);
    expectSame(restored(written(texts), new KeyedHash()), entries);
  });

  test("are refused in a form that is never written, in which they would not be found", () => {
    const of = (units: number, ...bytes: number[]) => {
      const snapshot = new SnapshotWriter();
      snapshot.int(1);
      snapshot.rows(Float64Array.of(7, units), 1, 2);
      snapshot.rows(Float64Array.of(0, 0), 1, 2);
      snapshot.block(Uint8Array.from(bytes), 0, bytes.length);
      return snapshot.bytes();
    };
    expect(restored(of(1, 0x61), new KeyedHash()).find(7, "a")).toBe(0);
    expect(() => restored(of(-1, 0x61, 0), new KeyedHash())).toThrow(
      "a form that is never written",
    );
    expect(() => restored(of(1, 0xe9), new KeyedHash())).toThrow("a form that is never written");
    expect(() => restored(of(2, 0x61), new KeyedHash())).toThrow("ends too early");
    expect(() => restored(of(2 ** 40, 0x61), new KeyedHash())).toThrow("of no length");
    const ofNobody = () => {
      const snapshot = new SnapshotWriter();
      snapshot.int(1);
      snapshot.rows(Float64Array.of(-1, 1), 1, 2);
      snapshot.rows(Float64Array.of(0, 0), 1, 2);
      snapshot.block(Uint8Array.of(0x61), 0, 1);
      return snapshot.bytes();
    };
    expect(() => restored(ofNobody(), new KeyedHash())).toThrow("of no owner");
  });
});

describe("rows of a snapshot", () => {
  const integer = fc.oneof(
    fc.nat({ max: 200 }),
    fc.maxSafeInteger().map(Math.abs),
    fc.constantFrom(0, 63, 64, 8191, 8192, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER),
  );

  test("are read as they were written", () => {
    const rows = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.tuple(
          fc.constant(width),
          fc.array(fc.array(integer, { minLength: width, maxLength: width }), { maxLength: 30 }),
        ),
      );
    fc.assert(
      fc.property(rows, ([width, values]) => {
        const written = Float64Array.from(values.flat());
        const snapshot = new SnapshotWriter();
        snapshot.rows(written, values.length, width);
        const reader = new SnapshotReader(snapshot.bytes());
        const read = new Float64Array(written.length);
        reader.rows(read, values.length, width);
        reader.end();
        expect(read).toEqual(written);
      }),
    );
  });

  test("that repeat or grow a little take a byte for each number", () => {
    const snapshot = new SnapshotWriter();
    snapshot.rows(Float64Array.of(7, 1, 8, 64, 8, 1), 3, 2);
    expect(new SnapshotReader(snapshot.bytes()).packedRows(6)).toHaveLength(6);
  });

  test("are refused where they end too early, go on or say what no number is", () => {
    const read = (...bytes: number[]) => {
      readRows(Uint8Array.from(bytes), new Float64Array(2), 2, 1);
    };
    const nobodyWrites = "that is never written";
    expect(() => read(2)).toThrow(nobodyWrites);
    expect(() => read(2, 0x82)).toThrow(nobodyWrites);
    expect(() => read(2, 2, 2)).toThrow("too many bytes");
    expect(() => read(2, ...Array.from({ length: 9 }, () => 0xff), 1)).toThrow(nobodyWrites);
    expect(() => read(2, 1)).toThrow(nobodyWrites);
    expect(() => read(2, 0x82, 0)).toThrow(nobodyWrites);
  });

  test("are of integers", () => {
    const snapshot = new SnapshotWriter();
    expect(() => snapshot.rows(Float64Array.of(0.5), 1, 1)).toThrow("integers");
  });
});

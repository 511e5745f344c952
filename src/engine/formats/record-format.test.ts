import { expect, test } from "vitest";
import { RecordFormat } from "./record-format.ts";
import { SnapshotReader, SnapshotWriter } from "./snapshot.ts";
import { StateHash } from "./state-hash.ts";

interface Thing {
  readonly id: number;
  readonly amount: number;
  readonly isOpen: boolean;
  readonly name: string;
  readonly others: readonly number[];
}
const THING = new RecordFormat<Thing>({
  id: "int",
  amount: "number",
  isOpen: "flag",
  name: "text",
  others: "numbers",
});
const things: Thing[] = [
  { id: 1, amount: 2 ** 53 - 1, isOpen: true, name: "first", others: [] },
  { id: -2, amount: 0.5, isOpen: false, name: "", others: [3, 2 ** 40] },
];
const hashOf = (fill: (hash: StateHash) => void) => {
  const hash = new StateHash();
  fill(hash);
  return hash.digest();
};

test("records come back from a snapshot as they were written", () => {
  const snapshot = new SnapshotWriter();
  THING.writeAllTo(snapshot, things);
  const reader = new SnapshotReader(snapshot.bytes());
  expect(THING.readAllFrom(reader)).toEqual(things);
  reader.end();
});

test("the bytes of a record are its fields one after the other", () => {
  const [byFormat, byHand] = [new SnapshotWriter(), new SnapshotWriter()];
  THING.writeTo(byFormat, things[1]);
  byHand.int(-2);
  byHand.number(0.5);
  byHand.flag(false);
  byHand.text("");
  byHand.int(2);
  byHand.number(3);
  byHand.number(2 ** 40);
  expect(byFormat.bytes()).toEqual(byHand.bytes());
});

test("the hash of a record is that of its fields one after the other", () => {
  const byHand = hashOf((hash) => {
    hash.number(1);
    hash.number(2 ** 53 - 1);
    hash.number(1);
    hash.text("first");
  });
  expect(hashOf((hash) => THING.writeTo(hash, things[0]))).toBe(byHand);
});

test("each field of each record counts in the hash", () => {
  const changes: Partial<Thing>[] = [
    { id: 2 },
    { amount: 1 },
    { isOpen: false },
    { name: "other" },
    { others: [1] },
  ];
  const changed = changes.map((change) => [{ ...things[0], ...change }, things[1]]);
  const hashes = [things, things.slice(1), ...changed].map((each) =>
    hashOf((hash) => THING.writeAllTo(hash, each)),
  );
  expect(new Set(hashes).size).toBe(hashes.length);
});

test("more records than there can be bytes for are refused before any is read", () => {
  const snapshot = new SnapshotWriter();
  snapshot.int(1_000_000);
  expect(() => THING.readAllFrom(new SnapshotReader(snapshot.bytes()))).toThrow(/cannot follow/);
});

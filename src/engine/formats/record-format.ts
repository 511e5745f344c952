/**
 * The fields of a record that is part of the engine's state, defined once: written to the state
 * hash and to a snapshot, and read back, in this order.
 *
 * Not for records of which there may be millions, such as orders with their details: access to
 * fields by name makes those a fifth slower to write and to hash. Which records exist, their order
 * and the state that is derived from them on restore are up to their owner.
 */
import type { SnapshotReader } from "./snapshot.ts";
import type { StateWriter } from "./state-writer.ts";

/**
 * `int` has 32 bits; `numbers` is an array, whose length only the snapshot stores; the length of
 * `texts` is part of the hash too.
 */
type Kind = "number" | "int" | "flag" | "text" | "numbers" | "texts";

/** The encoding of each field, in the order of the bytes: any that fits the field's type. */
export type RecordFields<T> = {
  readonly [Name in keyof T]-?: T[Name] extends number
    ? "number" | "int"
    : T[Name] extends boolean
      ? "flag"
      : T[Name] extends string
        ? "text"
        : T[Name] extends readonly string[]
          ? "texts"
          : "numbers";
};

/** The minimum number of bytes that a field of each kind takes in a snapshot. */
const BYTES_MIN: Readonly<Record<Kind, number>> = {
  number: 8,
  int: 4,
  flag: 1,
  text: 4,
  numbers: 4,
  texts: 4,
};

export class RecordFormat<T extends object> {
  readonly #fields: readonly (readonly [keyof T, Kind])[];
  /** The minimum number of bytes that a record takes in a snapshot. */
  readonly bytesMin: number;

  constructor(fields: RecordFields<T>) {
    this.#fields = Object.entries(fields) as [keyof T, Kind][];
    this.bytesMin = this.#fields.reduce((sum, [, kind]) => sum + BYTES_MIN[kind], 0);
  }

  writeTo(to: StateWriter, record: T): void {
    for (const [name, kind] of this.#fields) {
      const value: unknown = record[name];
      if (kind === "number") to.number(value as number);
      else if (kind === "int") to.int(value as number);
      else if (kind === "text") to.text(value as string);
      else if (kind === "flag") to.flag(value as boolean);
      else if (kind === "texts") {
        to.int((value as string[]).length);
        for (const each of value as string[]) to.text(each);
      } else {
        if (!to.isHash) to.int((value as number[]).length);
        for (const each of value as number[]) to.number(each);
      }
    }
  }

  readFrom(snapshot: SnapshotReader): T {
    const record: Partial<Record<keyof T, unknown>> = {};
    for (const [name, kind] of this.#fields) {
      if (kind === "number") record[name] = snapshot.number();
      else if (kind === "int") record[name] = snapshot.int();
      else if (kind === "text") record[name] = snapshot.text();
      else if (kind === "flag") record[name] = snapshot.flag();
      else if (kind === "texts") {
        record[name] = Array.from({ length: snapshot.count(BYTES_MIN.text) }, () =>
          snapshot.text(),
        );
      } else record[name] = Array.from({ length: snapshot.count(8) }, () => snapshot.number());
    }
    return record as T;
  }

  /** Writes the number of records, then each record. */
  writeAllTo(to: StateWriter, records: readonly T[]): void {
    to.int(records.length);
    for (const record of records) this.writeTo(to, record);
  }

  readAllFrom(snapshot: SnapshotReader): T[] {
    return Array.from({ length: snapshot.count(this.bytesMin) }, () => this.readFrom(snapshot));
  }
}

/** Records that form one part of the engine's state. */
export class RecordPart<T extends object> extends RecordFormat<T> {
  readonly #name: string;
  readonly #isInOldHashes: boolean;

  /** @param isInOldHashes false for a part that earlier hashes lack, which is omitted if empty */
  constructor(name: string, fields: RecordFields<T>, isInOldHashes = true) {
    super(fields);
    this.#name = name;
    this.#isInOldHashes = isInOldHashes;
  }

  writePartTo(to: StateWriter, records: readonly T[]): void {
    if (to.isHash && records.length === 0 && !this.#isInOldHashes) return;
    to.part(this.#name);
    this.writeAllTo(to, records);
  }

  readPartFrom(snapshot: SnapshotReader): T[] {
    snapshot.part(this.#name);
    return this.readAllFrom(snapshot);
  }
}

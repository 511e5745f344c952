/**
 * A kind of record is a map of its fields. Each field names its SQL column and the column's content;
 * the types of the record and of its row, the conversions between them, and the packing for snapshots
 * are derived from the map.
 */
import {
  type Columns,
  columnsOf,
  type PackedAs,
  type PackedColumn,
  valueAt,
} from "./packed-columns.ts";

interface Field {
  readonly column: string;
  readonly packedAs: PackedAs;
  /** Whether later events may change the field's value. */
  readonly changes: boolean;
  /** Whether the field may be absent from a record, whose row then holds "". */
  readonly isOptional: boolean;
  readonly toSql: (value: never) => number | string;
  readonly fromSql: (stored: never) => unknown;
}
type Fields = Readonly<Record<string, Field>>;
type ValueOf<F extends Field> = ReturnType<F["fromSql"]>;
type Named<
  F extends Fields,
  Flag extends keyof Field,
  Name extends keyof F,
> = F[Name][Flag] extends true ? Name : never;

export type RecordOf<F extends Fields> = {
  readonly [Name in keyof F as Exclude<Name, Named<F, "isOptional", Name>>]: ValueOf<F[Name]>;
} & {
  readonly [Name in keyof F as Named<F, "isOptional", Name>]?: ValueOf<F[Name]>;
};
/** A record whose changing fields are writable. */
export type ChangingRecordOf<F extends Fields> = RecordOf<F> & {
  -readonly [
    Name in keyof F as Exclude<Named<F, "changes", Name>, Named<F, "isOptional", Name>>
  ]: ValueOf<F[Name]>;
} & {
  -readonly [
    Name in keyof F as Extract<Named<F, "changes", Name>, Named<F, "isOptional", Name>>
  ]?: ValueOf<F[Name]>;
};
export type RowOf<F extends Fields> = {
  [Name in keyof F as F[Name]["column"]]: ReturnType<F[Name]["toSql"]>;
};

/** A column whose value never changes after the record was created. */
export function fixed<Name extends string>(column: Name) {
  return columnHolding(column, false);
}
/** A column that later events may change. */
export function changing<Name extends string>(column: Name) {
  return columnHolding(column, true);
}

function columnHolding<Name extends string, Changes extends boolean>(
  column: Name,
  changes: Changes,
) {
  const required = { column, changes, isOptional: false } as const;
  return {
    integer: () => ({ ...required, packedAs: "numbers", ...asItIs<number>() }) as const,
    /** Specify the type of the texts explicitly: if inferred, it becomes `any`. */
    text: <Text extends string>() =>
      ({ ...required, packedAs: "texts", ...asItIs<Text>() }) as const,
    /** A flag, stored as 0 or 1. */
    flag: () =>
      ({
        ...required,
        packedAs: "values",
        toSql: (flag: boolean): number => (flag ? 1 : 0),
        fromSql: (stored: number) => stored === 1,
      }) as const,
    /** A value stored as JSON; "" if the record has none. */
    optionalJson: <Value>() =>
      ({
        ...required,
        isOptional: true,
        packedAs: "values",
        toSql: (value: Value | undefined) => (value === undefined ? "" : JSON.stringify(value)),
        fromSql: (stored: string) => (stored === "" ? undefined : (JSON.parse(stored) as Value)),
      }) as const,
  };
}

function asItIs<Value>() {
  return { toSql: (value: Value) => value, fromSql: (stored: Value) => stored };
}

export class RecordKind<F extends Fields> {
  readonly fields: F;
  readonly #entries: readonly (readonly [name: string, field: Field])[];
  /** Cloned for each record and row, so that all of a kind share a hidden class in fast mode. */
  readonly #blankRecord: Readonly<Record<string, unknown>>;
  readonly #blankRow: Readonly<Record<string, number | string>>;

  constructor(fields: F) {
    this.fields = fields;
    this.#entries = Object.entries(fields);
    const required = this.#entries.filter(([, field]) => !field.isOptional);
    this.#blankRecord = Object.fromEntries(required.map(([name]) => [name, 0]));
    this.#blankRow = Object.fromEntries(this.#entries.map(([, { column }]) => [column, 0]));
  }

  get columns(): string[] {
    return this.#entries.map(([, field]) => field.column);
  }

  /** The columns that later events may change. */
  get changingColumns(): string[] {
    return this.#entries.filter(([, field]) => field.changes).map(([, field]) => field.column);
  }

  readonly fromRow = (row: RowOf<F>): RecordOf<F> =>
    this.#build(({ column, fromSql }) =>
      fromSql(
        (row as Readonly<Record<string, unknown>> as Readonly<Record<string, never>>)[column],
      ),
    );

  readonly toRow = (record: RecordOf<F>): RowOf<F> => {
    const values = record as Readonly<Record<string, never>>;
    const row = { ...this.#blankRow };
    for (const [name, { column, toSql }] of this.#entries) row[column] = toSql(values[name]);
    return row as RowOf<F>;
  };

  pack(records: readonly RecordOf<F>[]): Columns<RecordOf<F>> {
    const packing = this.#entries.map(([name, { packedAs }]) => [name, packedAs]);
    return columnsOf(records, Object.fromEntries(packing));
  }

  unpack(packed: Columns<RecordOf<F>>, at: number): RecordOf<F> {
    const columns: Readonly<Record<string, PackedColumn>> = packed;
    return this.#build((_, name) => valueAt(columns[name], at));
  }

  #build(valueOf: (field: Field, name: string) => unknown): RecordOf<F> {
    const record = { ...this.#blankRecord };
    for (const [name, field] of this.#entries) {
      const value = valueOf(field, name);
      if (value !== undefined) record[name] = value;
    }
    return record as RecordOf<F>;
  }
}

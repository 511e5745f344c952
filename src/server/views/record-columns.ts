/**
 * Records of one shape as columns, for snapshots: an array for each field instead of an object for
 * each record, which would name its fields over again and be built anew by every start.
 */

type KindOf<Value> = [Value] extends [number]
  ? "numbers"
  : [Value] extends [string]
    ? "texts"
    : "values";

/** Every field of a record and what stands in it. */
export type Fields<Item> = { readonly [Field in keyof Item]-?: KindOf<Item[Field]> };

/** Each different text once, and for each record the place of its own. */
interface Texts<Text extends string> {
  readonly words: readonly Text[];
  readonly places: Int32Array;
}

type ColumnOf<Value> = [Value] extends [number]
  ? Int32Array | Float64Array
  : [Value] extends [string]
    ? Texts<Value>
    : readonly Value[];

export type Columns<Item> = { readonly [Field in keyof Item]-?: ColumnOf<Item[Field]> };

export function columnsOf<Item extends object>(
  items: readonly Item[],
  fields: Fields<Item>,
): Columns<Item> {
  const columns = Object.entries(fields).map(([field, kind]) => {
    const values = items.map((item) => item[field as keyof Item] as unknown);
    if (kind === "numbers") return [field, numbersOf(values as number[])];
    return [field, kind === "texts" ? textsOf(values as string[]) : values];
  });
  return Object.fromEntries(columns) as Columns<Item>;
}

export function textAt<Text extends string>({ words, places }: Texts<Text>, at: number): Text {
  return words[places[at]];
}

/** In half the memory where all are small. */
export function numbersOf(values: readonly number[]): Int32Array | Float64Array {
  const small = Int32Array.from(values);
  return values.every((value, at) => Object.is(value, small[at]))
    ? small
    : Float64Array.from(values);
}

function textsOf(values: readonly string[]): Texts<string> {
  const placeOf = new Map<string, number>();
  const places = Int32Array.from(values, (value) => {
    const place = placeOf.get(value) ?? placeOf.size;
    placeOf.set(value, place);
    return place;
  });
  return { words: [...placeOf.keys()], places };
}

/**
 * Stores records of one kind as columns, for snapshots: an array for each field instead of an
 * object for each record, which would repeat the field names and be rebuilt at every start.
 */

/** How the values of a field are packed. */
export type PackedAs = "numbers" | "texts" | "values";

/** Each distinct text once, and for each record the index of its text. */
interface Texts<Text extends string> {
  readonly words: readonly Text[];
  readonly places: Int32Array;
}

type ColumnOf<Value> = [Value] extends [number]
  ? Int32Array | Float64Array
  : [Value] extends [string]
    ? Texts<Value>
    : readonly Value[];

export type PackedColumn = Int32Array | Float64Array | Texts<string> | readonly unknown[];

export type Columns<Item> = { readonly [Field in keyof Item]-?: ColumnOf<Item[Field]> };

export function columnsOf<Item extends object>(
  items: readonly Item[],
  packing: Readonly<Record<keyof Item, PackedAs>>,
): Columns<Item> {
  const columns = Object.entries<PackedAs>(packing).map(([name, packedAs]) => {
    const field = name as keyof Item;
    if (packedAs === "numbers")
      return [name, numbersOf(items.length, (at) => items[at][field] as number)];
    if (packedAs === "texts")
      return [name, textsOf(items.length, (at) => items[at][field] as string)];
    return [name, items.map((item) => item[field])];
  });
  return Object.fromEntries(columns) as Columns<Item>;
}

export function valueAt(column: PackedColumn, at: number): unknown {
  return "words" in column ? textAt(column, at) : column[at];
}

export function textAt<Text extends string>({ words, places }: Texts<Text>, at: number): Text {
  return words[places[at]];
}

/** Numbers in half the memory if all are small. */
export function numbersOf(
  count: number,
  valueAt: (at: number) => number,
): Int32Array | Float64Array {
  const numbers = new Float64Array(count);
  let areSmall = true;
  for (let at = 0; at < count; at += 1) {
    const value = valueAt(at);
    numbers[at] = value;
    if ((value | 0) !== value || Object.is(value, -0)) areSmall = false;
  }
  return areSmall ? Int32Array.from(numbers) : numbers;
}

function textsOf(count: number, valueAt: (at: number) => string): Texts<string> {
  const words: string[] = [];
  const placeOf = new Map<string, number>();
  const places = new Int32Array(count);
  for (let at = 0; at < count; at += 1) {
    const word = valueAt(at);
    let place = placeOf.get(word);
    if (place === undefined) {
      place = words.push(word) - 1;
      placeOf.set(word, place);
    }
    places[at] = place;
  }
  return { words, places };
}

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
  const columns = Object.entries(fields).map(([name, kind]) => {
    const field = name as keyof Item;
    if (kind === "numbers")
      return [name, numbersOf(items.length, (at) => items[at][field] as number)];
    if (kind === "texts") return [name, textsOf(items.length, (at) => items[at][field] as string)];
    return [name, items.map((item) => item[field])];
  });
  return Object.fromEntries(columns) as Columns<Item>;
}

export function textAt<Text extends string>({ words, places }: Texts<Text>, at: number): Text {
  return words[places[at]];
}

/** In half the memory where all are small. */
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

/**
 * The schema of a definition's fields, declared once: it validates a definition that arrives from
 * outside, types included, and copies it with its fields in this order and nothing else. Pure.
 */
export interface Field<T> {
  accepts(value: unknown): boolean;
  /** The copy to keep of a valid value. */
  kept(value: T): T;
}

/** The fields of a definition, in the order in which they are kept. */
export type Fields<T> = { readonly [Name in keyof T]-?: Field<T[Name]> };

/** A field whose values are kept unchanged. */
export function plain<T>(accepts: (value: unknown) => boolean): Field<T> {
  return { accepts, kept: (value) => value };
}

export function text(lengthMax: number, pattern?: RegExp): Field<string> {
  return plain((value) => {
    if (typeof value !== "string" || value.length > lengthMax) return false;
    return pattern === undefined || pattern.test(value);
  });
}

export function oneOf<T extends string>(...words: readonly T[]): Field<T> {
  return plain((value) => words.includes(value as T));
}

export function integer<T extends number>(min: number, max: number): Field<T> {
  return plain(
    (value) => Number.isSafeInteger(value) && (value as T) >= min && (value as T) <= max,
  );
}

/**
 * An optional field. If absent, it is left out of the copy, too: its name alone would change the
 * state hash.
 */
export function optional<T>(field: Field<T>): Field<T | undefined> {
  return {
    accepts: (value) => value === undefined || field.accepts(value),
    kept: (value) => (value === undefined ? undefined : field.kept(value)),
  };
}

export function list<T>(lengthMax: number, item: Field<T>): Field<readonly T[]> {
  return {
    accepts: (value) =>
      Array.isArray(value) &&
      value.length <= lengthMax &&
      value.every((each) => item.accepts(each)),
    kept: (value) => value.map((each) => item.kept(each)),
  };
}

export function record<T extends object>(fields: Fields<T>): Field<T> {
  const entries = Object.entries(fields) as [keyof T, Field<unknown>][];
  return {
    accepts: (value) =>
      typeof value === "object" &&
      value !== null &&
      entries.every(([name, field]) => field.accepts((value as T)[name])),
    kept: (value) => {
      const kept = entries.map(([name, field]) => [name, field.kept(value[name])] as const);
      return Object.fromEntries(kept.filter(([, part]) => part !== undefined)) as T;
    },
  };
}

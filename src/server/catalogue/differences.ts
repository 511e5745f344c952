/** Compares two descriptions of a coin, a plan or a market, field by field. */
export interface FieldDifference {
  /** The field's name, such as "largestOrder" or "fees.makerFeeBps". */
  readonly name: string;
  /** The field's values as text; "none" if absent. */
  readonly before: string;
  readonly after: string;
  /** Name and values, such as `largestOrder 1000 → 2000`. */
  readonly words: string;
}

/** The fields that differ, in the order in which they are declared. */
export function fieldDifferences(before: object, after: object): FieldDifference[] {
  const [old, next] = [flattened(before), flattened(after)];
  const names = new Set([...old.keys(), ...next.keys()]);
  return [...names].flatMap((name) => {
    const [oldValue, newValue] = [old.get(name), next.get(name)];
    if (formatValue(oldValue) === formatValue(newValue)) return [];
    const [from, to] =
      name === "icon"
        ? [imageOf(oldValue), imageOf(newValue)]
        : [formatValue(oldValue), formatValue(newValue)];
    return [{ name, before: from, after: to, words: `${name} ${from} → ${to}` }];
  });
}

/** Values by field name; fields of a nested object have its name as a prefix. */
function flattened(fields: object): Map<string, unknown> {
  return new Map(
    Object.entries(fields).flatMap(([name, value]: [string, unknown]) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? [...flattened(value)].map(([inner, each]) => [`${name}.${inner}`, each] as const)
        : [[name, value] as const],
    ),
  );
}

function formatValue(value: unknown): string {
  if (value === undefined) return "none";
  if (typeof value !== "string") return JSON.stringify(value, sortedKeys);
  if (value === "") return "empty";
  // 0.10 and 0.1 are the same step.
  return /^\d+\.\d+$/.test(value) ? value.replace(/\.?0+$/, "") : value;
}

function imageOf(base64: unknown): string {
  if (typeof base64 !== "string") return "none";
  return `image of ${Buffer.from(base64, "base64").length} bytes`;
}

/** Sorts an object's fields, so that their order makes no difference. */
function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

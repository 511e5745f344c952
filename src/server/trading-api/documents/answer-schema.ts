/** The schemas of answers and messages, inferred from examples recorded from the exchange. */
import type { JsonSchema } from "./parameter-schema.ts";

/** The longest row of mixed values, such as that of a candle. */
const ROW_LENGTH_MAX = 20;

/** Fields of every example are required, fields of some are optional. */
export function schemaOfExamples(examples: readonly unknown[]): JsonSchema {
  const kinds = [...new Set(examples.map(kindOf))].toSorted();
  const objects = examples.filter(isObject);
  const lists = examples.filter((example): example is unknown[] => Array.isArray(example));
  return {
    ...(kinds.length > 0 && { type: kinds.length === 1 ? kinds[0] : kinds }),
    ...(objects.length > 0 && fieldsOf(objects)),
    ...(lists.length > 0 && itemsOf(lists)),
  };
}

/** Every field of the examples with its type, such as "symbols[].filters[].minQty: string". */
export function fieldPaths(examples: readonly unknown[]): string[] {
  return pathsOf(schemaOfExamples(examples), "").toSorted();
}

function pathsOf(schema: JsonSchema, at: string): string[] {
  const { items, prefixItems, properties = {}, type } = schema;
  return [
    `${at}: ${String(type)}`,
    ...Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, field]) =>
      pathsOf(field, at === "" ? name : `${at}.${name}`),
    ),
    ...(isObject(items) ? pathsOf(items, `${at}[]`) : []),
    ...((prefixItems ?? []) as JsonSchema[]).flatMap((item, index) =>
      pathsOf(item, `${at}[${index}]`),
    ),
  ];
}

function fieldsOf(objects: readonly JsonSchema[]): JsonSchema {
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const having = (name: string) => objects.filter((object) => Object.hasOwn(object, name));
  return {
    properties: Object.fromEntries(
      names.map((name) => [name, schemaOfExamples(having(name).map((object) => object[name]))]),
    ),
    required: names.filter((name) => having(name).length === objects.length),
  };
}

function itemsOf(lists: readonly (readonly unknown[])[]): JsonSchema {
  const items = lists.flat();
  const lengths = new Set(lists.map(({ length }) => length));
  const [length] = lengths;
  const isRow = lengths.size === 1 && length > 1 && length <= ROW_LENGTH_MAX;
  if (isRow && new Set(items.map(kindOf)).size > 1) {
    const columns = Array.from({ length }, (_, at) => lists.map((list) => list[at]));
    return { prefixItems: columns.map(schemaOfExamples), minItems: length, maxItems: length };
  }
  return items.length === 0 ? {} : { items: schemaOfExamples(items) };
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

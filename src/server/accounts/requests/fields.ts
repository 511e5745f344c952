/** Reads fields of request bodies of unknown shape, never through a prototype. */

export function fieldOf(value: unknown, name: string): unknown {
  if (!hasField(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** undefined unless the field is text. */
export function textOf(value: unknown, name: string): string | undefined {
  const found = fieldOf(value, name);
  return typeof found === "string" ? found : undefined;
}

export function hasField(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}

/**
 * Finds null characters in what clients send. PostgreSQL stores none in a text and fails a query that
 * has one among its values; SQLite keeps them, and what prints the text may end there.
 */

/** The path of the first text or name with a null character, joined by dots; undefined if none. */
export function nullCharacterAt(value: unknown): string | undefined {
  return pathOf(value)?.toReversed().join(".");
}

/** The innermost name first; empty if the value itself is the text. */
function pathOf(value: unknown): string[] | undefined {
  if (typeof value === "string") return value.includes("\0") ? [] : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (name.includes("\0")) return [name.replaceAll("\0", "")];
    const path = pathOf(inner);
    if (path === undefined) continue;
    path.push(name);
    return path;
  }
  return undefined;
}

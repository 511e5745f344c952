/**
 * Finds null characters in clients' input. PostgreSQL cannot store them in text and fails a query
 * that contains one; SQLite stores them, and programs that print the text may stop there.
 */

/**
 * The path, joined by dots, of the first string or name that contains a null character; undefined
 * if there is none.
 */
export function nullCharacterAt(value: unknown): string | undefined {
  return pathOf(value)?.toReversed().join(".");
}

/** The path's names, innermost first; empty if the value itself is the string. */
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

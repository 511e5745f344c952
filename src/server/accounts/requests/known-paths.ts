/**
 * The paths of the auth API. Any other path below the base path is refused before anything is read,
 * counted or written: made-up paths must leave no trace.
 */

/** @returns the pattern that a path matches, such as "/callback/:id"; null for an unknown path */
export type KnownPaths = (path: string) => string | null;

export function createKnownPaths(
  endpoints: Iterable<{ readonly path?: string | undefined }>,
): KnownPaths {
  const plain = new Set<string>();
  const patterns: { readonly pattern: string; readonly expression: RegExp }[] = [];
  for (const { path } of endpoints) {
    if (path === undefined) continue;
    if (!path.includes(":")) plain.add(path);
    else {
      const expression = path.replaceAll(/[.+]/g, String.raw`\$&`).replaceAll(/:\w+/g, "[^/]+");
      patterns.push({ pattern: path, expression: new RegExp(`^${expression}$`) });
    }
  }
  return (path) => {
    // Trailing slashes are ignored, as in the library's router.
    const wanted = path.length > 1 ? withoutTrailingSlashes(path) : path;
    if (plain.has(wanted)) return wanted;
    return patterns.find(({ expression }) => expression.test(wanted))?.pattern ?? null;
  };
}

/** In one pass: a regular expression would backtrack at each of thousands of slashes in the middle. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  return path.slice(0, end);
}

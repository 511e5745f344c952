/** Calls back for every node of a syntax tree, except the names of properties. */
export function visitNodes(
  node: unknown,
  onNode: (node: Readonly<Record<string, unknown>>) => void,
): void {
  if (Array.isArray(node)) {
    for (const each of node) visitNodes(each, onNode);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const known = node as Readonly<Record<string, unknown>>;
  onNode(known);
  const { type, computed } = known;
  const isName = (key: string) =>
    computed === false &&
    ((type === "MemberExpression" && key === "property") || (type === "Property" && key === "key"));
  for (const [key, value] of Object.entries(known)) {
    if (!isName(key)) visitNodes(value, onNode);
  }
}

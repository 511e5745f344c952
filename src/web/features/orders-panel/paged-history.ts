/** The newest rows are live; older ones are fetched page by page and may overlap with them. */
import type { Page } from "#contract/types.ts";

/** Live rows first, in their current state; then fetched ones that are not among them. */
export function mergeHistory<Row>(
  live: readonly Row[],
  fetched: readonly Row[],
  keyOf: (row: Row) => string,
): Row[] {
  const known = new Set(live.map(keyOf));
  return [...live, ...fetched.filter((row) => !known.has(keyOf(row)))];
}

/**
 * Continues from `cursor` until a page has an unknown row, or the history ends: the first pages
 * only repeat the live rows.
 */
export async function fetchUnknown<Row>(
  fetchPage: (cursor: string | null) => Promise<Page<Row>>,
  cursor: string | null,
  isKnown: (row: Row) => boolean,
): Promise<Page<Row>> {
  const items: Row[] = [];
  for (let next = cursor; ;) {
    const page = await fetchPage(next);
    // Known ones too: a live row that newer ones displace must not leave a gap.
    items.push(...page.items);
    if (page.cursor === null || page.items.some((row) => !isKnown(row))) {
      return { items, cursor: page.cursor };
    }
    next = page.cursor;
  }
}

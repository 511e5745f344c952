/** Merges live rows with older ones that are fetched page by page and may overlap with them. */
import type { Page } from "#contract/types.ts";

/** Merges rows: live ones first, in their current state, then fetched ones that are not among them. */
export function mergeHistory<Row>(
  live: readonly Row[],
  fetched: readonly Row[],
  keyOf: (row: Row) => string,
): Row[] {
  const known = new Set(live.map(keyOf));
  return [...live, ...fetched.filter((row) => !known.has(keyOf(row)))];
}

/** Maximum number of pages read per click, however few rows match. */
const PAGES_MAX = 10;

/**
 * Fetches from `cursor` on until a page has a new row or the history ends: first pages may only
 * repeat live rows, and others may have no row that matches the filter.
 */
export async function fetchUnknown<Row>(
  fetchPage: (cursor: string | null) => Promise<Page<Row>>,
  cursor: string | null,
  isNew: (row: Row) => boolean,
): Promise<Page<Row>> {
  const items: Row[] = [];
  let next = cursor;
  for (let pages = 1; ; pages += 1) {
    const page = await fetchPage(next);
    // Known rows are kept as well: when a newer live row displaces one, it must not leave a gap.
    items.push(...page.items);
    if (page.cursor === null || pages === PAGES_MAX || page.items.some(isNew)) {
      return { items, cursor: page.cursor };
    }
    next = page.cursor;
  }
}

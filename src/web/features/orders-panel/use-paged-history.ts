import { useMutation } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { Page } from "#contract/types.ts";
import { isFiltered, type OrderFilter } from "./order-filter.ts";
import { fetchUnknown, mergeHistory } from "./paged-history.ts";

interface Fetched<Row> {
  /** The filter by which the rows were fetched. */
  readonly scope: string;
  readonly rows: readonly Row[];
  readonly cursor: string | null;
  readonly isDone: boolean;
}

/** Maximum number of live rows; fewer, without a filter, are the entire history. */
const LIVE_ROWS_MAX = 100;

/**
 * Pages through a history whose newest rows are live.
 * @param live the newest rows of the filter; undefined while they load
 * @param filter fetched rows of another filter are dropped
 * @param fetchPage reads a page of the filter's rows
 * @param keyOf must be the same function on every render
 */
export function usePagedHistory<Row>(
  live: readonly Row[] | undefined,
  filter: OrderFilter,
  fetchPage: (cursor: string | null) => Promise<Page<Row>>,
  keyOf: (row: Row) => string,
) {
  const scope = JSON.stringify(filter);
  const nothing: Fetched<Row> = { scope, rows: [], cursor: null, isDone: false };
  const [fetched, setFetched] = useState(nothing);
  const current = fetched.scope === scope ? fetched : nothing;
  const rows = useMemo(
    () => mergeHistory(live ?? [], current.rows, keyOf),
    [live, current.rows, keyOf],
  );
  // A failure is shown as a toast, as by every mutation.
  const {
    isPending,
    isError,
    mutate: loadMore,
  } = useMutation({
    mutationFn: async (): Promise<Fetched<Row>> => {
      const known = new Set(rows.map(keyOf));
      const page = await fetchUnknown(fetchPage, current.cursor, (row) => !known.has(keyOf(row)));
      return {
        scope,
        rows: mergeHistory(current.rows, page.items, keyOf),
        cursor: page.cursor,
        isDone: page.cursor === null,
      };
    },
    onSuccess: setFetched,
  });
  const hasAllLive = live !== undefined && live.length < LIVE_ROWS_MAX;
  // Only the history shows whether older rows than the live ones match.
  const mayHaveOlder =
    isFiltered(filter) && hasAllLive && !current.isDone && current.cursor === null && !isError;
  const isDue = mayHaveOlder && !isPending;
  useEffect(() => {
    if (isDue) loadMore();
  }, [isDue, loadMore]);
  return {
    rows,
    isSearching: mayHaveOlder && rows.length === 0,
    hasMore: !current.isDone && (isFiltered(filter) || !hasAllLive) && !mayHaveOlder,
    isLoading: isPending,
    loadMore: () => loadMore(),
  };
}

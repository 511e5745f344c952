import { useMutation } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Page } from "#contract/types.ts";
import { fetchUnknown, mergeHistory } from "./paged-history.ts";

interface Fetched<Row> {
  readonly rows: readonly Row[];
  readonly cursor: string | null;
  readonly isDone: boolean;
}

const NOTHING = { rows: [], cursor: null, isDone: false } as const;
/** Fewer live rows than this are the whole history. */
const LIVE_ROWS_MAX = 100;

/**
 * @param scope what the rows belong to; fetched rows of another scope are dropped
 * @param keyOf must be the same function on every render
 * @param matches which rows are wanted: more are loaded until there is one
 */
export function usePagedHistory<Row>(
  live: readonly Row[],
  scope: string,
  fetchPage: (cursor: string | null) => Promise<Page<Row>>,
  keyOf: (row: Row) => string,
  matches: (row: Row) => boolean,
) {
  const [fetched, setFetched] = useState<Fetched<Row> & { readonly scope: string }>({
    ...NOTHING,
    scope,
  });
  const current = fetched.scope === scope ? fetched : { ...NOTHING, scope };
  const rows = useMemo(() => mergeHistory(live, current.rows, keyOf), [live, current.rows, keyOf]);
  // A failure is shown as a toast, as for every mutation.
  const loading = useMutation({
    mutationFn: () => {
      const known = new Set(rows.map(keyOf));
      return fetchUnknown(
        fetchPage,
        current.cursor,
        (row) => !known.has(keyOf(row)) && matches(row),
      );
    },
    onSuccess: (page) =>
      setFetched({
        scope,
        rows: mergeHistory(current.rows, page.items, keyOf),
        cursor: page.cursor,
        isDone: page.cursor === null,
      }),
  });
  return {
    rows,
    hasMore: !current.isDone && live.length >= LIVE_ROWS_MAX,
    isLoading: loading.isPending,
    loadMore: () => loading.mutate(),
  };
}

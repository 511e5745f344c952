import { useEffect, useState } from "react";

/** One click reads no more than this, however few rows match. */
const PAGES_MAX = 10;

interface Search {
  readonly scope: string;
  /** Rows that were shown when it began: it ends with another one. */
  readonly shown: number;
  /** Until there are as many rows. */
  readonly rowsMax: number;
}

interface Pages {
  readonly results: readonly unknown[];
  readonly status: "LoadingFirstPage" | "CanLoadMore" | "LoadingMore" | "Exhausted";
  readonly loadMore: (rows: number) => void;
}

/**
 * Loading more of a list of which only some rows are shown: continues page by page until another row is
 * shown, or the list ends.
 * @param scope which rows are shown: a search does not outlast it
 * @param shown how many of the rows are shown
 */
export function useSearchedPages(pages: Pages, scope: string, shown: number, pageSize: number) {
  const { results, status, loadMore } = pages;
  const [search, setSearch] = useState<Search | null>(null);
  const isSearching =
    search !== null &&
    search.scope === scope &&
    shown <= search.shown &&
    results.length < search.rowsMax;
  const isDue = isSearching && status === "CanLoadMore";
  useEffect(() => {
    if (isDue) loadMore(pageSize);
  }, [isDue, loadMore, pageSize]);
  return {
    hasMore: status !== "Exhausted",
    isLoading: status === "LoadingMore" || isDue,
    loadMore: () => setSearch({ scope, shown, rowsMax: results.length + PAGES_MAX * pageSize }),
  };
}

import { useEffect, useState } from "react";

interface Search {
  readonly scope: string;
  /** Rows that there were when it began: it ends with another one. */
  readonly rows: number;
}

interface Pages {
  readonly results: readonly unknown[];
  readonly status: "LoadingFirstPage" | "CanLoadMore" | "LoadingMore" | "Exhausted";
  readonly loadMore: (rows: number) => void;
}

/**
 * Loading more of a list whose pages may be empty although more follow, since the server searches a
 * limited number of rows for each: continues page by page until there is another row, or the list ends.
 * @param scope what is searched for: a search does not outlast it
 */
export function useSearchedPages(pages: Pages, scope: string, pageSize: number) {
  const { results, status, loadMore } = pages;
  const [search, setSearch] = useState<Search | null>(null);
  const isSearching =
    results.length === 0 || (search?.scope === scope && results.length <= search.rows);
  const isDue = isSearching && status === "CanLoadMore";
  useEffect(() => {
    if (isDue) loadMore(pageSize);
  }, [isDue, loadMore, pageSize]);
  return {
    hasMore: status !== "Exhausted",
    isLoading: status === "LoadingMore" || isDue,
    loadMore: () => setSearch({ scope, rows: results.length }),
  };
}

import { useEffect, useState } from "react";

interface Search {
  readonly scope: string;
  /** Number of rows when the search began; it ends once there are more. */
  readonly rows: number;
}

interface Pages {
  readonly results: readonly unknown[];
  readonly status: "LoadingFirstPage" | "CanLoadMore" | "LoadingMore" | "Exhausted";
  readonly loadMore: (rows: number) => void;
}

/**
 * Loads more of a list whose pages may be empty although more follow, since the server searches a
 * limited number of rows per page: continues page by page until there is another row, or the list
 * ends.
 * @param scope identifies the search; a search ends when it changes
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

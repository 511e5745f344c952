import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { type ReactNode, useCallback, useRef } from "react";
import type { Page } from "#contract/types.ts";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { SkeletonRows } from "../ui/skeleton-rows.tsx";
import { Unreadable } from "./unreadable.tsx";

interface PagedFeedProps<Item> {
  readonly feed: UseInfiniteQueryResult<InfiniteData<Page<Item>>>;
  /** Such as "changes", in "The changes could not be read". */
  readonly what: string;
  readonly label?: string;
  readonly empty: ReactNode;
  /** Shown above the rows; while there is one, the feed is neither empty nor at its end. */
  readonly notice?: ReactNode;
  /** Content below the loaded rows, beside the button that loads more. */
  readonly footer?: ReactNode;
  readonly children: (item: Item) => ReactNode;
}

/** A list that is loaded page by page, newest first. */
export function PagedFeed<Item>(props: PagedFeedProps<Item>) {
  const { children, empty, feed, footer, label, notice, what } = props;
  const wasAskedForOlder = useRef(false);
  // The button that requested the last page is removed, and the focus would be lost with it.
  const atEnd = useCallback((end: HTMLElement | null) => {
    if (wasAskedForOlder.current) end?.focus();
  }, []);
  if (feed.data === undefined) {
    if (!feed.isError) return <SkeletonRows count={8} />;
    return <Unreadable what={what} error={feed.error} onRetry={feed.refetch} />;
  }
  const items = feed.data.pages.flatMap((page) => page.items);
  // A page may be empty although more follow: the server searches a limited number of rows at a time.
  const isEnd = !feed.hasNextPage && notice === undefined;
  if (items.length === 0 && isEnd) return empty;
  return (
    <>
      {notice}
      <ul aria-label={label} className="divide-y" aria-busy={feed.isPlaceholderData}>
        {items.map(children)}
      </ul>
      <div
        className={classNames(
          "flex flex-wrap items-center gap-3 border-t px-4 py-2.5 text-xs text-faint",
          footer === undefined ? "justify-center" : "justify-between",
        )}
      >
        {feed.hasNextPage ? (
          <Button
            size="sm"
            busy={feed.isFetchingNextPage}
            onClick={() => {
              wasAskedForOlder.current = true;
              void feed.fetchNextPage();
            }}
          >
            Show older
          </Button>
        ) : (
          isEnd && (
            <span ref={atEnd} tabIndex={-1}>
              That is everything.
            </span>
          )
        )}
        {footer}
      </div>
    </>
  );
}

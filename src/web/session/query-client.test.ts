import { convexQuery } from "@convex-dev/react-query";
import { QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { functions } from "#contract/functions.ts";
import { createQueryClient, MARKET_DATA_KEPT_MS, RENDERED_BOOK_KEPT_MS } from "./query-client.ts";

afterEach(() => vi.useRealTimers());

const NO_BACKEND = {
  hashFn: () => (key: unknown) => JSON.stringify(key),
  queryFn: () => () => Promise.reject(new Error("nothing is fetched here")),
} as unknown as Parameters<typeof createQueryClient>[0];

const book = convexQuery(functions.markets.book, { market: "BTC-USD" });
const BOOK = { market: "BTC-USD", updateId: 1, bids: [], asks: [] };

test("a book that came with the page waits a minute for the code that shows it, and no longer", () => {
  vi.useFakeTimers();
  const queryClient = createQueryClient(NO_BACKEND, true);
  const coins = convexQuery(functions.coins.list, {});
  queryClient.setQueryData(book.queryKey, BOOK);
  queryClient.setQueryData(coins.queryKey, []);
  vi.advanceTimersByTime(RENDERED_BOOK_KEPT_MS - 1);
  expect(queryClient.getQueryData(book.queryKey)).toEqual(BOOK);
  vi.advanceTimersByTime(2);
  expect(queryClient.getQueryData(book.queryKey)).toBeUndefined();
  expect(queryClient.getQueryData(coins.queryKey)).toEqual([]);
});

test("a book is dropped soon after the last component that showed it is gone", () => {
  vi.useFakeTimers();
  const queryClient = createQueryClient(NO_BACKEND, true);
  queryClient.setQueryData(book.queryKey, BOOK);
  const observer = new QueryObserver(queryClient, {
    queryKey: book.queryKey,
    staleTime: Infinity,
    gcTime: MARKET_DATA_KEPT_MS,
  });
  const leave = observer.subscribe(() => undefined);
  vi.advanceTimersByTime(RENDERED_BOOK_KEPT_MS * 2);
  expect(queryClient.getQueryData(book.queryKey)).toEqual(BOOK);
  leave();
  vi.advanceTimersByTime(MARKET_DATA_KEPT_MS + 1);
  expect(queryClient.getQueryData(book.queryKey)).toBeUndefined();
});

import { convexQuery } from "@convex-dev/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { functions } from "#contract/functions.ts";
import { createQueryClient, MARKET_DATA_KEPT_MS } from "./query-client.ts";

afterEach(() => vi.useRealTimers());

const NO_BACKEND = {
  hashFn: () => (key: unknown) => JSON.stringify(key),
  queryFn: () => () => Promise.reject(new Error("nothing is fetched here")),
} as unknown as Parameters<typeof createQueryClient>[0];

test("a book that came with the page is dropped soon if no component shows it", () => {
  vi.useFakeTimers();
  const queryClient = createQueryClient(NO_BACKEND, true);
  const book = convexQuery(functions.markets.book, { market: "BTC-USD" });
  const coins = convexQuery(functions.coins.list, {});
  queryClient.setQueryData(book.queryKey, { market: "BTC-USD", updateId: 1, bids: [], asks: [] });
  queryClient.setQueryData(coins.queryKey, []);
  vi.advanceTimersByTime(MARKET_DATA_KEPT_MS + 1);
  expect(queryClient.getQueryData(book.queryKey)).toBeUndefined();
  expect(queryClient.getQueryData(coins.queryKey)).toEqual([]);
});

import type { ConvexQueryClient } from "@convex-dev/react-query";
import { MutationCache, notifyManager, QueryClient } from "@tanstack/react-query";
import { getFunctionName } from "convex/server";
import { functions } from "#contract/functions.ts";
import { toastError } from "../ui/toast.ts";
import { errorSentence } from "./error-sentence.ts";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** Whether the page shows the error in place; other errors are shown as toasts. */
      readonly shownInPlace?: (error: Error) => boolean;
    };
  }
}

const CACHE_KEPT_MS = 5 * 60_000;
const QUERY_RETRIES = 3;
/**
 * How long market data is kept after its page was left; a longer time would keep the subscription
 * open.
 */
export const MARKET_DATA_KEPT_MS = 5_000;
/**
 * How long an order book that came with the rendered page waits for its component, whose code takes a
 * while on a slow link: without the book React would discard what the server rendered.
 */
export const RENDERED_BOOK_KEPT_MS = 60_000;

// By default pages learn only after a timer that a request is on its way: until then the second click of a double click
// sends it again.
notifyManager.setScheduler(queueMicrotask);

/** The page's query cache; live queries come from `backend`. */
export function createQueryClient(
  backend: Pick<ConvexQueryClient, "hashFn" | "queryFn">,
  isBrowser: boolean,
): QueryClient {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        queryKeyHashFn: backend.hashFn(),
        queryFn: backend.queryFn(),
        gcTime: CACHE_KEPT_MS,
        retry: isBrowser ? QUERY_RETRIES : false,
      },
      // Without a network a request fails at once. It would wait otherwise, and be sent when it is no longer expected.
      mutations: { networkMode: "always" },
    },
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, { meta }) => {
        if (meta?.shownInPlace?.(error) !== true) toastError(errorSentence(error));
      },
    }),
  });
  if (isBrowser) {
    const book = getFunctionName(functions.markets.book);
    queryClient.setQueryDefaults(["convexQuery", book], { gcTime: RENDERED_BOOK_KEPT_MS });
    queryClient.getQueryCache().subscribe(({ type, query }) => {
      if (type !== "observerAdded" || query.queryKey[1] !== book) return;
      // A component shows it. By itself the cache keeps the longest time that was ever asked for.
      query.gcTime = MARKET_DATA_KEPT_MS;
    });
  }
  return queryClient;
}

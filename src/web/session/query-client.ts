import type { ConvexQueryClient } from "@convex-dev/react-query";
import { MutationCache, QueryClient } from "@tanstack/react-query";
import { showMutationError } from "./mutation-errors.ts";

const CACHE_KEPT_MS = 5 * 60_000;
const QUERY_RETRIES = 3;

/** The page's query cache; live queries come from `backend`. */
export function createQueryClient(
  backend: Pick<ConvexQueryClient, "hashFn" | "queryFn">,
  isBrowser: boolean,
): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryKeyHashFn: backend.hashFn(),
        queryFn: backend.queryFn(),
        gcTime: CACHE_KEPT_MS,
        retry: isBrowser ? QUERY_RETRIES : false,
      },
    },
    mutationCache: new MutationCache({ onError: showMutationError }),
  });
}

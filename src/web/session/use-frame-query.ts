import { convexQuery } from "@convex-dev/react-query";
import { type QueryClient, QueryObserver, useQueryClient } from "@tanstack/react-query";
import {
  type FunctionArgs,
  type FunctionReference,
  type FunctionReturnType,
  getFunctionName,
  makeFunctionReference,
} from "convex/server";
import { useMemo, useSyncExternalStore } from "react";
import { perFrame, type Source } from "./frame-store.ts";
import { MARKET_DATA_KEPT_MS } from "./query-client.ts";

export interface FrameQuery<Value> {
  /** The selected value; undefined until the first answer. */
  readonly data: Value | undefined;
  readonly error: Error | null;
}

/**
 * A live query for frequently updated views: rerenders at most once per animation frame, and only
 * if the selected slice changed. React Query shares unchanged parts between answers, so that a
 * slice keeps its identity.
 * @param args "skip" sends no query, such as for visitors
 * @param select must be the same function on every render
 */
export function useFrameQuery<
  Query extends FunctionReference<"query">,
  Value = FunctionReturnType<Query>,
>(
  query: Query,
  args: FunctionArgs<Query> | "skip",
  select?: (data: FunctionReturnType<Query>) => Value,
): FrameQuery<Value> {
  const queryClient = useQueryClient();
  // The query and its arguments are new objects on every render; their text can be compared.
  const name = getFunctionName(query);
  const argsText = JSON.stringify(args);
  const store = useMemo(
    () => perFrame(sourceOf(queryClient, name, argsText, select)),
    [queryClient, name, argsText, select],
  );
  return useSyncExternalStore(store.subscribe, store.read, store.read);
}

function sourceOf<Value>(
  queryClient: QueryClient,
  name: string,
  argsText: string,
  select: ((data: unknown) => Value) | undefined,
): Source<FrameQuery<Value>> {
  const args = JSON.parse(argsText) as Record<string, unknown> | "skip";
  const { queryKey } = convexQuery(makeFunctionReference<"query">(name), args);
  const observer = new QueryObserver<unknown>(queryClient, {
    queryKey,
    // The server pushes every new answer: never refetch.
    staleTime: Infinity,
    gcTime: MARKET_DATA_KEPT_MS,
    enabled: args !== "skip",
  });
  let last: FrameQuery<Value> | undefined;
  return {
    subscribe: (listener) => observer.subscribe(listener),
    read() {
      const { data, error } = observer.getCurrentResult();
      const selected =
        data === undefined ? undefined : select === undefined ? (data as Value) : select(data);
      if (last !== undefined && Object.is(last.data, selected) && last.error === error) return last;
      last = { data: selected, error };
      return last;
    },
  };
}

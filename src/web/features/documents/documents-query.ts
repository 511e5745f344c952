/** Fetches the API documents (OpenAPI and AsyncAPI) that the exchange serves. */
import { queryOptions } from "@tanstack/react-query";
import { callEntries, type DocumentEntry, socketEntries } from "./document-entries.ts";
import type { AsyncApi, OpenApi } from "./open-api.ts";

export const OPEN_API = "/api/v3/openbell/openapi.json";
export const ASYNC_API = "/api/v3/openbell/asyncapi.json";

export const documentsQuery = queryOptions({
  queryKey: ["documents"],
  queryFn: async (): Promise<readonly DocumentEntry[]> => {
    const [openApi, asyncApi] = await Promise.all([read(OPEN_API), read(ASYNC_API)]);
    return [...callEntries(openApi as OpenApi), ...socketEntries(asyncApi as AsyncApi)];
  },
  staleTime: Number.POSITIVE_INFINITY,
});

async function read(path: string): Promise<unknown> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
  return answer.json();
}

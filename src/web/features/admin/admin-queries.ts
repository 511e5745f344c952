/** The queries of the administration pages, with their polling and caching. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { ConvexReactClient } from "convex/react";
import type { HealthReport } from "#contract/health.ts";
import { functions, type AdminChangesArgs, type AuditPageArgs } from "#contract/functions.ts";
import type { Page } from "#contract/types.ts";
import { readSessions, readUser } from "./admin-client.ts";
import { argsOf, type UsersSearch } from "./users-search.ts";

/** First element of every query key here, so that any administrator action can invalidate them all. */
export const ADMIN_KEY = "admin";

const HEALTH_POLL_MS = 5_000;
const MAILS_POLL_MS = 5_000;
const NODES_POLL_MS = 3_000;
/** No retries: a refusal is final, and the connection itself resends unanswered requests. */
const NO_RETRIES = { retry: false, staleTime: 0 } as const;

export function usersQuery(backend: ConvexReactClient, search: UsersSearch) {
  const args = argsOf(search);
  return queryOptions({
    ...NO_RETRIES,
    queryKey: [ADMIN_KEY, "users", args],
    queryFn: () => backend.action(functions.users.list, args),
    placeholderData: keepPreviousData,
  });
}

export function userQuery(userId: string) {
  return queryOptions({
    ...NO_RETRIES,
    queryKey: [ADMIN_KEY, "user", userId],
    queryFn: () => readUser(userId),
  });
}

export function sessionsQuery(userId: string) {
  return queryOptions({
    ...NO_RETRIES,
    queryKey: [ADMIN_KEY, "sessions", userId],
    queryFn: () => readSessions(userId),
  });
}

/** The exchange's health report, polled while the page is open. */
export const healthQuery = queryOptions({
  ...NO_RETRIES,
  queryKey: [ADMIN_KEY, "health"],
  // A stopped exchange answers with status 503, but also with a report.
  queryFn: async (): Promise<HealthReport> => (await fetch("/api/health")).json(),
  refetchInterval: HEALTH_POLL_MS,
});

/** The mail queue, polled while the page is open because its state changes as mails are sent. */
export function mailsQuery(backend: ConvexReactClient) {
  return queryOptions({
    ...NO_RETRIES,
    queryKey: [ADMIN_KEY, "mails"],
    queryFn: () => backend.action(functions.mails.queue, {}),
    refetchInterval: MAILS_POLL_MS,
  });
}

/** The nodes of the exchange, polled while the page is open; null if one process runs it. */
export function nodesQuery(backend: ConvexReactClient) {
  return queryOptions({
    ...NO_RETRIES,
    queryKey: [ADMIN_KEY, "nodes"],
    queryFn: () => backend.action(functions.nodes.list, {}),
    refetchInterval: ({ state: { data } }) => (data?.nodes === null ? false : NODES_POLL_MS),
  });
}

export function changesQuery(backend: ConvexReactClient, args: AdminChangesArgs) {
  return pagesQuery("changes", args, (cursor) =>
    backend.action(functions.audit.changes, { ...args, ...cursor }),
  );
}

export function auditQuery(backend: ConvexReactClient, args: AuditPageArgs) {
  return pagesQuery("audit", args, (cursor) =>
    backend.action(functions.audit.page, { ...args, ...cursor }),
  );
}

/** Query of a record, loaded page by page, newest first. */
function pagesQuery<Item>(
  name: string,
  args: object,
  read: (cursor: { cursor?: string }) => Promise<Page<Item>>,
) {
  return infiniteQueryOptions({
    ...NO_RETRIES,
    queryKey: [ADMIN_KEY, name, args],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => read(pageParam === null ? {} : { cursor: pageParam }),
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
  });
}

import { queryOptions } from "@tanstack/react-query";
import { deviceText } from "../../format/user-agent.ts";
import { askAccounts } from "../../session/account-refusals.ts";
import { authClient } from "../../session/auth-client.ts";
import { retryFailures } from "./account-state.ts";

export interface ListedSession {
  readonly id: string;
  readonly token: string;
  readonly isCurrent: boolean;
  readonly device: string;
  readonly address: string;
  readonly signedInAtMs: number;
  readonly lastSeenAtMs: number;
}

interface SessionRow {
  readonly id: string;
  readonly token: string;
  readonly userAgent?: string | null | undefined;
  readonly ipAddress?: string | null | undefined;
  readonly createdAt: Date | string;
  readonly updatedAt: Date | string;
}

/** Sorts sessions for display: this device first, then the most recently used. */
export function listedSessions(
  rows: readonly SessionRow[],
  currentId: string | undefined,
): ListedSession[] {
  return rows
    .map(({ id, token, userAgent, ipAddress, createdAt, updatedAt }) => ({
      id,
      token,
      isCurrent: id === currentId,
      device: deviceText(userAgent),
      address: ipAddress ?? "",
      signedInAtMs: new Date(createdAt).getTime(),
      lastSeenAtMs: new Date(updatedAt).getTime(),
    }))
    .toSorted(
      (left, right) =>
        Number(right.isCurrent) - Number(left.isCurrent) || right.lastSeenAtMs - left.lastSeenAtMs,
    );
}

async function fetchSessions(): Promise<ListedSession[]> {
  const [sessions, current] = await Promise.all([
    askAccounts(authClient.listSessions()),
    askAccounts(authClient.getSession()),
  ]);
  return listedSessions(sessions, current?.session.id);
}

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: fetchSessions,
  retry: retryFailures,
});

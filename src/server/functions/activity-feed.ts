/**
 * A feed merged from two sources, newest first: an account's history and its user's security
 * events. Each source continues where the previous page ended, so that new events cause no shift,
 * repetition or gap.
 */
import type { Page } from "#contract/types.ts";
import type { ActivityFilter } from "#contract/record-filters.ts";
import type { ActivityItem, ActivityPage } from "#contract/users.ts";
import type { SecurityEvent, SecurityEventsPage } from "../accounts/audit/security-events.ts";
import type { Services } from "./services.ts";
import type { ActivityRecord } from "../records/activity.ts";
import { CursorError, encodeCursor } from "../database/cursor.ts";
import { requireMarket } from "./markets.ts";
import { presentActivity } from "./present-account.ts";

export interface FeedQuery extends ActivityFilter {
  readonly userId: string;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** The cursor at which each source continues: undefined at its beginning, null at its end. */
interface Position {
  readonly history: string | null | undefined;
  readonly security: string | null | undefined;
}

/** @throws CursorError */
export async function readFeed(services: Services, query: FeedQuery): Promise<ActivityPage> {
  const from = positionOf(query);
  const [history, security] = await Promise.all([
    readHistory(services, query, from.history),
    readSecurity(services, query, from.security),
  ]);
  const { items, position } = merge(services, query.limit, history, security);
  const isOver = position.history === null && position.security === null;
  const { isComplete } = history;
  return { items, cursor: isOver ? null : encodePosition(position), isComplete };
}

function positionOf({ cursor, kind, market, side }: FeedQuery): Position {
  const start = cursor === undefined ? { history: undefined, security: undefined } : decode(cursor);
  const isOfMarkets = market !== undefined || side !== undefined;
  const hasSecurity = !isOfMarkets && (kind === undefined || kind === "security");
  return {
    history: kind === "security" ? null : start.history,
    security: hasSecurity ? start.security : null,
  };
}

async function readHistory(
  { views, history }: Services,
  { userId, kind, market, side, search, grouped, from: fromMs, to: toMs, limit }: FeedQuery,
  from: Position["history"],
): Promise<Page<ActivityRecord> & { readonly isComplete: boolean }> {
  const account = views.accounts.ofUser(userId)?.account;
  if (from === null || account === undefined || kind === "security") {
    return { items: [], cursor: null, isComplete: true };
  }
  const newestSequence = views.people.lastSequence(account);
  const marketId = market === undefined ? undefined : requireMarket(views, market).marketId;
  await history.whenFresh();
  // Before reading: rows that are projected in the meantime may be missing from the page.
  const isComplete = history.projectedSequence >= newestSequence;
  const filter = { kind, marketId, side, search, grouped, fromMs, toMs };
  const page = await history.read.activity({ account, ...filter, cursor: from, limit });
  return { ...page, isComplete };
}

async function readSecurity(
  { accounts }: Services,
  { userId, search, from: fromMs, to: toMs, limit }: FeedQuery,
  from: Position["security"],
): Promise<SecurityEventsPage> {
  if (from === null) return { items: [], cursor: null };
  return accounts.securityEvents({ userId, search, fromMs, toMs, cursor: from, limit });
}

function merge(
  { views }: Services,
  limit: number,
  history: Page<ActivityRecord>,
  security: SecurityEventsPage,
): { items: ActivityItem[]; position: Position } {
  const items: ActivityItem[] = [];
  let rows = 0;
  let events = 0;
  while (items.length < limit) {
    const row = history.items.at(rows);
    const event = security.items.at(events);
    // A source that was not read to its end may still have items before the other's next item.
    if (row === undefined && history.cursor !== null) break;
    if (event === undefined && security.cursor !== null) break;
    if (row !== undefined && (event === undefined || row.timestampMs >= event.atMs)) {
      items.push(presentActivity(views, row));
      rows += 1;
    } else if (event !== undefined) {
      items.push(presentSecurityEvent(event));
      events += 1;
    } else {
      break;
    }
  }
  const nextRow = history.items.at(rows);
  return {
    items,
    position: {
      // The history continues below a position, so the position must be above the next row's own.
      history:
        nextRow === undefined
          ? history.cursor
          : encodeCursor([nextRow.sequence, nextRow.position + 1]),
      security: security.items.at(events)?.id ?? security.cursor,
    },
  };
}

/** No cursor of either source contains a tilde; the end of a source is an empty text. */
function encodePosition({ history, security }: Position): string {
  return `${history ?? ""}~${security ?? ""}`;
}

function decode(cursor: string): Position {
  const parts = cursor.split("~");
  if (parts.length !== 2) throw new CursorError("The cursor is not one that a page handed out.");
  const [history, security] = parts.map((part) => (part === "" ? null : part));
  return { history, security };
}

function presentSecurityEvent(event: SecurityEvent): ActivityItem {
  const byAdministrator = event.actorId !== null;
  return {
    id: event.id,
    kind: "security",
    time: event.atMs,
    title: event.title,
    market: null,
    coin: null,
    amount: null,
    status: event.status,
    sequence: null,
    postings: null,
    security: {
      event: event.kind,
      // Users do not see an administrator's location.
      address: byAdministrator ? null : event.address,
      userAgent: byAdministrator ? null : event.userAgent,
      byAdministrator,
    },
  };
}

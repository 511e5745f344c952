import type { ConvexReactClient } from "convex/react";
import { functions, type AuditPageArgs } from "#contract/functions.ts";
import type { AuditEvent } from "#contract/users.ts";
import { csvLine } from "../../format/csv.ts";

/** Append only: users process these files with programs. */
const COLUMNS = [
  "time",
  "event",
  "title",
  "status",
  "user id",
  "user email",
  "by id",
  "by email",
  "address",
  "device",
] as const;

const PAGE_SIZE = 200;

/** All events that match a filter, a page at a time, newest first, with times in UTC. */
export async function* auditPieces(
  backend: Pick<ConvexReactClient, "action">,
  args: AuditPageArgs,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  let cursor: string | null = null;
  do {
    const page: { items: AuditEvent[]; cursor: string | null } = await backend.action(
      functions.audit.page,
      { ...args, limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) },
    );
    yield page.items.map(auditLine).join("");
    ({ cursor } = page);
  } while (cursor !== null);
}

function auditLine(event: AuditEvent): string {
  return csvLine([
    new Date(event.time).toISOString(),
    event.kind,
    event.title,
    event.status,
    event.userId,
    event.userEmail ?? "",
    event.actorId ?? "",
    event.actorEmail ?? "",
    event.address ?? "",
    event.userAgent ?? "",
  ]);
}

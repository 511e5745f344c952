import {
  ADMIN_CHANGE_KINDS,
  type AdminChangeKind,
  SECURITY_EVENT_KINDS,
  type SecurityEventKind,
} from "#contract/users.ts";
import type { AdminChangesArgs, AuditPageArgs } from "#contract/functions.ts";
import { periodOf, parseDay } from "../../format/day.ts";

/** The audit log's search parameters; days such as "2026-11-21" are in the viewer's time zone. */
export interface AuditSearch {
  /** "exchange" lists administrators' changes instead of security events. */
  readonly of?: "exchange" | undefined;
  /** Lists only this kind of administrators' change. */
  readonly change?: AdminChangeKind | undefined;
  readonly user?: string | undefined;
  readonly kind?: SecurityEventKind | undefined;
  readonly search?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const TEXT_LENGTH_MAX = 254;

/** Parses search parameters; invalid ones are ignored. */
export function parseAuditSearch(given: Record<string, unknown>): AuditSearch {
  return {
    of: given["of"] === "exchange" ? "exchange" : undefined,
    change: ADMIN_CHANGE_KINDS.find((kind) => kind === given["change"]),
    user: textOf(given["user"]),
    kind: SECURITY_EVENT_KINDS.find((kind) => kind === given["kind"]),
    search: textOf(given["search"]),
    from: parseDay(given["from"]),
    to: parseDay(given["to"]),
  };
}

/** Arguments of the query of security events; both days are included. */
export function auditArgsOf(
  { user, kind, search, from, to }: AuditSearch,
  timeZone: string,
): AuditPageArgs {
  return { user: user?.trim(), kind, search, ...periodOf(from, to, timeZone) };
}

/** Arguments of the query of changes; `user` is the administrator who made them. */
export function changesArgsOf(
  { user, change, from, to }: AuditSearch,
  timeZone: string,
): AdminChangesArgs {
  return { admin: user?.trim(), kind: change, ...periodOf(from, to, timeZone) };
}

export function isAuditFiltered(search: AuditSearch): boolean {
  return Object.values({ ...search, of: undefined }).some((value) => value !== undefined);
}

function textOf(given: unknown): string | undefined {
  // The router parses an id of digits only as a number.
  const text = typeof given === "number" ? String(given) : given;
  if (typeof text !== "string" || text.trim() === "") return undefined;
  return text.slice(0, TEXT_LENGTH_MAX);
}

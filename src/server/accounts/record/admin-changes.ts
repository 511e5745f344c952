/**
 * What other administrators changed about who an administrator is or how they sign in. After such a
 * change the other administrator may be acting as this one, so two approvals may be one person's.
 */
import type { SecurityEventKind } from "#contract/users.ts";
import type { Database } from "../../database/open-database.ts";
import { firstIdAt, type SecurityEvents } from "./security-events.ts";

/** A user whom an administrator creates is signed up by another. */
const ROLE_CHANGES: readonly SecurityEventKind[] = ["signedUp", "roleChanged"];
const ACCESS_CHANGES: readonly SecurityEventKind[] = [
  ...ROLE_CHANGES,
  "passwordChanged",
  "secondFactorRemoved",
  "banned",
  "unbanned",
];

export interface AdminChanges {
  /** When another administrator last created the user or set their role; null if not since then. */
  readonly roleAtMs: number | null;
  /** The same, also of password, second factor and ban. */
  readonly accessAtMs: number | null;
}

/** What other users changed about this one since then. */
export async function readAdminChanges(
  { read }: Database,
  securityEvents: Pick<SecurityEvents, "settled">,
  userId: string,
  sinceMs: number,
): Promise<AdminChanges> {
  // Changes that have been made count, even if they are still being recorded.
  await securityEvents.settled();
  const rows = await read
    .selectFrom("security_events")
    .select(["kind", "at_ms"])
    .where("user_id", "=", userId)
    .where("id", ">=", firstIdAt(sinceMs))
    .where("actor_id", "is not", null)
    .where("kind", "in", ACCESS_CHANGES)
    .orderBy("id", "desc")
    .execute();
  const roleChange = rows.find(({ kind }) => ROLE_CHANGES.includes(kind as SecurityEventKind));
  return { roleAtMs: roleChange?.at_ms ?? null, accessAtMs: rows[0]?.at_ms ?? null };
}

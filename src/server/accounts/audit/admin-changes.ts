/**
 * Changes that other administrators have made to an administrator's role or sign-in. After such a
 * change, the other administrator may be acting as this one, so that two approvals may come from
 * one person.
 */
import { OPERATOR_ID, type SecurityEventKind } from "#contract/users.ts";
import type { Database } from "../../database/open-database.ts";
import { firstIdAt, type SecurityEvents } from "./security-events.ts";

/** A user created by an administrator has a sign-up event with another user as its actor. */
const ROLE_CHANGES: readonly SecurityEventKind[] = ["signedUp", "roleChanged"];
const ACCESS_CHANGES: readonly SecurityEventKind[] = [
  ...ROLE_CHANGES,
  "passwordChanged",
  "profileChangedByAdmin",
  "secondFactorRemoved",
  "banned",
  "unbanned",
];

export interface AdminChanges {
  /** When another administrator last created the user or set their role; null if not since then. */
  readonly roleAtMs: number | null;
  /**
   * When another administrator last changed the user's role, password, profile, second factor or ban;
   * null if not since then.
   */
  readonly accessAtMs: number | null;
}

/** Changes that other users have made to this user since then. */
export async function readAdminChanges(
  { read }: Database,
  securityEvents: Pick<SecurityEvents, "settled">,
  userId: string,
  sinceMs: number,
): Promise<AdminChanges> {
  // Completed changes count even if their events are still being written.
  await securityEvents.settled();
  const rows = await read
    .selectFrom("security_events")
    .select(["kind", "at_ms"])
    .where("user_id", "=", userId)
    .where("id", ">=", firstIdAt(sinceMs))
    .where("actor_id", "is not", null)
    // The operator of the machine is no administrator who could be the other person of two.
    .where("actor_id", "!=", OPERATOR_ID)
    .where("kind", "in", ACCESS_CHANGES)
    .orderBy("id", "desc")
    .execute();
  const roleChange = rows.find(({ kind }) => ROLE_CHANGES.includes(kind as SecurityEventKind));
  return { roleAtMs: roleChange?.at_ms ?? null, accessAtMs: rows[0]?.at_ms ?? null };
}

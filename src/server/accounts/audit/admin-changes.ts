/**
 * Changes that other administrators have made to an administrator's role or sign-in. After such a
 * change, the other administrator may be acting as this one, so that two approvals may come from
 * one person.
 */
import { OPERATOR_ID, type SecurityEventKind } from "#contract/users.ts";
import type { Database } from "../../database/open-database.ts";
import { accessChangeUnderWay } from "./access-changes.ts";
import { isAdmin } from "../users/user-profile.ts";
import { valueBefore } from "./previous-values.ts";
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

/** Changes that other users have made to this user since then, on whichever node. */
export async function readAdminChanges(
  { read }: Pick<Database, "read">,
  securityEvents: Pick<SecurityEvents, "settled">,
  userId: string,
  sinceMs: number,
): Promise<AdminChanges> {
  // Before the events: a change is over here only once its event can be read.
  if ((await accessChangeUnderWay({ read }, userId)) === "byAnother") {
    const nowMs = Date.now();
    return { roleAtMs: nowMs, accessAtMs: nowMs };
  }
  const rows = await selectChanges({ read }, securityEvents, {
    userId,
    sinceMs,
    kinds: ACCESS_CHANGES,
  });
  const roleChange = rows.find(({ kind }) => ROLE_CHANGES.includes(kind as SecurityEventKind));
  return { roleAtMs: roleChange?.at_ms ?? null, accessAtMs: rows[0]?.at_ms ?? null };
}

/**
 * Whether another user has made this one an administrator since then: a change of an existing
 * administrator's roles does not count.
 */
export async function wasMadeAdmin(
  { read }: Pick<Database, "read">,
  securityEvents: Pick<SecurityEvents, "settled">,
  userId: string,
  sinceMs: number,
): Promise<boolean> {
  const kinds = ROLE_CHANGES;
  const rows = await selectChanges({ read }, securityEvents, { userId, sinceMs, kinds });
  return rows.some(({ detail, kind }) => kind === "signedUp" || !isAdmin(valueBefore(detail)));
}

/** Newest first. */
async function selectChanges(
  { read }: Pick<Database, "read">,
  securityEvents: Pick<SecurityEvents, "settled">,
  query: {
    readonly userId: string;
    readonly sinceMs: number;
    readonly kinds: readonly SecurityEventKind[];
  },
) {
  // Completed changes count even if their events are still being written.
  await securityEvents.settled();
  return (
    read
      .selectFrom("security_events")
      .select(["kind", "at_ms", "detail"])
      .where("user_id", "=", query.userId)
      .where("id", ">=", firstIdAt(query.sinceMs))
      .where("actor_id", "is not", null)
      // The operator of the machine is not an administrator who could be the second person.
      .where("actor_id", "!=", OPERATOR_ID)
      .where("kind", "in", query.kinds)
      .orderBy("id", "desc")
      .execute()
  );
}

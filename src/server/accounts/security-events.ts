/**
 * The record of what happened to people's accounts: written after the fact, never changed, and kept
 * when the user is gone. Writing never delays or fails what it records, and its time tells nobody
 * whether an account exists.
 */
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../database/open-database.ts";
import type { Log } from "../log.ts";

const TITLES = {
  signedUp: "Signed up",
  signedIn: "Signed in",
  signInFailed: "Somebody tried to sign in with a wrong password",
  signedOut: "Signed out",
  sessionRevoked: "A device was signed out",
  passwordChanged: "Password changed",
  passwordReset: "Password reset through the mailed link",
  passwordResetAsked: "Somebody asked for a link to reset the password",
  emailChangeAsked: "A change of the email address was asked for",
  emailChanged: "Email address changed",
  emailVerified: "Email address confirmed",
  providerLinked: "Sign-in through another provider added",
  providerUnlinked: "Sign-in through another provider removed",
  roleChanged: "Role changed",
  profileChangedByAdmin: "Profile changed by an administrator",
  banned: "Account locked by an administrator",
  unbanned: "Account unlocked by an administrator",
  impersonationStarted: "An administrator began to look through this account",
  impersonationEnded: "The administrator stopped looking through this account",
  deletionAsked: "A link to delete the account was asked for",
  accountDeleted: "Account deleted",
} as const;

export type SecurityEventKind = keyof typeof TITLES;

const REFUSED: ReadonlySet<SecurityEventKind> = new Set(["signInFailed"]);
const TEXT_LENGTH_MAX = 300;

export interface NewSecurityEvent {
  readonly userId: string;
  readonly kind: SecurityEventKind;
  /** Who did it, where that was not the user. */
  readonly actorId?: string | undefined;
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
  /** What the kind leaves open, such as a provider; never a secret. */
  readonly detail?: string | undefined;
}

export interface SecurityEvent {
  readonly id: string;
  readonly userId: string;
  readonly actorId: string | null;
  readonly kind: SecurityEventKind;
  /** A sentence for people, with the detail. */
  readonly title: string;
  readonly status: "completed" | "refused";
  readonly atMs: number;
  readonly address: string | null;
  readonly userAgent: string | null;
}

export interface SecurityEventsQuery {
  /** Of everybody without it, which is for administrators only. */
  readonly userId?: string | undefined;
  /** In the sentence, in either case. */
  readonly search?: string | undefined;
  /** Of the page before. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface SecurityEventsPage {
  /** Newest first. */
  readonly items: SecurityEvent[];
  readonly cursor: string | null;
}

export interface SecurityEvents {
  record(event: NewSecurityEvent): void;
  page(query: SecurityEventsQuery): Promise<SecurityEventsPage>;
  /** Resolves when everything recorded so far is written, or has failed to be. */
  settled(): Promise<void>;
}

export function createSecurityEvents(database: Database, log: Log): SecurityEvents {
  const writing = new Set<Promise<void>>();
  let count = 0;

  /** Sorts by time, and by order within a millisecond; the rest tells processes apart. */
  function nextId(atMs: number): string {
    count = (count + 1) % 36 ** 4;
    const order = count.toString(36).padStart(4, "0");
    return `${atMs.toString(36).padStart(9, "0")}${order}${randomBytes(4).toString("hex")}`;
  }

  async function write(id: string, atMs: number, event: NewSecurityEvent): Promise<void> {
    try {
      await database.write
        .insertInto("security_events")
        .values({
          id,
          user_id: event.userId,
          actor_id: event.actorId ?? null,
          kind: event.kind,
          at_ms: atMs,
          address: shortened(event.address) ?? null,
          user_agent: shortened(event.userAgent) ?? null,
          detail: shortened(event.detail) ?? "",
        })
        .execute();
    } catch (error) {
      const { kind, userId } = event;
      log.error({ kind, userId, error: String(error) }, "a security event is not on record");
    }
  }

  return {
    record(event) {
      const atMs = Date.now();
      const written = write(nextId(atMs), atMs, event).finally(() => writing.delete(written));
      writing.add(written);
    },
    async page({ userId, search, cursor, limit }) {
      let query = database.read
        .selectFrom("security_events")
        .selectAll()
        .orderBy("id", "desc")
        .limit(limit + 1);
      if (userId !== undefined) query = query.where("user_id", "=", userId);
      if (cursor !== undefined) query = query.where("id", "<", cursor);
      const wanted = search?.trim().toLowerCase() ?? "";
      if (wanted !== "") {
        const kinds = Object.entries(TITLES)
          .filter(([, title]) => title.toLowerCase().includes(wanted))
          .map(([kind]) => kind);
        const pattern = `%${wanted.replaceAll(/[\\%_]/g, "\\$&")}%`;
        query = query.where((where) =>
          where.or([
            ...(kinds.length > 0 ? [where("kind", "in", kinds)] : []),
            sql<boolean>`lower(detail) like ${pattern} escape '\\'`,
          ]),
        );
      }
      const rows = await query.execute();
      const items = rows.slice(0, limit).map((row): SecurityEvent => {
        const kind = row.kind as SecurityEventKind;
        return {
          id: row.id,
          userId: row.user_id,
          actorId: row.actor_id,
          kind,
          title: row.detail === "" ? TITLES[kind] : `${TITLES[kind]}: ${row.detail}`,
          status: REFUSED.has(kind) ? "refused" : "completed",
          atMs: row.at_ms,
          address: row.address,
          userAgent: row.user_agent,
        };
      });
      return { items, cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
    },
    async settled() {
      while (writing.size > 0) await Promise.all(writing);
    },
  };
}

function shortened(text: string | undefined): string | undefined {
  return text?.slice(0, TEXT_LENGTH_MAX);
}

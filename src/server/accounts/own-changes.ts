/**
 * Changes that users make to their own security outside the authentication library's calls, such as
 * to API keys, with the same confirmation, security event and mail as the library's calls.
 */
import { symmetricDecrypt } from "better-auth/crypto";
import type { SecurityEventKind } from "#contract/users.ts";
import { flagOf, timeMsOf } from "../database/accounts-tables.ts";
import type { Identity } from "../reactive/executor.ts";
import type { Writer } from "./audit/security-events.ts";
import type { AuthParts } from "./auth-terms.ts";
import type { SecurityNotice } from "./mail/mails.ts";
import {
  countCodeAttempt,
  forgetCodeAttempts,
  consumeCode,
} from "./second-factor/code-attempts.ts";
import { isFresh } from "./sessions/fresh-session.ts";

/** The message is fit for the caller. */
export class NotConfirmedError extends Error {
  override readonly name = "NotConfirmedError";
  readonly reason:
    | "notSignedIn"
    | "signInTooOld"
    | "codeNeeded"
    | "wrongCode"
    | "tooManyCodes"
    | "codeUnreadable";
  readonly retryAfterMs: number | undefined;

  constructor(reason: NotConfirmedError["reason"], message: string, retryAfterMs?: number) {
    super(message);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

type Parts = Pick<
  AuthParts,
  | "accountLimit"
  | "database"
  | "freshness"
  | "notify"
  | "secondFactors"
  | "secret"
  | "securityEvents"
>;

export function createOwnChanges(parts: Parts) {
  const { accountLimit, database, freshness, notify, secondFactors, securityEvents } = parts;

  /** Undefined if the session has ended, or an administrator is impersonating the user. */
  function sessionOf({ sessionId, subject }: Identity) {
    return database.read
      .selectFrom("session")
      .innerJoin("user", "user.id", "session.userId")
      .where("session.id", "=", sessionId)
      .where("session.userId", "=", subject)
      .where("session.impersonatedBy", "is", null)
      .select(["session.createdAt", "session.updatedAt", "session.ipAddress", "session.userAgent"])
      .select(["user.id", "user.twoFactorEnabled"])
      .executeTakeFirst();
  }

  async function requireCode(userId: string, code: string): Promise<void> {
    const waitSeconds = await countCodeAttempt(accountLimit, userId);
    if (waitSeconds !== null) {
      const message = "Too many codes were tried. Please try again later.";
      throw new NotConfirmedError("tooManyCodes", message, waitSeconds * 1000);
    }
    const found = await secondFactors.find(userId);
    const secret =
      found === null
        ? undefined
        : await symmetricDecrypt({ key: parts.secret, data: found.secret }).catch(() => undefined);
    if (secret === undefined) {
      const message =
        "Your second step can no longer be checked. Ask an administrator to remove it.";
      throw new NotConfirmedError("codeUnreadable", message);
    }
    const use = await consumeCode(secondFactors, { id: userId, secret }, code);
    if (use === "accepted") {
      await forgetCodeAttempts(accountLimit, userId);
      return;
    }
    const detail = use === "wrong" ? undefined : "one that was used before";
    securityEvents.record({ userId, kind: "secondFactorFailed", detail });
    throw new NotConfirmedError(
      "wrongCode",
      "This code is wrong or was used before. Wait for the next one.",
    );
  }

  /**
   * The recipient of the mail, and the session's address and device; undefined if the user no longer
   * exists.
   */
  function originOf({ sessionId, subject }: Identity) {
    return database.read
      .selectFrom("user")
      .leftJoin("session", (join) =>
        join.onRef("session.userId", "=", "user.id").on("session.id", "=", sessionId),
      )
      .where("user.id", "=", subject)
      .select(["user.email", "user.name", "session.ipAddress", "session.userAgent"])
      .executeTakeFirst();
  }

  return {
    /**
     * Requires a recent sign-in and, from a user with a second factor, a code of the authenticator
     * app.
     * @throws NotConfirmedError
     */
    async confirmIdentity(identity: Identity, code: string | undefined): Promise<void> {
      const session = await sessionOf(identity);
      if (session === undefined) throw new NotConfirmedError("notSignedIn", "Sign in to do this.");
      const { createdAt, updatedAt } = session;
      const times = {
        createdAt: new Date(timeMsOf(createdAt)),
        updatedAt: new Date(timeMsOf(updatedAt)),
      };
      if (!isFresh(freshness, times)) {
        const message = "You signed in a while ago. Sign in again to do this.";
        throw new NotConfirmedError("signInTooOld", message);
      }
      if (!flagOf(session.twoFactorEnabled)) return;
      if (code === undefined) {
        const message = "Enter the six digits that your authenticator app shows.";
        throw new NotConfirmedError("codeNeeded", message);
      }
      await requireCode(session.id, code);
    },

    /**
     * Records the change with the session's address and device, and mails the user. Never fails.
     */
    async recordOwnChange(
      identity: Identity,
      kind: SecurityEventKind,
      { detail, notice }: { readonly detail: string; readonly notice?: SecurityNotice },
    ): Promise<void> {
      // The change has been made, so it is recorded even without its origin.
      const row = await originOf(identity).catch(() => undefined);
      const [address, userAgent] = [row?.ipAddress ?? undefined, row?.userAgent ?? undefined];
      securityEvents.record({ userId: identity.subject, kind, detail, address, userAgent });
      if (notice !== undefined && row !== undefined) notify(notice, row);
    },

    /**
     * Makes a change of which the user must be notified: records it in the transaction that stores it, with
     * the session's address and device, and mails the user.
     * @throws Error if it cannot be stored or recorded, in which case it is not made
     */
    async makeOwnChange(
      identity: Identity,
      kind: SecurityEventKind,
      { detail, notice }: { readonly detail: string; readonly notice: SecurityNotice },
      store: (write: Writer) => Promise<unknown>,
    ): Promise<void> {
      const row = await originOf(identity);
      const [address, userAgent] = [row?.ipAddress ?? undefined, row?.userAgent ?? undefined];
      const event = { userId: identity.subject, kind, detail, address, userAgent };
      await securityEvents.recordWith(event, store);
      if (row !== undefined) notify(notice, row);
    },
  };
}

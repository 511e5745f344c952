/** The dependencies of authentication, and the events of users and sessions that it reports. */
import type { BetterAuthPlugin } from "better-auth";
import type { Config } from "../settings/config.ts";
import type { Database } from "../database/open-database.ts";
import type { Log } from "../log.ts";
import type { AccountRules } from "../settings/account-rules.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { createMails, Recipient, SecurityNotice } from "./mail/mails.ts";
import type { PasswordHashing } from "./passwords/password-hashing.ts";
import type { SecurityEvents } from "./audit/security-events.ts";
import type { AccountLimit } from "./requests/account-limit.ts";
import type { SecondFactorRecords } from "./second-factor/second-factor-records.ts";
import type { AccessChanges } from "./audit/access-changes.ts";
import type { WaitingSteps } from "./second-factor/waiting-steps.ts";
import type { Freshness } from "./sessions/fresh-session.ts";
import type { Administrators } from "./users/administrators.ts";
import type { VerifiedElsewhere } from "./users/verified-elsewhere.ts";

/** A row of the session or user table as the library passes it to hooks. */
export interface SessionRecord {
  readonly id: string;
  readonly userId: string;
  readonly expiresAt: Date;
  /** The administrator who impersonates this session's user. */
  readonly impersonatedBy?: string | null;
}
export interface UserRecord {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly image?: string | null;
  readonly createdAt: Date;
  readonly role?: string | null;
  readonly lastname?: string | null;
  readonly banned?: boolean | null;
}

/** Events of users and sessions, reported after commit. */
interface AuthEvents {
  userCreated(user: UserRecord): Promise<void>;
  userUpdated(user: UserRecord): Promise<void>;
  /** Called before commit; a failure prevents the deletion. */
  userDeleting(user: UserRecord): Promise<void>;
  userDeleted(user: UserRecord): Promise<void>;
  /**
   * The owner of the address has set the user's first password: all other ways to sign in are
   * removed.
   */
  signInMethodsRemoved(user: { readonly id: string }): Promise<void>;
  sessionUpdated(session: SessionRecord): void;
  /** @param path the call that deleted the session */
  sessionDeleted(session: SessionRecord, path: string | undefined): Promise<void>;
}

export interface AuthOptions {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  readonly secret: string;
  readonly publicUrl: string;
  readonly hashing: PasswordHashing;
  /** null if limits are disabled. */
  readonly accountLimit: AccountLimit | null;
  readonly lastAdmin: BetterAuthPlugin;
  /** Whether money that was paid in would be left behind. */
  readonly holdsFunds?: ((userId: string) => boolean) | undefined;
  readonly administrators: Pick<Administrators, "ids">;
  readonly mailer: Pick<Mailer, "send" | "close">;
  readonly securityEvents: Pick<SecurityEvents, "record" | "recordWith" | "settled">;
  readonly events: AuthEvents;
}

/** The dependencies that the plugins share. */
export interface AuthParts extends AuthOptions {
  readonly mails: ReturnType<typeof createMails>;
  readonly rules: AccountRules;
  readonly freshness: Freshness;
  readonly secondFactors: SecondFactorRecords;
  readonly waiting: WaitingSteps;
  readonly accessChanges: AccessChanges;
  readonly verifiedElsewhere: VerifiedElsewhere;
  /** Notifies a user by mail. */
  readonly notify: (notice: SecurityNotice, user: Recipient) => void;
}

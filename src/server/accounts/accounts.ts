/**
 * The accounts of the exchange: who may sign in, which sessions live, and who stands behind a
 * backend token. The rest of the server knows people through this file only.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { PageSession } from "#contract/page-context.ts";
import type { Role } from "#contract/types.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/open-database.ts";
import type { Log } from "../log.ts";
import type { Identity } from "../reactive/executor.ts";

/** What the rest of the server may know of a user. */
export interface UserProfile {
  readonly id: string;
  readonly role: Role;
  readonly name: string;
  readonly lastname: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly image: string | null;
  readonly createdAtMs: number;
}

export interface AccountsOptions {
  readonly config: Config;
  /** Already migrated. */
  readonly database: Database;
  readonly log: Log;
  /** Signs cookies and encrypts keys at rest; see auth-secret.ts. */
  readonly secret: string;
  /** Origin under which people reach the exchange, such as "https://exchange.example". */
  readonly publicUrl: string;
  /**
   * Called after every sign-up, and again whenever a user signs in whose account may be missing, so
   * it must be idempotent. A failure is logged and never undoes the sign-up.
   */
  onUserCreated(user: { readonly id: string }): void | Promise<void>;
  /** A session ended: signed out, revoked, banned, deleted or expired. Called once for each. */
  onSessionEnded?(sessionId: string): void;
  /** What `profileOf` answers for this user has changed. */
  onUserChanged?(userId: string): void;
}

export interface NewAdmin {
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

export interface Accounts {
  /** Answers `/api/auth/*` and, in development, `/outbox`; false for every other path. */
  handleRequest(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /**
   * The caller behind a backend token, checked in this process without a request to anybody.
   * @throws BackendTokenError with a message fit for the client, also where the session has ended.
   */
  verifyBackendToken(token: string): Promise<Identity>;
  /** False once a session has ended, although tokens issued for it are still unexpired. */
  isSessionLive(sessionId: string): boolean;
  /** From memory; known for every user whose backend token was verified in the last hour. */
  profileOf(userId: string): UserProfile | null;
  userById(userId: string): Promise<UserProfile | null>;
  /** The live session of a request's cookies; nothing is extended. */
  sessionOf(headers: IncomingHttpHeaders): Promise<{ userId: string; sessionId: string } | null>;
  /** The same with a new backend token, for a page that is about to be rendered. */
  pageSession(headers: IncomingHttpHeaders): Promise<PageSession | null>;
  /** Creates an admin, or makes the user of that address one and sets the password. */
  createAdmin(admin: NewAdmin): Promise<{ userId: string; created: boolean }>;
  /** Ends timers and waits for mail that is on its way. */
  close(): Promise<void>;
}

export function createAccounts(_options: AccountsOptions): Accounts {
  throw new Error("not built yet");
}

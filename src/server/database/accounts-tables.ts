/**
 * The tables of users and their sign-in. The tables of the authentication library keep its names
 * and its storage of times and flags: SQLite holds ISO texts and 0 or 1, PostgreSQL timestamps and
 * booleans.
 */

/** A time as the library stores it: text on SQLite, Date on PostgreSQL. */
export type StoredTime = string | Date;
/** A flag as the library stores it: 0 or 1 on SQLite. */
export type StoredFlag = number | boolean;

export interface UserTable {
  id: string;
  name: string;
  lastname: string | null;
  /** Always in lower case. */
  email: string;
  emailVerified: StoredFlag;
  image: string | null;
  createdAt: StoredTime;
  updatedAt: StoredTime;
  /** The user's roles: "admin", "user" or both joined by a comma; null counts as "user". */
  role: string | null;
  banned: StoredFlag | null;
  banReason: string | null;
  banExpires: StoredTime | null;
  twoFactorEnabled: StoredFlag | null;
}

interface SessionTable {
  id: string;
  expiresAt: StoredTime;
  token: string;
  createdAt: StoredTime;
  updatedAt: StoredTime;
  ipAddress: string | null;
  userAgent: string | null;
  userId: string;
  impersonatedBy: string | null;
}

interface AccountTable {
  id: string;
  accountId: string;
  providerId: string;
  userId: string;
  accessToken: string | null;
  refreshToken: string | null;
  idToken: string | null;
  accessTokenExpiresAt: StoredTime | null;
  refreshTokenExpiresAt: StoredTime | null;
  scope: string | null;
  password: string | null;
  createdAt: StoredTime;
  updatedAt: StoredTime;
}

interface VerificationTable {
  id: string;
  identifier: string;
  value: string;
  expiresAt: StoredTime;
  createdAt: StoredTime;
  updatedAt: StoredTime;
}

/** Keys that sign backend tokens; the private key is encrypted with the server's secret. */
interface JwksTable {
  id: string;
  publicKey: string;
  privateKey: string;
  createdAt: StoredTime;
  expiresAt: StoredTime | null;
  alg: string | null;
  crv: string | null;
}

interface RateLimitTable {
  id: string;
  key: string;
  count: number;
  /** When the last request was made, milliseconds since 1970. */
  lastRequest: number;
}

/** Attempts against the sign-in of one user, counted within a window; see account-limit.ts. */
interface AccountAttemptsTable {
  /** The kind of attempt and a digest of the address. */
  key: string;
  attempts: number;
  window_started_ms: number;
}

/** Mails written while no SMTP server was configured. */
export interface OutboxMailsTable {
  id: string;
  created_at_ms: number;
  recipient: string;
  subject: string;
  html: string;
  text: string;
}

/** Mails waiting for the SMTP server; see mail-queue.ts. */
export interface MailQueueTable {
  id: string;
  created_at_ms: number;
  /** When the mail expires: it is not sent after this time. */
  expires_at_ms: number;
  recipient: string;
  subject: string;
  /** The mail's content; null as soon as the mail was sent or abandoned. */
  html: string | null;
  text: string | null;
  state: "waiting" | "sent" | "failed";
  attempts: number;
  next_attempt_at_ms: number;
  last_error: string | null;
  /** How many mails to the same recipient waited when it was put into the queue. */
  turn: number;
}

/** Deleted users, and whether the exchange has been notified of each; see deleted-users.ts. */
interface DeletedUsersTable {
  id: string;
  deleted_at_ms: number;
  /** When the exchange had cleaned up after the user; null until then. */
  settled_at_ms: number | null;
  /** A digest of the user's address, for a day; see former-users.ts. */
  address_digest: string | null;
}

/** Security events of users; see security-events.ts. */
export interface SecurityEventsTable {
  /** Ascends with time, so that it orders the events. */
  id: string;
  user_id: string;
  /** The user who caused the event, if another one. */
  actor_id: string | null;
  kind: string;
  at_ms: number;
  address: string | null;
  user_agent: string | null;
  detail: string;
}

/** The second factor of a user; required once `user.twoFactorEnabled` is set. */
interface TwoFactorTable {
  id: string;
  userId: string;
  /** The secret of the authenticator app; encrypted, like the backup codes. */
  secret: string;
  backupCodes: string;
  /** Whether a correct code was entered since the secret was created. */
  verified: StoredFlag | null;
  failedVerificationCount: number | null;
  lockedUntil: StoredTime | null;
  /** The time step of the newest accepted code, so that each code works once. */
  lastStep: number | null;
}

interface PasskeyTable {
  id: string;
  name: string | null;
  publicKey: string;
  userId: string;
  credentialID: string;
  /** Signature counter, if the authenticator keeps one. */
  counter: number;
  deviceType: string;
  backedUp: StoredFlag;
  transports: string | null;
  createdAt: StoredTime | null;
  /** The model of the authenticator, if reported. */
  aaguid: string | null;
  /** When the passkey last signed its user in; null if never. */
  lastUsedAtMs: number | null;
}

/** Network addresses from which users signed in; see known-addresses.ts. */
interface KnownAddressesTable {
  /** A digest of the user and the network. */
  key: string;
  seen_at_ms: number;
}

/** Removals of administrators that have begun; see leaving-administrators.ts. */
interface LeavingAdministratorsTable {
  /** The id of the removal. */
  id: string;
  user_id: string;
  /** The time at which the removal has ended for certain, even if its node has not reported that. */
  until_ms: number;
}

/** Changes of how users sign in that are under way; see access-changes.ts. */
interface AccessChangesTable {
  id: string;
  user_id: string;
  /** The person who makes the change: the user or an administrator. */
  actor_id: string;
  /** The time at which the change has ended for certain, even if its node has not reported that. */
  until_ms: number;
}

export interface AccountsTables {
  user: UserTable;
  session: SessionTable;
  account: AccountTable;
  verification: VerificationTable;
  jwks: JwksTable;
  rateLimit: RateLimitTable;
  account_attempts: AccountAttemptsTable;
  known_addresses: KnownAddressesTable;
  outbox_mails: OutboxMailsTable;
  mail_queue: MailQueueTable;
  deleted_users: DeletedUsersTable;
  access_changes: AccessChangesTable;
  leaving_administrators: LeavingAdministratorsTable;
  security_events: SecurityEventsTable;
  twoFactor: TwoFactorTable;
  passkey: PasskeyTable;
}

export function timeMsOf(stored: StoredTime): number {
  return stored instanceof Date ? stored.getTime() : Date.parse(stored);
}

export function flagOf(stored: StoredFlag | null): boolean {
  return stored === true || stored === 1;
}

/** The time in the form in which this database compares times. */
export function storedTime(database: { readonly dialect: string }, timeMs: number): StoredTime {
  const time = new Date(timeMs);
  return database.dialect === "sqlite" ? time.toISOString() : time;
}

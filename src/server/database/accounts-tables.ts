/**
 * The tables of the accounts. Those of the authentication library keep its names and its storage of
 * times and flags: SQLite holds ISO texts and 0 or 1, PostgreSQL timestamps and booleans.
 */

/** As written by the library: text on SQLite, Date on PostgreSQL. */
export type StoredTime = string | Date;
/** 0 or 1 on SQLite. */
export type StoredFlag = number | boolean;

export interface UserTable {
  id: string;
  name: string;
  lastname: string | null;
  /** Lower case. */
  email: string;
  emailVerified: StoredFlag;
  image: string | null;
  createdAt: StoredTime;
  updatedAt: StoredTime;
  /** "admin", "user" or both joined by a comma; null counts as "user". */
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

/** Keys that sign backend tokens; the private half is encrypted with the secret. */
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
  /** Milliseconds since 1970. */
  lastRequest: number;
}

/** Attempts on one account, counted within a window; see account-limit.ts. */
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
  /** After that there is no point in sending it. */
  expires_at_ms: number;
  recipient: string;
  subject: string;
  /** null as soon as the mail was sent or given up. */
  html: string | null;
  text: string | null;
  state: "waiting" | "sent" | "failed";
  attempts: number;
  next_attempt_at_ms: number;
  last_error: string | null;
}

/** Deleted users that the exchange was notified of, or still must be; see deleted-users.ts. */
interface DeletedUsersTable {
  id: string;
  deleted_at_ms: number;
  /** null until the exchange has cleaned up after the user. */
  settled_at_ms: number | null;
  /** A digest of the user's address, for a day; see former-users.ts. */
  address_digest: string | null;
}

/** Security events of the accounts; see security-events.ts. */
export interface SecurityEventsTable {
  /** Grows with time, so that it orders the events. */
  id: string;
  user_id: string;
  /** Who did it, if another user. */
  actor_id: string | null;
  kind: string;
  at_ms: number;
  address: string | null;
  user_agent: string | null;
  detail: string;
}

/** The second factor of a user; in force once `user.twoFactorEnabled` is set. */
interface TwoFactorTable {
  id: string;
  userId: string;
  /** Encrypted, like the backup codes. */
  secret: string;
  backupCodes: string;
  /** Whether a correct code was entered since the secret was created. */
  verified: StoredFlag | null;
  failedVerificationCount: number | null;
  lockedUntil: StoredTime | null;
  /** The time step of the newest accepted code, so that each works once. */
  lastStep: number | null;
}

interface PasskeyTable {
  id: string;
  name: string | null;
  publicKey: string;
  userId: string;
  credentialID: string;
  /** Signature counter, as far as the authenticator keeps one. */
  counter: number;
  deviceType: string;
  backedUp: StoredFlag;
  transports: string | null;
  createdAt: StoredTime | null;
  /** The model of the authenticator, if it reports it. */
  aaguid: string | null;
  /** null if it was never used to sign in. */
  lastUsedAtMs: number | null;
}

/** Network addresses from which users signed in; see known-addresses.ts. */
interface KnownAddressesTable {
  /** A digest of the account and the network. */
  key: string;
  seen_at_ms: number;
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

/** A time in the form in which this database compares it. */
export function storedTime(database: { readonly dialect: string }, timeMs: number): StoredTime {
  const time = new Date(timeMs);
  return database.dialect === "sqlite" ? time.toISOString() : time;
}

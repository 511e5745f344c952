/** Users, as they see themselves and as administrators see them, and what happened to their accounts. */
import type { Balance, CoinAmount, Decimal, LedgerSelection } from "./types.ts";

export const ROLES = ["admin", "user"] as const;
export type Role = (typeof ROLES)[number];

interface Person {
  id: string;
  role: Role;
  name: string;
  lastname: string;
  email: string;
  emailVerified: boolean;
}

export interface CurrentUser extends Person {
  /** Total in the settlement currency, derived from the ledger. For display: sums use balances. */
  balance: number;
  /** The fees are those of orders placed now: the plan's, or its ladder's by volume. */
  plan: { slug: string; name: string; makerFeeBps: number; takerFeeBps: number };
  /** Milliseconds since 1970 at which practice funds may be taken again; null when at once. */
  practiceFundsNextAt: number | null;
  /** What one taking of practice funds gives. */
  practiceFunds: readonly CoinAmount[];
}

export const ACTIVITY_KINDS = ["order", "fill", "transfer", "plan", "security"] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];
export interface ActivityItem {
  id: string;
  kind: ActivityKind;
  time: number;
  /** A short sentence, such as "Bought 0.5 BTC at 64,000.00". */
  title: string;
  market: string | null;
  coin: string | null;
  /** Signed where it moved money. */
  amount: Decimal | null;
  status: string;
  /** Journal sequence in which it happened; null where it moved nothing. */
  sequence: number | null;
  /** The postings that this row opens; null where it moved nothing. No two rows share one. */
  postings: LedgerSelection | null;
  /** Only of security events. */
  security?: SecurityDetails;
}

export interface SecurityDetails {
  event: SecurityEventKind;
  /** Network address and browser of who did it; null where unknown. */
  address: string | null;
  userAgent: string | null;
  byAdministrator: boolean;
}

export const SECURITY_EVENT_KINDS = [
  "signedUp",
  "signedIn",
  "signInFailed",
  "signedOut",
  "sessionRevoked",
  "passwordChanged",
  "passwordReset",
  "passwordResetAsked",
  "emailChangeAsked",
  "emailChanged",
  "emailVerified",
  "providerLinked",
  "providerUnlinked",
  "roleChanged",
  "profileChangedByAdmin",
  "banned",
  "unbanned",
  "impersonationStarted",
  "impersonationEnded",
  "deletionAsked",
  "accountDeleted",
  "secondFactorEnabled",
  "secondFactorDisabled",
  "secondFactorRemoved",
  "secondFactorFailed",
  "backupCodeUsed",
  "backupCodesRenewed",
  "passkeyAdded",
  "passkeyRenamed",
  "passkeyRemoved",
  "passkeyRefused",
] as const;
export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number];

/** Mails that the mail server takes, has taken or never took. */
export interface MailQueue {
  waiting: number;
  /** Given up within the last 30 days. */
  failed: number;
  /** The newest, without their texts, which hold secrets. */
  mails: QueuedMail[];
}

export interface QueuedMail {
  id: string;
  /** Milliseconds since 1970. */
  time: number;
  recipient: string;
  subject: string;
  state: "waiting" | "sent" | "failed";
  attempts: number;
  /** Milliseconds since 1970; null unless it is waiting. */
  nextAttempt: number | null;
  /** What the mail server or the network said to the last attempt. */
  lastError: string | null;
}

/** Something that happened to somebody's account, as administrators see it. */
export interface AuditEvent {
  id: string;
  time: number;
  kind: SecurityEventKind;
  /** A sentence for people, such as "Account banned by an administrator: Spam". */
  title: string;
  status: "completed" | "refused";
  /** Whose account it is. */
  userId: string;
  /** null where the user has been deleted. */
  userEmail: string | null;
  /** Who did it, where that was somebody else. */
  actorId: string | null;
  actorEmail: string | null;
  /** Network address and browser of who did it; null where unknown. */
  address: string | null;
  userAgent: string | null;
}

export const USER_SORTS = ["name", "email", "createdAt"] as const;
export type UserSort = (typeof USER_SORTS)[number];

/** Somebody with an account, as administrators see him in a list. */
export interface ListedUser extends Person {
  createdAt: number;
  /** To the day: when a session was extended, or somebody signed in or out. null where never. */
  lastSeenAt: number | null;
  /** null for everybody who may sign in; `until` is null where it never ends by itself. */
  ban: { reason: string; until: number | null } | null;
}

export interface UserListPage {
  users: ListedUser[];
  /** How many there are on all pages. */
  total: number;
}

/** What a user has at the exchange, as administrators see it. */
export interface UserSummary {
  /** Name of the plan. */
  plan: string;
  settlementCoin: string;
  /** Worth of everything, in the settlement coin. */
  equity: Decimal;
  openOrders: number;
  /** It places no orders and changes no plan. */
  isFrozen: boolean;
  /** Only coins of which there are any. */
  balances: Balance[];
}

/** Users, as they see themselves and as administrators see them, and their accounts' activity. */
import type { Balance, CoinAmount, Decimal, LedgerSelection, Page } from "./types.ts";

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
  /** Total in the settlement currency, from the ledger. For display only: sums use balances. */
  balance: number;
  /** The fees are those of orders placed now: the plan's, or its ladder's by volume. */
  plan: { slug: string; name: string; makerFeeBps: number; takerFeeBps: number };
  /** Milliseconds since 1970 at which practice funds may be taken again; null if at once. */
  practiceFundsNextAt: number | null;
  /** The practice funds given at a time. */
  practiceFunds: readonly CoinAmount[];
}

export const ACTIVITY_KINDS = ["order", "fill", "transfer", "plan", "security"] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];
/** A page of the feed. */
export interface ActivityPage extends Page<ActivityItem> {
  /** False while the history lacks the newest entries: read the page again. */
  isComplete: boolean;
}

export interface ActivityItem {
  id: string;
  kind: ActivityKind;
  time: number;
  /** A short sentence, such as "Bought 0.5 BTC at 64,000.00". */
  title: string;
  market: string | null;
  coin: string | null;
  /** Signed if it moved money. */
  amount: Decimal | null;
  status: string;
  /** Its journal sequence; null if it moved nothing. */
  sequence: number | null;
  /** The postings of this row; null if it moved nothing. No two rows share one. */
  postings: LedgerSelection | null;
  /** For security events only. */
  security?: SecurityDetails;
  /** For orders only. */
  order?: ActivityOrder;
}

/** What has become of an order. */
export interface ActivityOrder {
  orderId: string;
  filledQuantity: Decimal;
  /** null before its first fill. */
  averagePrice: Decimal | null;
}

export interface SecurityDetails {
  event: SecurityEventKind;
  /** Network address and browser of the person who did it; null if unknown. */
  address: string | null;
  userAgent: string | null;
  byAdministrator: boolean;
}

/** What a user reads of each kind of event. */
export const SECURITY_EVENT_TITLES = {
  signedUp: "Signed up",
  signedIn: "Signed in",
  signInFailed: "Someone tried to sign in with a wrong password",
  signedOut: "Signed out",
  sessionRevoked: "A device was signed out",
  passwordChanged: "Password changed",
  passwordReset: "Password reset through the mailed link",
  passwordResetAsked: "Someone asked for a link to reset the password",
  emailChangeAsked: "A change of the email address was asked for",
  emailChanged: "Email address changed",
  emailVerified: "Email address confirmed",
  providerLinked: "Sign-in through another provider added",
  providerUnlinked: "Sign-in through another provider removed",
  roleChanged: "Role changed",
  administratorAdded: "Another user was made an administrator",
  profileChangedByAdmin: "Profile changed by an administrator",
  banned: "Account banned by an administrator",
  unbanned: "Account unbanned by an administrator",
  impersonationStarted: "An administrator began to look through this account",
  impersonationEnded: "The administrator stopped looking through this account",
  deletionAsked: "A link to delete the account was asked for",
  accountDeleted: "Account deleted",
  secondFactorEnabled: "Two-factor sign-in switched on",
  secondFactorDisabled: "Two-factor sign-in switched off",
  secondFactorRemoved: "Two-factor sign-in removed by an administrator",
  secondFactorFailed: "Someone who knew the password gave a wrong code",
  backupCodeUsed: "A backup code was used",
  backupCodesRenewed: "New backup codes made",
  passkeyAdded: "Passkey added",
  passkeyRenamed: "Passkey renamed",
  passkeyRemoved: "Passkey removed",
  passkeyRefused: "A passkey was refused",
  apiKeyCreated: "API key made",
  apiKeyRenamed: "API key renamed",
  apiKeyChanged: "API key changed",
  apiKeyRevoked: "API key revoked",
  withdrawalAddressAdded: "Address to withdraw to added",
  withdrawalAddressRemoved: "Address to withdraw to removed",
} as const;
export type SecurityEventKind = keyof typeof SECURITY_EVENT_TITLES;
export const SECURITY_EVENT_KINDS = Object.keys(SECURITY_EVENT_TITLES) as SecurityEventKind[];

/** Mails that are waiting for the mail server, were sent or were given up. */
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
  /** The error of the last attempt, from the mail server or the network. */
  lastError: string | null;
}

/** A security event of a user's account, as administrators see it. */
export interface AuditEvent {
  id: string;
  time: number;
  kind: SecurityEventKind;
  /** A sentence for people, such as "Account banned by an administrator: Spam". */
  title: string;
  status: "completed" | "refused";
  /** Whose account it is. */
  userId: string;
  /** null if the user has been deleted. */
  userEmail: string | null;
  /** Who did it, if another user. */
  actorId: string | null;
  actorEmail: string | null;
  /** Network address and browser of the person who did it; null if unknown. */
  address: string | null;
  userAgent: string | null;
}

/** What administrators change by commands, which are in the journal. */
export const ADMIN_CHANGE_KINDS = [
  "coin",
  "market",
  "marketState",
  "schedule",
  "plan",
  "planAssignment",
  "freeze",
  "adjustment",
  "transfer",
] as const;
export type AdminChangeKind = (typeof ADMIN_CHANGE_KINDS)[number];

/** Stands for an administrator in what the operator changes by the command line. */
export const OPERATOR_ID = "operator";

/** A change by an administrator, with how it was before. */
export interface AdminChange {
  /** Of its command in the journal. */
  sequence: number;
  time: number;
  kind: AdminChangeKind;
  /** Such as "market BTC-USD", or the user's id. */
  subject: string;
  /** Of the user whose account it is; null if it is of no account, or the user has been deleted. */
  userEmail: string | null;
  /** What is different now; each value as an administrator reads it. */
  differences: { name: string; before: string; after: string }[];
  reason: string;
  /** Of the administrator; `OPERATOR_ID` for the command line. */
  adminId: string;
  /** null for the command line, and if the administrator has been deleted. */
  adminEmail: string | null;
}

export const USER_SORTS = ["name", "email", "createdAt"] as const;
export type UserSort = (typeof USER_SORTS)[number];

/** A user, as administrators see them in a list. */
export interface ListedUser extends Person {
  createdAt: number;
  /** Rounded to the day: when a session was extended, or the user signed in or out. null if never. */
  lastSeenAt: number | null;
  /** null for users who may sign in; `until` is null if it never ends by itself. */
  ban: { reason: string; until: number | null } | null;
}

export interface UserListPage {
  users: ListedUser[];
  /** The number of users on all pages. */
  total: number;
}

/** A user's holdings, as administrators see them. */
export interface UserSummary {
  plan: string;
  settlementCoin: string;
  /** Value of all holdings, in the settlement coin. */
  equity: Decimal;
  openOrders: number;
  /** A frozen account places no orders and changes no plan. */
  isFrozen: boolean;
  /** Only coins that the user owns. */
  balances: Balance[];
}

/** Users as they and administrators see them, and their accounts' activity. */
import type { Balance, CoinAmount, Decimal, LedgerSelection, Order, Page } from "./types.ts";

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
  /** Total in the settlement coin, from the ledger. For display only: sums use balances. */
  balance: number;
  /** The fees of orders placed now: the plan's, or those of its fee tier. */
  plan: { slug: string; name: string; makerFeeBps: number; takerFeeBps: number };
  /** When practice funds may be taken again, milliseconds since 1970; null if now. */
  practiceFundsNextAt: number | null;
  /** The practice funds that one request gives. */
  practiceFunds: readonly CoinAmount[];
}

export const ACTIVITY_KINDS = ["order", "fill", "transfer", "plan", "security"] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];
/** A page of the activity feed. */
export interface ActivityPage extends Page<ActivityItem> {
  /** False while the history lacks the newest entries; read the page again then. */
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
  /** Signed; null if the item moved no money. */
  amount: Decimal | null;
  status: string;
  /** The item's journal sequence; null if it moved nothing. */
  sequence: number | null;
  /** Selects the item's postings; null if it moved nothing. No posting belongs to two items. */
  postings: LedgerSelection | null;
  /** Present for security events only. */
  security?: SecurityDetails;
  /** Present for orders only. */
  order?: ActivityOrder;
}

/** The terms of an order that its title does not mention, and its present state. */
export type ActivityOrder = Pick<
  Order,
  | "orderId"
  | "side"
  | "type"
  | "price"
  | "timeInForce"
  | "postOnly"
  | "special"
  | "filledQuantity"
  | "averagePrice"
  | "endReason"
>;

export interface SecurityDetails {
  event: SecurityEventKind;
  /** Network address and browser of the person who acted; null if unknown. */
  address: string | null;
  userAgent: string | null;
  byAdministrator: boolean;
}

/** The title of each kind of security event, as users read it. */
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
  impersonationStarted: "An administrator started viewing this account",
  impersonationEnded: "The administrator stopped viewing this account",
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
  mailsRetried: "Failed mails tried again",
  leaderSteppedDown: "The leading node was told to step down",
} as const;
export type SecurityEventKind = keyof typeof SECURITY_EVENT_TITLES;
export const SECURITY_EVENT_KINDS = Object.keys(SECURITY_EVENT_TITLES) as SecurityEventKind[];

/** Counts of mails that are queued, sent and given up, and the newest mails. */
export interface MailQueue {
  waiting: number;
  /** Mails given up within the last 30 days. */
  failed: number;
  /** The newest mails, without their texts, which contain secrets. */
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
  /** Milliseconds since 1970; null unless the mail is queued. */
  nextAttempt: number | null;
  /** The error of the last attempt, from the mail server or the network. */
  lastError: string | null;
}

/** A security event of a user, as administrators see it. */
export interface AuditEvent {
  id: string;
  time: number;
  kind: SecurityEventKind;
  /** A sentence such as "Account banned by an administrator: Spam". */
  title: string;
  status: "completed" | "refused";
  /** The user whose account the event is about. */
  userId: string;
  /** null if the user has been deleted. */
  userEmail: string | null;
  /** The user who acted, if another one. */
  actorId: string | null;
  actorEmail: string | null;
  /** Network address and browser of the person who acted; null if unknown. */
  address: string | null;
  userAgent: string | null;
}

/** Kinds of administrators' changes that are commands in the journal. */
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

/** Stands for the administrator in changes that the operator makes by the command line. */
export const OPERATOR_ID = "operator";

/** A change by an administrator, with the previous values. */
/** A changed field, with its values as text; "none" if it had no value, "empty" for an empty text. */
export interface FieldChange {
  /** Such as "largestOrder" or "fees.makerFeeBps". */
  name: string;
  before: string;
  after: string;
}

export interface AdminChange {
  /** The journal sequence of the change's command. */
  sequence: number;
  time: number;
  kind: AdminChangeKind;
  /** The changed object, such as "market BTC-USD", or the user's id. */
  subject: string;
  /**
   * The email address of the account's owner; null if the change is about no account, or the user was
   * deleted.
   */
  userEmail: string | null;
  /** The changed fields, with values as administrators read them. */
  differences: FieldChange[];
  reason: string;
  /** The administrator's id; `OPERATOR_ID` for the command line. */
  adminId: string;
  /** null for the command line, and if the administrator was deleted. */
  adminEmail: string | null;
}

export const USER_SORTS = ["name", "email", "createdAt"] as const;
export type UserSort = (typeof USER_SORTS)[number];

/** A user in an administrator's list. */
export interface ListedUser extends Person {
  createdAt: number;
  /** Rounded to the day: the last sign-in, sign-out or extension of a session. null if none. */
  lastSeenAt: number | null;
  /** null for users who may sign in; `until` is null for a permanent ban. */
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
  /** Only the coins that the user owns. */
  balances: Balance[];
}

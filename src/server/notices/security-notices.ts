/** A user's security events that become notices; keeps the newest in memory. */
import type { SecurityEventKind } from "#contract/users.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { SecurityEvent } from "../accounts/audit/security-events.ts";
import type { Log } from "../log.ts";
import { PerUser } from "../personal/per-user.ts";

const READ_MAX = 100;

/** Without events that are routine for users, and events by which other people could fill the list. */
const NOTICED: ReadonlySet<SecurityEventKind> = new Set([
  "signedIn",
  "passwordChanged",
  "passwordReset",
  "emailChangeAsked",
  "emailChanged",
  "providerLinked",
  "providerUnlinked",
  "roleChanged",
  "administratorAdded",
  "profileChangedByAdmin",
  "unbanned",
  "impersonationStarted",
  "deletionAsked",
  "secondFactorEnabled",
  "secondFactorDisabled",
  "secondFactorRemoved",
  "secondFactorFailed",
  "backupCodeUsed",
  "backupCodesRenewed",
  "passkeyAdded",
  "passkeyRemoved",
  "apiKeyCreated",
  "apiKeyChanged",
  "apiKeyRevoked",
  "withdrawalAddressAdded",
]);

/** Without failed attempts, since any number of attempts by other people would displace the others. */
const READ_KINDS: readonly SecurityEventKind[] = ["signedUp", ...NOTICED];

export interface SecurityNotice {
  readonly event: SecurityEvent;
  /** Whether the user has signed in with this browser and from this address before. */
  readonly isUsual: boolean;
}

interface SecurityNoticesOptions {
  readonly accounts: () => Pick<Accounts, "securityEvents">;
  readonly log: Log;
  readonly onChange: (userId: string) => void;
  /** Notifies other nodes that an event was recorded; undefined if there are none. */
  readonly tellNodes?: ((userId: string) => void) | undefined;
}

export type SecurityNotices = ReturnType<typeof createSecurityNotices>;

export function createSecurityNotices({ accounts, ...options }: SecurityNoticesOptions) {
  const notices = new PerUser<readonly SecurityNotice[]>({
    ...options,
    async load(userId) {
      const { items } = await accounts().securityEvents({
        userId,
        kinds: READ_KINDS,
        limit: READ_MAX,
      });
      return noticesOf(items);
    },
  });
  return {
    /** Newest first; undefined while they are loading. */
    read: (userId: string) => notices.read(userId),
    load: (userId: string) => notices.load(userId),
    /** Called when an event of the user was recorded. */
    recorded(userId: string): void {
      void notices.refresh(userId);
      options.tellNodes?.(userId);
    },
    /** Another node has recorded an event of the user. */
    changedElsewhere: (userId: string) => notices.refresh(userId),
  };
}

/** @param events newest first, like the result */
export function noticesOf(events: readonly SecurityEvent[]): SecurityNotice[] {
  const knownSources = new Set<string>();
  const notices: SecurityNotice[] = [];
  for (const event of events.toReversed()) {
    const source = `${event.address} ${event.userAgent}`;
    const isEntrance = event.kind === "signedIn" || event.kind === "signedUp";
    // Not true of the first event read: before it, other people's failed attempts may have filled the
    // range that is read.
    const isUsual = event.kind === "signedUp" || (isEntrance && knownSources.has(source));
    if (isEntrance) knownSources.add(source);
    if (NOTICED.has(event.kind)) notices.push({ event, isUsual });
  }
  return notices.toReversed();
}

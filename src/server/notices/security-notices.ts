/** The security events of a user that are worth a notice, the newest of them in memory. */
import type { SecurityEventKind } from "#contract/users.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { SecurityEvent } from "../accounts/audit/security-events.ts";
import type { Log } from "../log.ts";
import { PerUser } from "../personal/per-user.ts";

const READ_MAX = 100;

/** Not what the user does every day, nor what strangers could fill the list with. */
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

/** Failed attempts, of which strangers can make any number, push none of these out. */
const READ_KINDS: readonly SecurityEventKind[] = ["signedUp", ...NOTICED];

export interface SecurityNotice {
  readonly event: SecurityEvent;
  /** A sign-in by a browser and from an address that the user signed in with before. */
  readonly isUsual: boolean;
}

interface SecurityNoticesOptions {
  readonly accounts: () => Pick<Accounts, "securityEvents">;
  readonly log: Log;
  readonly onChange: (userId: string) => void;
}

export type SecurityNotices = ReturnType<typeof createSecurityNotices>;

export function createSecurityNotices({ accounts, log, onChange }: SecurityNoticesOptions) {
  const notices = new PerUser<readonly SecurityNotice[]>({
    log,
    onChange,
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
    /** Newest first; undefined while they are being loaded. */
    read: (userId: string) => notices.read(userId),
    load: (userId: string) => notices.load(userId),
    /** An event of the user was recorded. */
    recorded: (userId: string) => notices.refresh(userId),
  };
}

/** @param events newest first, as the result is */
export function noticesOf(events: readonly SecurityEvent[]): SecurityNotice[] {
  const knownSources = new Set<string>();
  const notices: SecurityNotice[] = [];
  for (const event of events.toReversed()) {
    const source = `${event.address} ${event.userAgent}`;
    const isEntrance = event.kind === "signedIn" || event.kind === "signedUp";
    // Not the first one that is read: a stranger can fill what is read with failed attempts before.
    const isUsual = event.kind === "signedUp" || (isEntrance && knownSources.has(source));
    if (isEntrance) knownSources.add(source);
    if (NOTICED.has(event.kind)) notices.push({ event, isUsual });
  }
  return notices.toReversed();
}

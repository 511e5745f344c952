/**
 * Nodes notify each other at once of changes to a user's data in the database, which they may have in
 * memory. A notified node reads the data again. Lost messages are made up for within seconds where
 * they matter: sessions, bans and keys are read every few seconds in any case.
 */
import type { Accounts } from "./accounts/accounts.ts";
import type { UserChange } from "./cluster/cluster-links.ts";
import { RepeatedLog } from "./limits/repeated-log.ts";
import { type Log, messageOf } from "./log.ts";
import type { OwnData } from "./own-data.ts";

interface ToldParts {
  /** Once they are open. */
  readonly accounts: Promise<Pick<Accounts, "changedElsewhere">>;
  readonly ownData: Pick<OwnData, "changedElsewhere">;
  readonly log: Log;
}

/** Applies another node's changes; a failure of the database is only logged. */
export function applyChanges({ accounts, log, ownData }: ToldParts): (change: UserChange) => void {
  const repeatedLog = new RepeatedLog(log, Date.now);
  const apply = async ({ userId, what }: UserChange): Promise<void> => {
    if (what !== "sessions") return ownData.changedElsewhere(userId, what);
    // A ban or a deletion ends the user's keys, too.
    await Promise.all([
      accounts.then((opened) => opened.changedElsewhere(userId)),
      ownData.changedElsewhere(userId, "apiKeys"),
    ]);
  };
  return (change) => {
    apply(change).catch((error: unknown) => {
      const fields = { ...change, reason: messageOf(error) };
      repeatedLog.warn(fields, "a change by another node waits for the next check");
    });
  };
}

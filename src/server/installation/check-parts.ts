/**
 * Checks whether the parts of an exchange belong together. Everything that one part has recorded must
 * exist in the others; otherwise acknowledged commands or users' accounts are missing, in which case
 * nothing is started, and the operator is told which part is missing and which command continues
 * without it.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { DatabasePart, Parts } from "./parts.ts";

/** The parts do not belong together; the message says which part is missing and suggests a remedy. */
class PartsMismatchError extends Error {
  override readonly name = "PartsMismatchError";
}

const ADOPT =
  "To continue with the journal and the database as they are: npx openbell adopt-database (it first " +
  "says what that gives up).";
const ANEW =
  "To begin an empty exchange: npx openbell begin-anew (it first says what that gives up).";

/** How often, and how far apart, parts are read that other nodes change. */
const READS_MAX = 4;
const REREAD_AFTER_MS = 500;

/**
 * Reads the parts and requires that they belong together. While other nodes change them, they are read at
 * different moments: only a difference that stays is one.
 * @throws PartsMismatchError
 */
export async function requireMatching(
  read: () => Promise<Parts>,
  isShared: boolean,
): Promise<void> {
  for (let reads = 1; ; reads++) {
    try {
      requireMatchingParts(await read());
      return;
    } catch (error) {
      const isLast = !isShared || reads === READS_MAX;
      if (isLast || !(error instanceof PartsMismatchError)) throw error;
      await delay(REREAD_AFTER_MS);
    }
  }
}

/** @throws PartsMismatchError */
export function requireMatchingParts(parts: Parts): void {
  const sentence = parts.journal.sequence === 0 ? findingOfEmpty(parts) : findingOf(parts);
  if (sentence !== undefined) throw new PartsMismatchError(sentence);
}

/** The contradictions of an empty journal, with which no other part may have recorded anything. */
function findingOfEmpty(parts: Parts): string | undefined {
  const { database, databaseName, journalName, record, snapshotsAhead } = parts;
  const seen = Math.max(
    record?.sequence ?? 0,
    database?.sequence ?? 0,
    ...snapshotsAhead.map(({ sequence }) => sequence),
  );
  if (seen === 0) return undefined;
  const witness =
    database !== undefined && database.sequence > 0
      ? `the database ${databaseName}${usersOf(database)} has`
      : "its directory has";
  const missing = parts.journal.identity === 0 ? "is missing" : "is empty";
  return (
    `The journal in ${journalName} ${missing}, but ${witness} seen sequence ${seen}. ` +
    `Restore the journal from a backup, or set DATA_DIR to the directory that it is in. ${ANEW}`
  );
}

function findingOf(parts: Parts): string | undefined {
  const { database, databaseName, dataDir, journal, journalName, record, snapshotsAhead } = parts;
  const ofJournal = `the journal in ${journalName}`;
  if (record !== undefined && record.journal !== 0 && record.journal !== journal.identity) {
    return (
      `The data directory ${dataDir} belongs to another journal than the one in it. ` +
      `Put the journal back that it was started with. ${ADOPT}`
    );
  }
  if (database === undefined) {
    return (
      `The database ${databaseName} is missing or empty, but ${ofJournal} has ${journal.sequence} ` +
      "commands: their users could not sign in, and their balances would have no owner. Restore " +
      `the database from a backup, or correct DATABASE_URL. ${ADOPT}`
    );
  }
  if (database.journal !== 0 && database.journal !== journal.identity) {
    return (
      `The database ${databaseName}${usersOf(database)} belongs to another exchange than ` +
      `${ofJournal}. Correct DATA_DIR or DATABASE_URL. ${ADOPT}`
    );
  }
  if (database.id === "" && database.sequence === 0) {
    return (
      `The database ${databaseName} knows nothing of ${ofJournal}, which has ${journal.sequence} ` +
      `commands. Restore the database that belongs to it, or correct DATABASE_URL. ${ADOPT}`
    );
  }
  if (!database.followsJournal) {
    return (
      `The database ${databaseName}${usersOf(database)} was made from another journal than ` +
      `${ofJournal}, or from another copy of it that was continued. Restore the two from one ` +
      `backup. ${ADOPT}`
    );
  }
  const witnesses = [
    { by: `the database ${databaseName}`, sequence: database.sequence },
    { by: "the directory", sequence: record?.sequence ?? 0 },
    ...snapshotsAhead
      .filter((snapshot) => snapshot.journal === journal.identity)
      .map(({ path, sequence }) => ({ by: `the snapshot ${path}`, sequence })),
  ].sort((a, b) => b.sequence - a.sequence);
  const [newest] = witnesses;
  if (newest.sequence > journal.sequence) {
    return (
      `The journal in ${journalName} ends at sequence ${journal.sequence}, but ${newest.by} has seen ` +
      `sequence ${newest.sequence}: ${newest.sequence - journal.sequence} acknowledged commands are ` +
      `missing. Restore the newest journal. ${ADOPT}`
    );
  }
  if (record !== undefined && record.database !== "" && record.database !== database.id) {
    return (
      `The database ${databaseName}${usersOf(database)} is not the one that the data directory ` +
      `${dataDir} was started with. Correct DATABASE_URL. ${ADOPT}`
    );
  }
  if (record !== undefined && record.databaseSequence > database.sequence) {
    return (
      `The database ${databaseName} has only seen sequence ${database.sequence}, but it had already ` +
      `seen ${record.databaseSequence}: an older copy has taken its place, and the users since ` +
      `then are missing. Restore the newest database. ${ADOPT}`
    );
  }
  return undefined;
}

function usersOf({ users }: DatabasePart): string {
  if (users === 0) return "";
  return users === 1 ? " with its one user" : ` with its ${users} users`;
}

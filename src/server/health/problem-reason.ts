/**
 * The public description of a failure: only its kind. The failure itself contains file names,
 * addresses and statements, which belong in the log.
 */
const REASON_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/ENOSPC|EDQUOT|no space left|disk is full|database or disk is full/i, "the disk is full"],
  [/EROFS|EACCES|EPERM|readonly|read-only/i, "the disk cannot be written"],
  [/\bEIO\b|disk I\/O error/i, "the disk failed"],
  [/malformed|not a database|corrupt/i, "the database is damaged"],
  [/led to other events/i, "a replay of the journal led to other events"],
  [/another exchange/i, "another exchange writes to the same database"],
  [/another journal|by another process/i, "the database belongs to another journal"],
  [/too many events wait/i, "too many events wait for the database"],
  [/lock of the data directory/i, "the lock of the data directory was removed"],
  [
    /ECONN|EPIPE|EHOSTUNREACH|ENOTFOUND|ETIMEDOUT|connect|timeout|terminat|shutting down|starting up/i,
    "the database cannot be reached",
  ],
];

export function reasonForStrangers(failure: string): string {
  const known = REASON_TEXTS.find(([pattern]) => pattern.test(failure));
  return known?.[1] ?? "the log says why";
}

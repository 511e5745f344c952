/** The message for the operator if a start fails because of the data directory's disk. */
import { messageOf } from "../log.ts";

const CAUSES: readonly (readonly [pattern: RegExp, sentence: (dataDir: string) => string])[] = [
  [
    /ENOSPC|EDQUOT|SQLITE_FULL|disk is full/,
    (dataDir) =>
      `The disk that the data directory ${dataDir} is on is full. Free some space, and start again.`,
  ],
  [
    /EROFS|EACCES|EPERM|SQLITE_READONLY|readonly database/,
    (dataDir) =>
      `The data directory ${dataDir} cannot be written. Its disk may be mounted read-only, also by the ` +
      "system after an error, or it belongs to another user.",
  ],
];

/** Undefined if the disk is not the reason. */
export function diskRefusalOf(error: unknown, dataDir: string): string | undefined {
  const message = messageOf(error);
  const { code = "", path, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  // The error may be about a forbidden port or another directory.
  if (syscall === "listen" || (path !== undefined && !path.startsWith(dataDir))) return undefined;
  const sentence = CAUSES.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1];
  return sentence && `${sentence(dataDir)} (${message})`;
}

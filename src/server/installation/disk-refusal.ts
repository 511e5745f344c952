/** The message for the operator if a start fails because of the data directory's disk. */
import { relative, resolve, sep } from "node:path";
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
      "system after an error; or it belongs to another user: then give it to the one who runs the exchange (chown -R).",
  ],
];

/** Undefined if the disk is not the reason. */
export function diskRefusalOf(error: unknown, dataDir: string): string | undefined {
  const message = messageOf(error);
  const { code = "", path, syscall } = systemErrorIn(error);
  // The error may be about a forbidden port, another directory, or a setting that its sentence names.
  if (syscall === "listen" || message.startsWith("The setting ")) return undefined;
  if (path !== undefined && !isWithin(dataDir, path) && !isWithin(path, dataDir)) return undefined;
  if ((code === "EEXIST" || code === "ENOTDIR") && path === dataDir) {
    return `${dataDir}, or what it is in, is a file. Set DATA_DIR to a directory. (${message})`;
  }
  const sentence = CAUSES.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1];
  return sentence && `${sentence(dataDir)} (${message})`;
}

/** The system's error inside errors that wrap it; its fields name the cause. */
function systemErrorIn(error: unknown): Partial<NodeJS.ErrnoException> {
  if (!(error instanceof Error)) return {};
  const { code, cause } = error as NodeJS.ErrnoException;
  return code === undefined && cause instanceof Error ? systemErrorIn(cause) : error;
}

function isWithin(directory: string, path: string): boolean {
  const way = relative(resolve(directory), resolve(path));
  return way !== ".." && !way.startsWith(`..${sep}`);
}

/**
 * Directories that the operator names beside the data: created at a start, or refused with instructions.
 */
import { accessSync, constants, mkdirSync } from "node:fs";

/**
 * Makes the directory if it is missing.
 * @throws Error that says why it cannot be written, without a full stop
 */
export function makeWritableDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(directoryProblem(path, error as NodeJS.ErrnoException), { cause: error });
  }
}

/** A sentence without its full stop. */
export function directoryProblem(path: string, { code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return (
        `${path} cannot be written; give it to the user who runs the exchange, and under systemd name it in ` +
        `ReadWritePaths= (${message})`
      );
    case "EEXIST":
    case "ENOTDIR":
      return `${path}, or what it is in, is a file; name a directory`;
    default:
      return message;
  }
}

/** Explains why a file that the operator named cannot be used, and how to correct that. */
import { readFileSync } from "node:fs";
import { userInfo } from "node:os";

/** @throws Error that says why the file cannot be read, without a full stop */
export function readNamedFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(fileProblem(path, error), { cause: error });
  }
}

/** A sentence without its full stop. */
export function fileProblem(path: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case "ENOENT":
      return `there is no file ${path}`;
    case "EISDIR":
      return `${path} is a directory; name a file in it`;
    case "EACCES":
      return `the user ${userName()} has no access to ${path}; give that user access, or name another place`;
    default:
      return `the file ${path} cannot be read (${code ?? String(error)})`;
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a number that no user has.
    return String(process.getuid?.());
  }
}

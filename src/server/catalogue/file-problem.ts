/** Says why a file that the operator named cannot be used, and what to do. */
import { userInfo } from "node:os";

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

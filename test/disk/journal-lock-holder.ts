/** A process of its own that takes the lock of the directory given, says how it went, and waits. */
import { lockDirectory } from "#journal/directory-lock.ts";

try {
  lockDirectory(process.argv[2]);
  process.stdout.write("locked\n");
  setInterval(() => undefined, 1000);
} catch (error) {
  process.stdout.write(`${String(error)}\n`);
}

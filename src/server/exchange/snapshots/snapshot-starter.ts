/**
 * A small process that starts the ones that take snapshots. Whoever starts a process has its page
 * tables copied, and does nothing else meanwhile: 8 to 17 ms of an exchange with 200 to 380 MB
 * (docs/decisions/012). This one is started while the exchange is small, and stays so itself.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { forkInBackground } from "./fork-in-background.ts";
import type {
  FromSnapshotProcess,
  FromSnapshotStarter,
  SnapshotTask,
} from "./snapshot-messages.ts";

const PROGRAM = fileURLToPath(new URL("./snapshot-process.ts", import.meta.url));

let child: ChildProcess | undefined;

/** Has a snapshot taken and hands on what its process says, at last how that ended. */
async function run(task: SnapshotTask): Promise<void> {
  let how: string;
  try {
    child = forkInBackground(PROGRAM, {
      serialization: "advanced",
      // What keeps it from answering is told to whoever reads the exchange's errors.
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    // `endOf` hears the first, which may be that it could not be started; unheard, one more would
    // end this process.
    child.on("error", () => undefined);
    child.on("message", (message: FromSnapshotProcess) => say(message));
    // Where it ends before it was told everything, its end is what counts.
    if (child.connected) child.send(task, () => undefined);
    how = await endOf(child);
  } catch (error) {
    how = String(error);
  }
  child = undefined;
  say({ kind: "ended", how });
}

/**
 * Resolves with a process's exit code or the signal that ended it, once everything it had said has
 * arrived, which may be behind its end.
 * @throws what kept it from starting.
 */
async function endOf(started: ChildProcess): Promise<string> {
  const [[code, signal]] = await Promise.all([once(started, "exit"), once(started, "disconnect")]);
  return String(signal ?? `code ${code}`);
}

function say(message: FromSnapshotStarter): void {
  // Where the exchange is gone, `disconnect` says so.
  process.send?.(message, () => undefined);
}

// Who asks for snapshots says when to stop, and nobody else: a terminal asks all at once.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
process.on("message", (task: SnapshotTask) => void run(task));
process.once("disconnect", () => {
  // It does nothing any more, but where others keep all cores busy it may take seconds to give its
  // memory back: nobody waits for that.
  child?.kill("SIGKILL");
  process.exit();
});

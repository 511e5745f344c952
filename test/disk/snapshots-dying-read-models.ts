/** Read models in whose making the process ends, as one does that the system takes for too large. */
import type { SnapshotReadModels } from "#server/exchange/snapshots/snapshot-messages.ts";

export function createReadModels(): SnapshotReadModels {
  process.kill(process.pid, "SIGKILL");
  throw new Error("the process has ended");
}

/** Read models that say something else than the engine. */
import type { SnapshotReadModels } from "#server/exchange/snapshots/snapshot-messages.ts";

export function createReadModels(): SnapshotReadModels {
  return {
    fold: () => undefined,
    state: () => null,
    restore: () => undefined,
    contradictionWith: () => "these read models lie",
  };
}

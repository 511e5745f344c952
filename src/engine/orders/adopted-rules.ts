/**
 * Rules of trading that were added later and change the result of a journal. Each is off until a
 * command adopts it, so that an older journal has the same result as before (docs/decisions/055 and
 * 060).
 */
import type { AdoptRules } from "../commands.ts";
import type { EventBuffer } from "../event-buffer.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { StateWriter } from "../formats/state-writer.ts";
import type { Outcome } from "../reject-reasons.ts";

/** The parts of the engine's state that say which rules are adopted. */
export interface AdoptedRules {
  spentOrdersStop: boolean;
  pendingTakePlaces: boolean;
  readonly events: EventBuffer;
}

export function adoptRules(
  state: AdoptedRules,
  { spentOrdersStop, pendingTakePlaces }: AdoptRules,
): Outcome {
  if (typeof spentOrdersStop !== "boolean") return "invalidCommand";
  if (!["boolean", "undefined"].includes(typeof pendingTakePlaces)) return "invalidCommand";
  state.spentOrdersStop = spentOrdersStop;
  state.pendingTakePlaces = pendingTakePlaces ?? false;
  const later = pendingTakePlaces === undefined ? {} : { pendingTakePlaces };
  state.events.rare({ type: "rulesAdopted", spentOrdersStop, ...later });
  return "accepted";
}

/** A hash omits rules that are not adopted, so that earlier hashes stay valid. */
export function writeRules(
  to: StateWriter,
  { spentOrdersStop, pendingTakePlaces }: AdoptedRules,
): void {
  if (to.isHash && !spentOrdersStop && !pendingTakePlaces) return;
  to.part("rules");
  to.flag(spentOrdersStop);
  if (!to.isHash || pendingTakePlaces) to.flag(pendingTakePlaces);
}

export function readRules(snapshot: SnapshotReader, state: AdoptedRules): void {
  snapshot.part("rules");
  state.spentOrdersStop = snapshot.flag();
  state.pendingTakePlaces = snapshot.flag();
}

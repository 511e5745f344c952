/**
 * Rules of trading that came later and change what a journal leads to. Each is off until a command adopts
 * it: so a journal of before leads to what it led to (docs/decisions/055).
 */
import type { AdoptRules } from "../commands.ts";
import type { EventBuffer } from "../event-buffer.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { StateWriter } from "../formats/state-writer.ts";
import type { Outcome } from "../reject-reasons.ts";

/** The parts of the engine's state that say which rules are adopted. */
export interface AdoptedRules {
  spentOrdersStop: boolean;
  readonly events: EventBuffer;
}

export function adoptRules(state: AdoptedRules, { spentOrdersStop }: AdoptRules): Outcome {
  if (typeof spentOrdersStop !== "boolean") return "invalidCommand";
  state.spentOrdersStop = spentOrdersStop;
  state.events.rare({ type: "rulesAdopted", spentOrdersStop });
  return "accepted";
}

/** A hash omits rules that are not adopted, so that earlier hashes stay valid. */
export function writeRules(to: StateWriter, { spentOrdersStop }: AdoptedRules): void {
  if (to.isHash && !spentOrdersStop) return;
  to.part("rules");
  to.flag(spentOrdersStop);
}

export function readRules(snapshot: SnapshotReader, state: AdoptedRules): void {
  snapshot.part("rules");
  state.spentOrdersStop = snapshot.flag();
}

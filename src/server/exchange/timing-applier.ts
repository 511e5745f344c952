/** Applies commands and notes their times. An exchange without traces uses `CommandApplier` itself. */
import { steadyMs } from "./command-times.ts";
import type { ReleasedEvents } from "./engine-messages.ts";
import { CommandApplier } from "./replay.ts";

/** Notes when the engine begins and ends each command; `writeBeganMs` and `durableMs` are still 0. */
export class TimingApplier extends CommandApplier {
  #engineMs: number[] = [];

  override apply(...given: Parameters<CommandApplier["apply"]>): number {
    const beganMs = steadyMs();
    const offset = super.apply(...given);
    this.#engineMs.push(beganMs, steadyMs());
    return offset;
  }

  override takeSlice(): ReleasedEvents | undefined {
    const slice = super.takeSlice();
    if (slice === undefined) return undefined;
    const times = { engineMs: Float64Array.from(this.#engineMs), writeBeganMs: 0, durableMs: 0 };
    this.#engineMs = [];
    return { ...slice, times };
  }
}

/** One stream: what it sends while it has listeners. */
import type { ExchangeEvent } from "#engine/events.ts";

/** Takes what a stream sends, as JSON. */
export type Emit = (payload: unknown) => void;

export interface StreamSource {
  /** How often `tick` is called; 0 if it only follows events. */
  readonly everyMs: number;
  /** The events of whole commands, which the views show already. */
  onEvents?(events: readonly ExchangeEvent[], emit: Emit): void;
  /** Called between commands. */
  tick?(emit: Emit): void;
  close?(): void;
}

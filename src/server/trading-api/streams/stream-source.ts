/** One stream: what it sends while it has listeners. */
import type { TradeRecord } from "../../records/trades.ts";

/** Takes what a stream sends, as JSON. */
export type Emit = (payload: unknown) => void;

/** In the order of the journal; markets without trades are not in it. */
export type TradesByMarket = ReadonlyMap<number, readonly TradeRecord[]>;

/** A message about one command. */
export interface CommandMessage {
  readonly payload: unknown;
  readonly sequence: number;
}

export interface StreamSource {
  /** How often `tick` is called; 0 if it only follows commands. */
  readonly everyMs: number;
  /**
   * Called after whole commands, which the views show already, with all of their trades. Each message is
   * made when it is taken, and other work may be done in between.
   */
  onCommands?(trades: TradesByMarket): Iterable<CommandMessage>;
  /** Called between commands. */
  tick?(emit: Emit): void;
  close?(): void;
}

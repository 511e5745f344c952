/** The source of one stream's messages, in use while the stream has listeners. */
import type { TradeRecord } from "../../records/trades.ts";

/** Sends a payload of the stream as JSON. */
export type Emit = (payload: unknown) => void;

/** In journal order, by market id; markets without trades are absent. */
export type TradesByMarket = ReadonlyMap<number, readonly TradeRecord[]>;

/** A message about one command. */
export interface CommandMessage {
  readonly payload: unknown;
  readonly sequence: number;
}

export interface StreamSource {
  /** Interval of `tick` in milliseconds; 0 if the stream sends only with commands. */
  readonly everyMs: number;
  /**
   * Called with all trades of complete commands, after the views have been updated. Each message is
   * generated when it is taken, and other work may run in between.
   */
  onCommands?(trades: TradesByMarket): Iterable<CommandMessage>;
  /** Called between commands. */
  tick?(emit: Emit): void;
  close?(): void;
}

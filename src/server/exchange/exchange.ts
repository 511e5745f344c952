/**
 * The port through which all other code reaches the engine: commands in, events out. No other code
 * of the server touches the journal or the engine's state.
 */
import type { Command, PlaceOrder } from "#engine/commands.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import type { RejectReason } from "#engine/reject-reasons.ts";
import type { CommandTimes } from "./command-times.ts";
import type { ClockHealth } from "./exchange-clock.ts";

export interface CommandOutcome {
  readonly sequence: number;
  readonly timestampMs: number;
  /** Set if the engine refused the command, which is in the journal nevertheless and changed nothing. */
  readonly rejected?: RejectReason;
  readonly events: readonly ExchangeEvent[];
  /** Absent if the exchange notes no times, or another node has sequenced the command. */
  readonly times?: CommandTimes;
}

export interface ExchangeHealth {
  readonly status: "ok" | "stopped";
  /** The newest sequence whose record is on disk and whose events were delivered. */
  readonly sequence: number;
  /** How many commands were submitted but are not durable yet. */
  readonly lag: number;
  /** Why the engine stopped, if it did. */
  readonly failure?: string;
  /** Whether exchange time follows the wall clock. Independent of the status. */
  readonly clock: ClockHealth;
}

export type EventListener = (events: readonly ExchangeEvent[]) => void;

/**
 * Processes events in chunks of a few milliseconds, for listeners that need long for the events of a
 * large command: the thread does other work between the chunks. The events are of complete commands.
 */
export type ChunkedListener = (events: readonly ExchangeEvent[]) => Iterable<unknown>;

/** @param isWhole false if the last event's command has more events, which follow */
export type SliceListener = (events: readonly ExchangeEvent[], isWhole: boolean) => void;

export interface Exchange {
  /**
   * Sequences, journals and applies one command. Resolves only when its record is on disk and its
   * events were delivered to every listener, so that every read model already shows the outcome.
   * Rejects with `ExchangeStoppedError` when the engine has stopped, and with `ExchangeBusyError`,
   * before anything is sequenced, when too many commands wait.
   */
  submit(command: Command, idempotencyKey?: string): Promise<CommandOutcome>;
  /**
   * Why the engine would refuse an order right now, apart from its hold and its time limit; null if it
   * would not. Nothing is sequenced.
   */
  refusalOf(order: PlaceOrder): Promise<RejectReason | null>;
  /**
   * Undefined if all events of the last delivered command were delivered; while those of a large
   * command are being delivered in slices, a promise of their end. Until then read models show only
   * a part of the command.
   */
  unsettled(): Promise<void> | undefined;
  /** Calls the listener with every later batch of events, in sequence order, until unsubscribed. */
  subscribe(listener: EventListener | ChunkedListener): () => void;
  health(): ExchangeHealth;
  /** The engine's state hash and the sequence that it belongs to. */
  stateHash(): Promise<{ sequence: number; hash: string }>;
  /** Flushes submitted commands and releases the data directory. */
  close(): Promise<void>;
}

/** The operator's log; a pino logger fits. */
export interface ExchangeLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

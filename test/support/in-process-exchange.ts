/**
 * The exchange's port over a real engine in this thread, without a journal, for tests of the layers
 * above the port. The test sets the time.
 */
import type { Command } from "#engine/commands.ts";
import { type Engine, createEngine } from "#engine/engine.ts";
import { EventBuffer, decodeEvents } from "#engine/event-buffer.ts";
import type { CommandOutcome, EventListener, Exchange } from "#server/exchange/exchange.ts";

export interface InProcessExchange extends Exchange {
  readonly engine: Engine;
  /** Timestamp of the next commands, in milliseconds since 1970 UTC. */
  timeMs: number;
  /** Like `submit`, but synchronous. */
  run(command: Command, idempotencyKey?: string): CommandOutcome;
}

export function createInProcessExchange(startMs: number): InProcessExchange {
  const engine = createEngine();
  const buffer = new EventBuffer();
  const listeners = new Set<EventListener>();

  return {
    engine,
    timeMs: startMs,
    run(command, idempotencyKey = "") {
      const sequence = engine.sequence + 1;
      const { timeMs: timestampMs } = this;
      engine.apply(sequence, timestampMs, idempotencyKey, command, buffer);
      const events = decodeEvents(buffer.take());
      for (const listener of listeners) listener(events);
      const refusal = events.find((event) => event.type === "commandRejected");
      return {
        sequence,
        timestampMs,
        ...(refusal === undefined ? {} : { rejected: refusal.reason }),
        events,
      };
    },
    submit(command, idempotencyKey) {
      return Promise.resolve(this.run(command, idempotencyKey));
    },
    refusalOf: (order) => Promise.resolve(engine.refusalOf(order)),
    unsettled: () => undefined,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    health: () => ({
      status: "ok",
      sequence: engine.sequence,
      lag: 0,
      clock: { state: "ok", skewMs: 0 },
    }),
    stateHash: () => Promise.resolve({ sequence: engine.sequence, hash: engine.stateHash() }),
    close: () => Promise.resolve(),
  };
}

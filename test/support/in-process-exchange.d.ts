/**
 * The exchange's port around a real engine in this thread, without a journal: for tests of what
 * stands above the port. Time is what the test says.
 */
import type { Command } from "#engine/commands.ts";
import { type Engine } from "#engine/engine.ts";
import type { CommandOutcome, Exchange } from "#server/exchange/exchange.ts";
export interface InProcessExchange extends Exchange {
    readonly engine: Engine;
    /** Milliseconds since 1970 UTC that the next commands are stamped with. */
    timeMs: number;
    /** As `submit`, but at once. */
    run(command: Command, idempotencyKey?: string): CommandOutcome;
}
export declare function createInProcessExchange(startMs: number): InProcessExchange;

/**
 * Shortens a failing run so that it can be read: removes commands as long as it still fails. Removing
 * commands changes the ids of later orders; the remaining commands are changed to refer to the same
 * orders.
 */
import type { Command } from "#engine/commands.ts";
import { createEngine } from "#engine/engine.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import type { Drawn } from "./endurance-commands.ts";
import { Watch, checkCheaply, endure, isWorkLimited, type EnduranceOptions } from "./endurance.ts";

/** All invariants are checked after each of the first commands, this many, and then at this interval. */
const CHECKED_AT_ONCE = 3_000;

export interface ShortLife {
  readonly message: string;
  readonly steps: readonly LivedStep[];
}

export interface LivedStep extends Drawn {
  readonly nowMs: number;
  /** Id of the first order that the command placed in the original run; 0 if none. */
  readonly orderId: number;
}

/** The failing run of a seed, shortened for at most `budgetMs`; undefined if the run does not fail. */
export function shrunk(options: EnduranceOptions, budgetMs: number): ShortLife | undefined {
  const { check } = options;
  const drawn: (Drawn & { nowMs: number })[] = [];
  try {
    endure({ ...options, record: (step, nowMs) => void drawn.push({ ...step, nowMs }) });
    return undefined;
  } catch {
    // The expected failure.
  }
  let steps = withOrderIds(drawn);
  let message = failureOf(steps, check);
  if (message === undefined) return undefined;
  const endMs = performance.now() + budgetMs;
  let size = Math.ceil(steps.length / 2);
  while (size >= 1 && performance.now() < endMs) {
    let isShorter = false;
    // From the end, because fewer later commands depend on the last commands.
    for (let to = steps.length; to > 0 && performance.now() < endMs; to -= size) {
      const rest = steps.toSpliced(Math.max(0, to - size), Math.min(size, to));
      const failure = rest.length === 0 ? undefined : failureOf(rest, check);
      if (failure === undefined) continue;
      steps = rest;
      message = failure;
      isShorter = true;
    }
    if (size === 1 && !isShorter) break;
    size = size === 1 ? 1 : Math.ceil(size / 2);
  }
  return { message, steps };
}

function withOrderIds(drawn: readonly (Drawn & { nowMs: number })[]): LivedStep[] {
  const steps: LivedStep[] = [];
  try {
    run(drawn, undefined, (step, orderId) => steps.push({ ...step, orderId }));
  } catch {
    // The recording ends with the failing command.
    steps.push({ ...drawn[steps.length], orderId: 0 });
  }
  return steps;
}

/** The error message of a run of these commands; undefined if none fails. */
function failureOf(
  steps: readonly LivedStep[],
  check: EnduranceOptions["check"],
): string | undefined {
  const meant = new Map<number, number>();
  const commands = function* (): Generator<Drawn & { nowMs: number }> {
    for (const { command, ...step } of steps) yield { ...step, command: aimedAt(command, meant) };
  };
  let index = 0;
  try {
    run(commands(), check, (_, orderId) => {
      const before = steps[index++].orderId;
      if (before === 0 || orderId === 0) return;
      // A list has two or three orders.
      for (let place = 0; place < 3; place++) meant.set(before + place, orderId + place);
    });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function run(
  steps: Iterable<Drawn & { nowMs: number }>,
  check: EnduranceOptions["check"],
  did: (step: Drawn & { nowMs: number }, orderId: number) => void,
): void {
  const engine = createEngine();
  const buffer = new EventBuffer();
  const watch = new Watch(engine.read);
  for (const step of steps) {
    const { command, idempotencyKey, nowMs } = step;
    const wasLimited = isWorkLimited(engine);
    engine.apply(engine.sequence + 1, nowMs, idempotencyKey, command, buffer);
    const events: ExchangeEvent[] = buffer.decode();
    buffer.clear();
    watch.fold(events, engine.read);
    check?.(events);
    checkCheaply(engine, nowMs, wasLimited);
    const isDue = engine.sequence < CHECKED_AT_ONCE || engine.sequence % CHECKED_AT_ONCE === 0;
    if (isDue) engine.read.checkInvariants();
    const placed = events.find((event) => event.type === "orderPlaced");
    did(step, placed?.orderId ?? 0);
  }
  engine.read.checkInvariants();
}

/** The command with its order's id replaced by the id in the shortened run. */
function aimedAt(command: Command, meant: ReadonlyMap<number, number>): Command {
  if (!("orderId" in command)) return command;
  return { ...command, orderId: meant.get(command.orderId) ?? command.orderId };
}

/** A span for each command of a traced call, and one for each of its stages. */
import type { CommandTimes } from "../exchange/command-times.ts";
import { steadyMs } from "../exchange/command-times.ts";
import type { CommandOutcome, Exchange } from "../exchange/exchange.ts";
import type { ActiveSpan } from "./active-span.ts";
import { failSpan, type Spans } from "./spans.ts";

export function tracedCommands(spans: Spans, exchange: Exchange): Exchange {
  async function submit(...given: Parameters<Exchange["submit"]>): Promise<CommandOutcome> {
    const active = spans.recorded();
    if (active === undefined) return exchange.submit(...given);
    const submittedMs = steadyMs();
    const [{ type }] = given;
    const command = spans.child(active, `command ${type}`, {}, submittedMs);
    try {
      const outcome = await exchange.submit(...given);
      const { sequence, rejected, times } = outcome;
      command.span.setAttribute("openbell.sequence", sequence);
      if (rejected !== undefined) command.span.setAttribute("openbell.reject_reason", rejected);
      if (times !== undefined) addStages(command, submittedMs, times);
      return outcome;
    } catch (error) {
      failSpan(command, error);
      throw error;
    } finally {
      spans.end(command);
    }
  }

  function addStages(command: ActiveSpan, submittedMs: number, times: CommandTimes): void {
    const { engineBeganMs, engineEndedMs, writeBeganMs, durableMs } = times;
    const stages = [
      ["queue", submittedMs, engineBeganMs],
      ["engine", engineBeganMs, engineEndedMs],
      ["journal", writeBeganMs, durableMs],
      ["deliver", durableMs, steadyMs()],
    ] as const;
    for (const [name, beganMs, endedMs] of stages) {
      spans.end(spans.child(command, name, {}, beganMs), endedMs);
    }
  }

  return { ...exchange, submit };
}

/**
 * A process of its own that takes transfers step by step, each under a key of its own, and kills itself
 * at one of them: while it waits for the answer, or right after it. It says `ack <step>` after each, and
 * `done` after the last. Started again, it asks for everything from the first step on.
 *
 * Arguments: the data directory, the step to end at, and how many milliseconds after it was asked, or
 * "answered".
 */
import { writeSync } from "node:fs";
import { openExchange } from "#server/exchange/open-exchange.ts";
import { createSilentLog } from "#server/log.ts";
import { TRANSFER_STEPS } from "./transfer-steps.ts";

const [, , dataDir, lastStep, moment] = process.argv;
const say = (line: string): void => void writeSync(1, `${line}\n`);
const kill = () => process.kill(process.pid, "SIGKILL");

const exchange = await openExchange({ dataDir, log: createSilentLog(), onEvents: () => undefined });
for (const [step, command] of TRANSFER_STEPS.entries()) {
  const isLast = step === Number(lastStep);
  const submitted = exchange.submit(command, `step ${step}`);
  if (isLast && moment !== "answered") setTimeout(kill, Number(moment));
  const { rejected } = await submitted;
  if (rejected !== undefined) throw new Error(`step ${step} was refused: ${rejected}`);
  say(`ack ${step}`);
  // The timer may be late.
  if (isLast) kill();
}
say("done");
await exchange.close();

/**
 * How a snapshot affects response times: an exchange as in production, with the engine and journal in
 * their own thread, snapshots taken by a separate process, and the read models folded in this thread. An
 * open loop loads it at a steady rate: it sends without waiting for earlier answers.
 */
import { setTimeout as delay } from "node:timers/promises";
import { openExchange } from "#server/exchange/open-exchange.ts";
import { createReadModels } from "#server/read-models.ts";
import { type LivelyExchange, READ_MODELS } from "./recovery-journal.ts";

export interface AnswerTimes {
  readonly snapshots: number;
  /** Milliseconds from a command's scheduled time to its answer. */
  readonly quiet: number[];
  /** Milliseconds to the answer of commands that were in flight during a snapshot. */
  readonly beside: number[];
}

interface Answer {
  readonly dueMs: number;
  readonly answeredMs: number;
}

/** Target number of snapshots; fewer if two minutes do not suffice, but at least one. */
const SNAPSHOTS = 3;
const LIMIT_MS = 120_000;
/** At 10 000 commands a second about as often as in production; long enough for code to be compiled first. */
const SECONDS_BETWEEN_SNAPSHOTS = 10;
/** At least as much time without a snapshot as with one. */
const BUSY_SHARE_MAX = 0.5;
/** Startup time of the snapshot process, which its reported times do not include. */
const PROCESS_START_MS = 500;
const WARM_UP_MS = 5000;

/** Continues from the end of the directory's journal; repeated calls continue further. */
export async function measureAnswers(
  dataDir: string,
  lively: LivelyExchange,
  commandsPerSecond: number,
): Promise<AnswerTimes> {
  const readModels = createReadModels();
  const taken: { fromMs: number; toMs: number }[] = [];
  let failure: string | undefined;
  const exchange = await openExchange({
    dataDir,
    onEvents(events) {
      readModels.fold(events);
      lively.follow(events);
    },
    snapshots: {
      readModelsModule: READ_MODELS,
      everyCommands: commandsPerSecond * SECONDS_BETWEEN_SNAPSHOTS,
      busyShareMax: BUSY_SHARE_MAX,
      restore: (state) => readModels.restore(state),
    },
    log: {
      info(fields, message) {
        if (message !== "wrote a snapshot") return;
        const { replayMs, writeMs } = fields as { replayMs: number; writeMs: number };
        const toMs = performance.now();
        taken.push({ fromMs: toMs - replayMs - writeMs - PROCESS_START_MS, toMs });
      },
      warn: (fields) => (failure = JSON.stringify(fields)),
      error: (fields) => (failure = JSON.stringify(fields)),
    },
  });
  const answers: Answer[] = [];
  const startedMs = performance.now();
  const ask = (dueMs: number) => {
    const { command, key } = lively.next();
    const answered = () => void answers.push({ dueMs, answeredMs: performance.now() });
    exchange.submit(command, key).then(answered, (error: unknown) => (failure = String(error)));
  };
  let asked = 0;
  const isEnough = () => {
    const enough = performance.now() - startedMs < LIMIT_MS ? SNAPSHOTS : 1;
    return taken.length >= enough || failure !== undefined;
  };
  while (!isEnough()) {
    const due = ((performance.now() - startedMs) * commandsPerSecond) / 1000;
    while (asked < due) ask(startedMs + (asked++ * 1000) / commandsPerSecond);
    await delay(1);
  }
  await exchange.close();
  if (failure !== undefined) throw new Error(failure);
  const quiet: number[] = [];
  const beside: number[] = [];
  for (const { dueMs, answeredMs } of answers) {
    if (dueMs < startedMs + WARM_UP_MS) continue;
    const isBeside = taken.some(({ fromMs, toMs }) => dueMs < toMs && answeredMs > fromMs);
    (isBeside ? beside : quiet).push(answeredMs - dueMs);
  }
  return { snapshots: taken.length, quiet, beside };
}

/** Times one start in its own process; prints the result as JSON. */
import { readFileSync } from "node:fs";
import { createEngine } from "#engine/engine.ts";
import { openFileJournal } from "#journal/file-journal.ts";
import { journalDirectoryOf, openExchange } from "#server/exchange/open-exchange.ts";
import { replayJournal } from "#server/exchange/replay.ts";
import { createReadModels } from "#server/read-models.ts";
import { READ_MODELS } from "./recovery-journal.ts";

export type StartFrom = "journal" | "snapshot";

export interface Start {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly stateHash: string;
  readonly eventsFolded: number;
  readonly memoryMB: number;
}

const [, , dataDir, from] = process.argv;
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const startedMs = performance.now();

interface Ready {
  readonly stateHash: string;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly eventsFolded: number;
}

/** Times since the process began. */
function times() {
  const { user, system } = process.cpuUsage();
  return { wallMs: performance.now() - startedMs, cpuMs: (user + system) / 1000 };
}

async function fromJournal(): Promise<Ready> {
  const directory = journalDirectoryOf(dataDir);
  const journal = await openFileJournal({ directory, log, readOnly: true });
  const engine = createEngine();
  for await (const _ of replayJournal(journal, engine));
  return { ...times(), stateHash: engine.stateHash(), eventsFolded: 0 };
}

async function fromSnapshot(): Promise<Ready> {
  const readModels = createReadModels();
  let eventsFolded = 0;
  let isRestored = false;
  const exchange = await openExchange({
    dataDir,
    onEvents(events) {
      eventsFolded += events.length;
      readModels.fold(events);
    },
    snapshots: {
      readModelsModule: READ_MODELS,
      everyCommands: Number.POSITIVE_INFINITY,
      restore(state) {
        isRestored = true;
        readModels.restore(state);
      },
    },
    log,
  });
  const ready = times();
  if (!isRestored) throw new Error("the start used no snapshot");
  const { hash: stateHash } = await exchange.stateHash();
  await exchange.close();
  return { ...ready, stateHash, eventsFolded };
}

/** This process's peak memory; `maxRSS` also includes its parent's. */
function peakMB(): number {
  const status = process.platform === "linux" ? readFileSync("/proc/self/status", "utf8") : "";
  const [, kilobytes = process.resourceUsage().maxRSS] = /VmHWM:\s+(\d+)/.exec(status) ?? [];
  return Number(kilobytes) / 1024;
}

const start: Start = {
  ...(from === "journal" ? await fromJournal() : await fromSnapshot()),
  memoryMB: peakMB(),
};
process.stdout.write(JSON.stringify(start));

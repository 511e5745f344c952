/**
 * `node bench/simulated-days.ts DAYS [watched|unwatched] [DIR] [SEGMENT_KIB]`: runs the default simulation through
 * days of exchange time as fast as possible, writes its journal as the exchange does, compresses it, and
 * prints commands and bytes per day. Unlike a running exchange, it uses simulated time and no engine thread, flushes
 * nothing, and each simulation step is one group. If DIR does not exist yet, the journal is kept in it, and an
 * exchange can start on it (ACCEPT_CLOCK=on). Small segments make as many of them in a few days as a
 * running exchange makes in a year.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { createEngine } from "#engine/engine.ts";
import { decodeEvents, EventBuffer } from "#engine/event-buffer.ts";
import { compressSegments } from "#journal/compress-segments.ts";
import { openFileJournal } from "#journal/file-journal.ts";
import { type JournalFile, nodeFileSystem } from "#journal/file-system.ts";
import { findSegments } from "#journal/segments.ts";
import { defaultCatalogue } from "#server/catalogue/default-catalogue.ts";
import { installCatalogue, ListedCatalogue } from "#server/catalogue/install-catalogue.ts";
import { PARTICIPANTS } from "#server/catalogue/participants.ts";
import { CommandBatch } from "#server/exchange/command-batch.ts";
import { journalDirectoryOf } from "#server/exchange/open-exchange.ts";
import type { CommandOutcome, Exchange } from "#server/exchange/exchange.ts";
import { createSilentLog } from "#server/log.ts";
import { createSimulator } from "#server/simulator/simulator.ts";

/** Waiting for the disk after each step would take most of the time. */
function openUnflushed(...args: Parameters<typeof nodeFileSystem.open>): JournalFile {
  const file = nodeFileSystem.open(...args);
  file.flush = () => Promise.resolve();
  return file;
}

const STEP_MS = 100;
const DAY_MS = 86_400_000;
const days = Number(process.argv[2] ?? 1);
const isWatched = process.argv[3] !== "unwatched";

const kept = process.argv[4];
const dataDir = kept ?? mkdtempSync(join(tmpdir(), "openbell-days-"));
const directory = journalDirectoryOf(dataDir);
const segmentKib = process.argv[5];
const journal = await openFileJournal({
  directory,
  fileSystem: { ...nodeFileSystem, open: openUnflushed },
  ...(segmentKib !== undefined && { segmentBytes: Number(segmentKib) * 1_024 }),
});
const engine = createEngine();
const events = new EventBuffer();
const batch = new CommandBatch();
const listed = new ListedCatalogue();
let waiting = 0;

const submit: Exchange["submit"] = (command, idempotencyKey = "") => {
  batch.add(command, idempotencyKey);
  waiting += 1;
  const [sequence, timestampMs] = [engine.sequence + 1, Date.now()];
  engine.apply(sequence, timestampMs, idempotencyKey, command, events);
  const emitted = decodeEvents(events.take());
  simulator.fold(emitted);
  listed.fold(emitted);
  const refusal = emitted.find((event) => event.type === "commandRejected");
  const outcome: CommandOutcome = { sequence, timestampMs, events: emitted };
  return Promise.resolve(
    refusal === undefined ? outcome : { ...outcome, rejected: refusal.reason },
  );
};

async function append(): Promise<void> {
  if (waiting === 0) return;
  const group = { firstSequence: engine.sequence - waiting + 1, count: waiting };
  waiting = 0;
  await journal.append({ ...group, timestampMs: Date.now(), records: batch.take() });
}

const startedMs = performance.now();
mock.timers.enable({ apis: ["Date", "setInterval"], now: Date.UTC(2026, 0, 1) });
// The simulator uses no other method of the exchange.
const exchange = { submit } as Exchange;
const simulator = createSimulator({
  exchange: () => exchange,
  participants: PARTICIPANTS,
  seed: 1,
  now: Date.now,
  isWatched: () => isWatched,
  log: createSilentLog(),
});
await installCatalogue(exchange, listed, defaultCatalogue(true));
await simulator.prepare();
await append();
simulator.start();
const before = engine.sequence;
for (let step = 0; step < (days * DAY_MS) / STEP_MS; step += 1) {
  mock.timers.tick(STEP_MS);
  await append();
  // Lets promises that wait for an outcome continue.
  if (step % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
}
await simulator.stop();
await append();
await journal.close();
mock.timers.reset();

const commands = engine.sequence - before;
const [newest] = findSegments(nodeFileSystem, directory, engine.sequence).slice(-1);
const sealed = newest.header.firstSequence - 1;
const { plainBytes, bytes } = await compressSegments({
  directory,
  durable: engine.sequence,
  segmentsMax: Infinity,
});
const perDay = (value: number) => Math.round(value / days).toLocaleString("en");
const seconds = Math.round((performance.now() - startedMs) / 1_000);
process.stdout.write(
  `${days} days ${isWatched ? "watched" : "unwatched"}, run in ${seconds} s; a day has ` +
    `${perDay(commands)} commands, ${perDay((commands * plainBytes) / sealed)} bytes of journal, ` +
    `${perDay((commands * bytes) / sealed)} compressed\n`,
);
if (kept === undefined) rmSync(dataDir, { recursive: true });

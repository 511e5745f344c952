/**
 * How long a start takes: the engine from the journal alone, and the engine with all read models from a
 * snapshot and the journal's suffix; and how taking a snapshot affects commands: applying and committing
 * them in one thread at full load, and the answers of an exchange with all its threads at steady rates,
 * in commands a second.
 *
 *   node bench/recovery.ts --commands=10000000 --suffix=100000 --runs=3 --rates=1000,5000,10000 \
 *     --directory=/tmp
 *
 * Each start is a separate process, timed from its first line to a ready exchange, and must reach the
 * state hash of the run that wrote the journal. Times are wall time and, in brackets, processor time,
 * which remains comparable on a shared machine.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { SnapshotFiles } from "#journal/snapshot-files.ts";
import { snapshotDirectoryOf } from "#server/exchange/open-exchange.ts";
import { writeRecoveryJournal } from "./recovery-journal.ts";
import type { Start, StartFrom } from "./recovery-start.ts";
import { measureAnswers } from "./snapshot-stalls.ts";

const { values: options } = parseArgs({
  options: {
    commands: { type: "string", default: "10000000" },
    suffix: { type: "string", default: "100000" },
    runs: { type: "string", default: "3" },
    rates: { type: "string", default: "1000,5000,10000" },
    seed: { type: "string", default: "1" },
    directory: { type: "string", default: tmpdir() },
  },
});
const commands = Number(options.commands);
const suffix = Number(options.suffix);
const START = fileURLToPath(new URL("./recovery-start.ts", import.meta.url));
const print = (line: string) => process.stdout.write(`${line}\n`);

const [processor] = cpus();
print(
  `machine   ${processor?.model.trim()}, ${cpus().length} cores, ${process.platform} ${process.arch}`,
);
print(`versions  node ${process.version}, seed ${options.seed}, ${options.runs} runs each`);

const dataDir = mkdtempSync(join(options.directory, "openbell-recovery-"));
try {
  const written = await writeRecoveryJournal({
    dataDir,
    commands,
    snapshotAt: commands - suffix,
    seed: Number(options.seed),
  });
  const files = new SnapshotFiles(snapshotDirectoryOf(dataDir));
  const [sequence] = files.sequences();
  if (sequence === undefined) throw new Error("no snapshot was written");
  const snapshotMB = statSync(files.pathOf(sequence)).size / 2 ** 20;
  print(
    `journal   ${count(commands)} commands, ${count(written.trades)} trades, ` +
      `${count(written.openOrders)} open orders, ${count(written.remembered)} commands with a key ` +
      `or id, state ${written.stateHash}`,
  );
  print(
    `snapshot  at ${count(sequence)}, ${snapshotMB.toFixed(1)} MB, ` +
      `replayed in ${seconds(written.snapshotReplayMs)} and written in ${seconds(written.snapshotWriteMs)} beside the run; in the engine's own thread it would have held commands up for ` +
      `${written.stallMs.toFixed(0)} ms`,
  );
  const groups = `of ${written.groupCommands} commands`;
  compare(`apply     ${groups}`, written.quiet.apply, written.beside.apply);
  compare(`commit    ${groups}`, written.quiet.commit, written.beside.commit);
  measure("engine, journal alone", "journal", written.stateHash);
  measure("engine and read models, snapshot and suffix", "snapshot", written.stateHash);
  for (const rate of options.rates.split(",").map(Number)) {
    const answers = await measureAnswers(dataDir, written.lively, rate);
    const name = `answers   at ${count(rate)} commands/s, ${answers.snapshots} snapshots`;
    compare(name, answers.quiet, answers.beside);
  }
} finally {
  rmSync(dataDir, { recursive: true });
}

function measure(name: string, from: StartFrom, stateHash: string): void {
  const starts: Start[] = [];
  for (let run = 0; run < Number(options.runs); run++) {
    // As with `npm start`, the first start fills the compile cache that later starts use.
    const env = { ...process.env, NODE_COMPILE_CACHE: join(dataDir, "compiled") };
    const child = spawnSync(process.execPath, [START, dataDir, from], { encoding: "utf8", env });
    if (child.status !== 0) throw new Error(child.stderr);
    const start = JSON.parse(child.stdout) as Start;
    if (start.stateHash !== stateHash) throw new Error(`${name} came to another state`);
    starts.push(start);
  }
  const spread = (of: (start: Start) => number) => {
    const sorted = starts.map(of).sort((a, b) => a - b);
    const [middle, least, most] = [sorted[sorted.length >> 1], sorted[0], sorted.at(-1) ?? 0];
    return `${seconds(middle)} (${seconds(least)} to ${seconds(most)})`;
  };
  const memory = Math.max(...starts.map(({ memoryMB }) => memoryMB));
  print(
    `${name}: ${spread(({ wallMs }) => wallMs)} [processor ${spread(({ cpuMs }) => cpuMs)}], ` +
      `${count(starts[0].eventsFolded)} events folded, at most ${memory.toFixed(0)} MB`,
  );
}

function count(value: number): string {
  return value.toLocaleString("en");
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

/** Prints times without and with a snapshot in progress. */
function compare(name: string, quiet: readonly number[], beside: readonly number[]): void {
  print(`${name}: ${percentiles(quiet)}; while a snapshot was taken ${percentiles(beside)}`);
}

function percentiles(values: readonly number[]): string {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => {
    const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
    return `${(value ?? 0).toFixed(2)} ms`;
  };
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)} (${count(sorted.length)})`;
}

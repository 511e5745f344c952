/**
 * `npm run bench`: the engine's book alone and the engine with its ledger compared with
 * nodejs-order-book on four seeded flows, interleaved, each in its own thread, and then the durable
 * pipeline.
 *
 *   --rounds=5 --commands=2000000 --peer-commands=2000000 --flows=one,deep,multi,swing --seed=1
 *   --clock=wall (or cpu: the thread's processor time, for a shared machine) --without-pipeline
 *
 * All run the same commands; `--peer-commands` measures the peer only on the beginning of the flow,
 * where its book is fastest, to save time. Before any measurement every contestant runs each flow once,
 * which warms it up and compares its trades and order-sensitive fill hash with the naive book's.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ContestantThread } from "./contestant-thread.ts";
import type { Clock, RunResult } from "./contestants.ts";
import { FLOWS, makeFlow, type Flow } from "./flow.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    commands: { type: "string", default: "2000000" },
    "peer-commands": { type: "string", default: "2000000" },
    flows: { type: "string", default: "one,deep,multi,swing" },
    seed: { type: "string", default: "1" },
    clock: { type: "string", default: "wall" },
    "without-pipeline": { type: "boolean", default: false },
  },
});
const rounds = Number(options.rounds);
const commands = Number(options.commands);
const peerCommands = Math.min(commands, Number(options["peer-commands"]));
const seed = Number(options.seed);

const clock: Clock = options.clock === "cpu" ? "cpu" : "wall";

const print = (line = "") => process.stdout.write(`${line}\n`);
const { version: peerVersion } = createRequire(import.meta.url)(
  "nodejs-order-book/package.json",
) as { version: string };

print(
  `machine   ${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${process.platform} ${process.arch}`,
);
print(`versions  node ${process.version}, nodejs-order-book ${peerVersion}`);
print(
  `rounds    ${rounds}, seed ${seed}, ${clock} clock, peer measured on the first ${count(peerCommands)} commands`,
);

for (const shape of FLOWS.filter(({ name }) => options.flows.split(",").includes(name))) {
  await measure(makeFlow(shape, commands, peerCommands, seed));
}
await measurePipeline();

async function measure(flow: Flow): Promise<void> {
  const { shape, shares, checkpoints } = flow;
  const end = checkpoints.at(-1) as Flow["checkpoints"][number];
  const prefix = checkpoints.find((point) => point.commands === peerCommands) ?? end;
  print();
  print(
    `flow ${shape.name}: ${count(commands)} commands, ${shape.markets} market(s), ` +
      `${count(shape.resting)} resting over ${count(flow.levels)} levels, ` +
      `${percent(shares.add)} adds, ${percent(shares.cancel)} cancels, ${percent(shares.ioc)} IOC` +
      `${shares.amend > 0 ? `, ${percent(shares.amend)} amendments` : ""}; ` +
      `${count(end.trades)} trades, fill hash ${hex(end.hash)}`,
  );
  const book = new ContestantThread("book", flow, clock);
  const engine = new ContestantThread("engine", flow, clock);
  const peer = new ContestantThread("peer", flow, clock);
  expectSame("the book alone", await book.run(commands, true), end);
  const verified = await engine.run(commands, true);
  expectSame("the engine with ledger", verified, end);
  expectSame("nodejs-order-book", await peer.run(peerCommands, true), prefix);

  const peerRuns: RunResult[] = [];
  const bookRuns: RunResult[] = [];
  const engineRuns: RunResult[] = [];
  for (let round = 0; round < rounds; round++) {
    peerRuns.push(await peer.run(peerCommands, false));
    bookRuns.push(await book.run(commands, false));
    const run = await engine.run(commands, false);
    if (run.stateHash !== verified.stateHash) throw new Error("the engine ended in another state");
    engineRuns.push(run);
  }
  await Promise.all([peer.end(), book.end(), engine.end()]);
  const base = median(rates(peerRuns));
  report("nodejs-order-book, bare book", peerRuns, base);
  report("engine, book alone", bookRuns, base);
  report("engine with ledger", engineRuns, base);
  print(`  state hash ${verified.stateHash}`);
}

function report(name: string, runs: RunResult[], base: number): void {
  const sorted = rates(runs);
  const range = `${million(sorted[0])} to ${million(sorted.at(-1) as number)}`;
  const middle = median(sorted);
  print(
    `  ${name.padEnd(30)} ${million(middle).padStart(7)} M commands/s` +
      `  (${range})  ${(middle / base).toFixed(1).padStart(6)} x`,
  );
}

/** Throws unless the contestant's trades match the naive book's. */
function expectSame(
  name: string,
  run: Pick<RunResult, "trades" | "hash">,
  truth: Pick<RunResult, "trades" | "hash">,
): void {
  if (run.trades === truth.trades && run.hash === truth.hash) return;
  throw new Error(
    `${name} made ${run.trades} trades with fill hash ${hex(run.hash)}; ` +
      `the naive book made ${truth.trades} with ${hex(truth.hash)}`,
  );
}

/** Runs the benchmark of the durable pipeline, which prints its own results. */
async function measurePipeline(): Promise<void> {
  const path = new URL("./pipeline.ts", import.meta.url);
  if (options["without-pipeline"] || !existsSync(fileURLToPath(path))) return;
  print();
  const { runPipelineBenchmark } = (await import(path.href)) as {
    runPipelineBenchmark: () => Promise<void>;
  };
  await runPipelineBenchmark();
}

function rates(runs: RunResult[]): number[] {
  return runs.map(({ commands: done, seconds }) => done / seconds).toSorted((a, b) => a - b);
}

function median(sorted: number[]): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
function million(rate: number): string {
  return (rate / 1e6).toFixed(2);
}
function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
function hex(hash: number): string {
  return (hash >>> 0).toString(16).padStart(8, "0");
}

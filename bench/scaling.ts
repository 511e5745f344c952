/**
 * `npm run bench-scaling`: the latency percentiles of single commands, the memory of a resting order,
 * and how the cost of a command grows with resting orders, markets and users. The engine always runs
 * with its ledger and events; every flow's fill hash is checked against the naive book.
 *
 *   --commands=1000000 --rounds=3 --seed=1
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { FlowEngine, runEngine } from "./contestants.ts";
import { FLOWS, makeFlow, type Flow, type FlowShape } from "./flow.ts";
import { CommandTimes } from "./command-times.ts";

const { values: options } = parseArgs({
  options: {
    commands: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "3" },
    seed: { type: "string", default: "1" },
  },
});
const commands = Number(options.commands);
const rounds = Number(options.rounds);
const seed = Number(options.seed);

const print = (line = "") => process.stdout.write(`${line}\n`);
print(
  `machine   ${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${process.platform} ${process.arch}`,
);
print(`versions  node ${process.version}`);
print(`rounds    ${rounds} of ${count(commands)} commands, seed ${seed}, wall clock`);

// The first run of a process compiles the code; nothing before this line is measured.
runEngine(makeFlow(FLOWS[0], commands, commands, seed), commands, false);

print();
print("one command, apply alone (reading the clock is taken off, see the least)");
for (const shape of FLOWS) {
  const flow = makeVerifiedFlow(shape);
  const times = new CommandTimes();
  for (let round = 0; round < rounds; round++) {
    const { engine, events, command, warm } = prepareFlow(flow);
    warm();
    times.measure(flow.preload, commands, (at) => {
      engine.apply(engine.sequence + 1, 1_800_000_000_000, "", command(at), events);
      if ((at & 255) === 255) events.clear();
    });
  }
  print(`  ${shape.name.padEnd(6)} ${times.summary()}`);
}

print();
print("memory of resting orders (rows, chains, levels and ladder; accounts and events left out)");
// The tables double when full: just before that, almost no unused capacity is counted.
for (const resting of [130_000, 1_040_000]) {
  const shape: FlowShape = { ...FLOWS[1], name: "memory", resting, spreadTicks: 20_000 };
  const flow = makeFlow(shape, 1, 1, seed);
  const runner = new FlowEngine(flow);
  // One batch first, so that the event buffer reaches its final size.
  runner.apply(0, 1000);
  const before = memory();
  runner.apply(1000, flow.preload);
  const orders = runner.engine.read.openOrderCount - 1000;
  const bytes = memory() - before;
  print(`  ${count(orders)} orders: ${(bytes / orders).toFixed(1)} B each`);
}

growth("resting orders in one market", [10_000, 100_000, 1_000_000], (resting) => ({
  ...FLOWS[1],
  name: count(resting),
  resting,
}));
growth("markets with 100 000 resting orders together", [1, 10, 100, 1000], (markets) => ({
  ...FLOWS[2],
  name: count(markets),
  markets,
}));
growth("users in one market with 10 000 resting orders", [1000, 10_000, 100_000], (users) => ({
  ...FLOWS[0],
  name: count(users),
  accountCount: users,
}));

/** Rounds of all sizes alternate, so that other load on the machine affects all of them. */
function growth(title: string, sizes: readonly number[], shapeOf: (size: number) => FlowShape) {
  print();
  print(title);
  const flows = sizes.map((size) => makeVerifiedFlow(shapeOf(size)));
  const seconds = flows.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, flow] of flows.entries()) {
      seconds[index].push(runEngine(flow, commands, false).seconds);
    }
  }
  const nanos = seconds.map((runs) => runs.map((run) => (run / commands) * 1e9).toSorted(byValue));
  for (const [index, flow] of flows.entries()) {
    const runs = nanos[index];
    const factor = median(runs) / median(nanos[0]);
    print(
      `  ${flow.shape.name.padStart(9)}  ${median(runs).toFixed(0).padStart(4)} ns a command  ` +
        `(${runs[0].toFixed(0)} to ${(runs.at(-1) as number).toFixed(0)})  ${factor.toFixed(2)} x`,
    );
  }
}

/** A flow on which the engine's trades match the naive book's. */
function makeVerifiedFlow(shape: FlowShape): Flow {
  const flow = makeFlow(shape, commands, commands, seed);
  const run = runEngine(flow, commands, true);
  const truth = flow.checkpoints.at(-1);
  if (run.hash !== truth?.hash || run.trades !== truth.trades) {
    throw new Error(`flow ${shape.name}: the engine traded differently from the naive book`);
  }
  return flow;
}

function prepareFlow(flow: Flow) {
  const runner = new FlowEngine(flow);
  return {
    engine: runner.engine,
    events: runner.events,
    command: (at: number) => runner.command(at),
    warm: () => runner.apply(0, flow.preload),
  };
}

/** Collects twice: array memory found unused by one collection is counted until the next. */
function memory(): number {
  const { gc } = globalThis as { gc?: () => void };
  gc?.();
  gc?.();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

function median(sorted: readonly number[]): number {
  return sorted[sorted.length >> 1];
}

function byValue(left: number, right: number): number {
  return left - right;
}

function count(value: number): string {
  return value.toLocaleString("en");
}

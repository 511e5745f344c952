/**
 * `npm run simulate`: long seeded runs of the engine with all invariants checked, see
 * test/engine/endurance.ts. At the end it prints how often each event occurred, and fails if an expected
 * one never did. The run of a failing seed is shortened and printed, with the command to repeat it.
 *
 *   --commands=10000000 --per-seed=1000000 --seed=1
 */
import { parseArgs } from "node:util";
import { Coverage } from "./endurance-coverage.ts";
import { shrunk } from "./endurance-shrinking.ts";
import { endure } from "./endurance.ts";

/** One seed in this many is replayed from the bytes of its journal. */
const REPLAYED_EVERY = 10;
const SHRINKING_MS = 120_000;
/** Runs with fewer commands need not contain every expected event. */
const MEETS_ALL = 10_000_000;

const { values: options } = parseArgs({
  options: {
    commands: { type: "string", default: "10000000" },
    "per-seed": { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
  },
});
const perSeed = Number(options["per-seed"]);
const runs = Math.ceil(Number(options.commands) / perSeed);
const first = Number(options.seed);
const total = new Coverage();
const startMs = performance.now();
for (let seed = first; seed < first + runs; seed++) {
  const seedMs = performance.now();
  const life = { seed, commands: perSeed, isReplayed: (seed - first) % REPLAYED_EVERY === 0 };
  try {
    const { coverage, stateHash } = endure(life);
    total.add(coverage);
    const seconds = (performance.now() - seedMs) / 1000;
    process.stdout.write(
      `seed ${seed}: ${stateHash}, ${seconds.toFixed(1)} s${life.isReplayed ? ", replayed" : ""}\n`,
    );
  } catch (error) {
    process.stderr.write(
      `seed ${seed} failed; run it again with\n` +
        `  npm run simulate -- --seed=${seed} --commands=${perSeed} --per-seed=${perSeed}\n`,
    );
    const short = shrunk(life, SHRINKING_MS);
    if (short !== undefined) {
      const lines = short.steps.map((step) => JSON.stringify(step));
      process.stderr.write(`${lines.join("\n")}\n`);
      process.stderr.write(`these ${lines.length} commands suffice: ${short.message}\n`);
    }
    throw error;
  }
}
const seconds = (performance.now() - startMs) / 1000;
const count = runs * perSeed;
const rate = Math.round(count / seconds).toLocaleString("en");
process.stdout.write(`${total.table()}\n`);
process.stdout.write(`${count.toLocaleString("en")} commands, ${rate} in a second\n`);
const missing = total.missing();
if (missing.length > 0) process.stdout.write(`never: ${missing.join(", ")}\n`);
if (missing.length > 0 && count >= MEETS_ALL) process.exitCode = 1;

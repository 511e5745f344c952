/**
 * `npm run simulate`: long seeded runs of the engine with all invariants checked, see
 * test/simulation/endurance.ts.
 *
 *   --commands=10000000 --per-seed=1000000 --seed=1
 */
import { parseArgs } from "node:util";
import { endure } from "./endurance.ts";

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
const totals: Record<string, number> = {};
for (let seed = first; seed < first + runs; seed++) {
  const start = performance.now();
  try {
    const { accepted, stateHash } = endure(seed, perSeed, false);
    for (const [type, count] of Object.entries(accepted)) {
      totals[type] = (totals[type] ?? 0) + count;
    }
    const seconds = (performance.now() - start) / 1000;
    process.stdout.write(`seed ${seed}: ${stateHash}, ${seconds.toFixed(1)} s\n`);
  } catch (error) {
    process.stderr.write(`seed ${seed} failed; run it alone with --seed=${seed}\n`);
    throw error;
  }
}
process.stdout.write(`${(runs * perSeed).toLocaleString("en")} commands, accepted:\n`);
for (const [type, count] of Object.entries(totals)) {
  process.stdout.write(`  ${type} ${count.toLocaleString("en")}\n`);
}

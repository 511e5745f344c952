/** `npm run verify`: all checks that a change must pass before it is merged; stops at the first failure. */
import { spawnSync } from "node:child_process";

const STEPS: readonly (readonly [name: string, command: string])[] = [
  ["format", "oxfmt --check ."],
  ["lint", "oxlint --type-aware --deny-warnings"],
  ["types", "tsc -b"],
  ["unused", "knip"],
  ["lockfile", "node scripts/check-lockfile.ts"],
  ["tests", "node scripts/test.ts"],
];

// All planted faults, kills and random sequences, of which `npm test` runs a share.
process.env.FULL = "1";

const only = process.argv.slice(2);
for (const [name, command] of STEPS) {
  if (only.length > 0 && !only.includes(name)) continue;
  process.stdout.write(`\n── ${name}\n`);
  const { status } = spawnSync(command, { stdio: "inherit", shell: true });
  if (status === 0) continue;
  process.stderr.write(`\n${name} failed (${command})\n`);
  process.exit(1);
}

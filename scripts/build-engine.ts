/**
 * `npm run build-engine`: builds the engine as a separate package in `dist/engine`, without
 * dependencies, ready for `npm pack` or `npm publish`. Its interface is docs/engine.md.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";

const FOLDER = "dist/engine";
/** Exported modules (`openbell-engine/<name>`), by file; every other file is internal to the package. */
const MODULES = [
  "amount",
  "commands",
  "events",
  "accounts/postings",
  "formats/command-codec",
  "event-buffer",
  "reject-reasons",
  "state-reader",
];

rmSync(FOLDER, { recursive: true, force: true });
const compiled = spawnSync("tsc", ["-p", "src/engine/tsconfig.library.json"], {
  encoding: "utf8",
  shell: process.platform === "win32",
});
if (compiled.status !== 0) {
  process.stderr.write(`${compiled.stdout}${compiled.stderr}`);
  process.exit(1);
}

const { version, license } = JSON.parse(readFileSync("package.json", "utf8")) as {
  version: string;
  license: string;
};
const entry = (path: string) => ({ types: `./${path}.d.ts`, default: `./${path}.js` });
const manifest = {
  name: "openbell-engine",
  version,
  description: "An exchange as one deterministic state machine: books, matching and exact ledger.",
  license,
  type: "module",
  sideEffects: false,
  exports: {
    ".": entry("engine"),
    ...Object.fromEntries(MODULES.map((path) => [`./${basename(path)}`, entry(path)])),
  },
};
writeFileSync(`${FOLDER}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
copyFileSync("LICENSE", `${FOLDER}/LICENSE`);
copyFileSync("docs/engine.md", `${FOLDER}/README.md`);
process.stdout.write(`${manifest.name} ${version} is in ${FOLDER}\n`);

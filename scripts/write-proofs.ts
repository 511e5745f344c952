/**
 * `npm run docs`: writes the proof columns of the rule documents. docs/proofs.json names the tests that
 * verify each rule by their file and the beginning of their title; the full titles are read from the
 * files, so a document never names a test that does not exist. With `--check` nothing is written, and
 * the exit code tells whether a document is out of date.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Tests by document, section and rule, each as `file: beginning of its title`. */
type Proofs = Record<string, Record<string, Record<string, readonly string[]>>>;

const SOURCE = "docs/proofs.json";
const SCRIPTS: Readonly<Record<string, string>> = {
  plain: "scripts",
  resting: "scripts-resting",
  triggers: "scripts-triggers",
  lists: "scripts-lists",
  amending: "scripts-amending",
  resuming: "scripts-resuming",
  own: "scripts-own-orders",
  combined: "scripts-combinations",
  markets: "scripts-markets",
  house: "scripts-house",
};
/** The title of a test, with or without a table of values. */
const TITLE = /(?:\b(?:test|it|describe)(?:\.\w+)*\(|\)\()\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;

const isCheck = process.argv.includes("--check");
const proofs = JSON.parse(readFileSync(SOURCE, "utf8")) as Proofs;
const stale: string[] = [];
for (const [path, sections] of Object.entries(proofs)) {
  const text = readFileSync(path, "utf8");
  const written = withProofs(path, text, sections);
  if (written === text) continue;
  stale.push(path);
  if (!isCheck) writeFileSync(path, written);
}
if (isCheck && stale.length > 0) {
  process.stderr.write(`out of date: ${stale.join(", ")}; run npm run docs\n`);
  process.exitCode = 1;
}

/** Fills in the last cell of each row in tables whose last column is headed "proof". */
function withProofs(path: string, text: string, sections: Proofs[string]): string {
  const used = new Set<string>();
  let section = "";
  let isProven: boolean | undefined;
  const lines = text.split("\n").map((line) => {
    if (line.startsWith("#")) section = line.replace(/^#+ /, "");
    if (!line.startsWith("|")) isProven = undefined;
    else if (isProven === undefined) isProven = line.endsWith("| proof |");
    else if (isProven && !line.startsWith("|---")) {
      const cells = line.slice(2, -2).split(" | ");
      const rule = cells[0];
      const tests = sections[section]?.[rule];
      if (tests === undefined) throw new Error(`${SOURCE} has no proof of: ${path}, ${rule}`);
      used.add(`${section} ${rule}`);
      return `| ${[...cells.slice(0, -1), tests.map(proofOf).join("; ")].join(" | ")} |`;
    }
    return line;
  });
  for (const [name, rules] of Object.entries(sections)) {
    for (const rule of Object.keys(rules)) {
      if (!used.has(`${name} ${rule}`)) throw new Error(`${path} has no rule: ${name}, ${rule}`);
    }
  }
  return lines.join("\n");
}

/** `file`: the full title of the one test that begins with these words. */
function proofOf(test: string): string {
  const [file, words] = test.split(/: (.*)/s);
  const begun = new Set(titlesOf(pathOf(file)).filter((title) => title.startsWith(words)));
  if (begun.size !== 1) throw new Error(`${begun.size} tests of ${file} begin with: ${words}`);
  return `\`${file}\`: ${[...begun].join("")}`;
}

function titlesOf(path: string): string[] {
  if (!existsSync(path)) throw new Error(`${SOURCE} names a missing file: ${path}`);
  const titles = Array.from(readFileSync(path, "utf8").matchAll(TITLE), ([, , title]) => title);
  // A title with interpolated values is cut before the first of them.
  return titles.map((title) => title.replace(/\$\{.*$/s, "…").replaceAll(/\\(.)/gs, "$1"));
}

/** Resolves an engine script by its keyword, a file of test/contract or test/browser by its name. */
function pathOf(file: string): string {
  if (file in SCRIPTS) return `test/engine/${SCRIPTS[file]}.test.ts`;
  if (/\.tsx?$/.test(file)) return file;
  return file.startsWith("browser/") ? `test/${file}.test.ts` : `test/contract/${file}.test.ts`;
}

/**
 * `npm test`: runs all tests. Arguments are passed on to vitest, so `npm test -- --project unit`
 * runs a part. With FULL=1 random tests and planted faults run in full, not in part. A file that a busy
 * machine can hold up runs a second time if a test of it failed, from a new start, and what passed only
 * then is named. The last line counts what ran; before it stand, of random tests that failed, the seed and
 * the shortest sequence that failed, since nothing else brings them back.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuild } from "./ensure-build.ts";

interface FileResult {
  /** The file's absolute path. */
  readonly name: string;
  readonly status: "passed" | "failed";
  /** Empty if the file did not load. */
  readonly assertionResults: readonly {
    readonly status: "passed" | "failed" | "pending" | "skipped" | "todo";
    readonly fullName: string;
    readonly failureMessages: readonly string[];
  }[];
}

/** With more of them, the machine is not to blame. */
const FILES_RUN_AGAIN_MAX = 5;
/**
 * Tests of several processes, sockets or a browser, and of shares of the processor's time, which two starved cores can
 * hold up anywhere.
 */
const RUN_AGAIN =
  /\/(?:test\/(?:browser|contract|crashes|hostile-input|operation)|src\/server\/trading-api)\//;
const VITEST = "node_modules/vitest/vitest.mjs";

await ensureBuild();
const folder = mkdtempSync(join(tmpdir(), "openbell-tests-"));

function runTests(args: readonly string[]) {
  const reportFile = join(folder, "report.json");
  const { status } = spawnSync(
    process.execPath,
    [
      VITEST,
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${reportFile}`,
      ...args,
    ],
    { stdio: "inherit" },
  );
  const { testResults } = JSON.parse(readFileSync(reportFile, "utf8")) as {
    testResults: FileResult[];
  };
  return { status, results: new Map(testResults.map((result) => [result.name, result])) };
}

/** All files that the arguments choose, also those whose process ended before it reported. */
function listFiles(args: readonly string[]): string[] {
  const listFile = join(folder, "files.json");
  spawnSync(process.execPath, [VITEST, "list", "--filesOnly", `--json=${listFile}`, ...args]);
  const listed = JSON.parse(readFileSync(listFile, "utf8")) as { file: string }[];
  return [...new Set(listed.map(({ file }) => file))];
}

function hasEnded(result: FileResult | undefined): result is FileResult {
  return (
    result !== undefined &&
    result.assertionResults.length > 0 &&
    result.assertionResults.every(({ status }) => status !== "pending")
  );
}

const args = process.argv.slice(2);
const { status, results } = runTests(args);
let isPassed = status === 0;
const toRunAgain = isPassed
  ? []
  : listFiles(args).filter((file) => {
      const result = results.get(file);
      // Node aborts a process whose thread ends while it loads a native library; no test is to blame.
      return !hasEnded(result) || (result.status === "failed" && RUN_AGAIN.test(file));
    });
/** Of a property: its seed with the path to the counterexample, and that itself. */
const COUNTEREXAMPLE = /\{ seed: -?\d+, path: .*|^Counterexample: .*/gm;
const counterexamples: string[] = [];
function keepCounterexamples({ assertionResults }: FileResult): void {
  for (const { fullName, failureMessages } of assertionResults) {
    const found = failureMessages.join("\n").match(COUNTEREXAMPLE) ?? [];
    if (found.length > 0) counterexamples.push(`${fullName}\n${found.join("\n")}`);
  }
}
for (const result of results.values()) keepCounterexamples(result);
const failedBefore: string[] = [];
if (toRunAgain.length > 0 && toRunAgain.length <= FILES_RUN_AGAIN_MAX) {
  process.stdout.write(`\nrun again: ${toRunAgain.join(", ")}\n`);
  const again = runTests(toRunAgain);
  isPassed = again.status === 0;
  for (const [file, result] of again.results) {
    for (const { status: outcome, fullName, failureMessages } of results.get(file)
      ?.assertionResults ?? []) {
      if (outcome === "failed") failedBefore.push(`${fullName}\n${failureMessages.join("\n")}`);
    }
    results.set(file, result);
  }
}
rmSync(folder, { recursive: true });

const outcomes = [...results.values()].flatMap(({ assertionResults }) => assertionResults);
const count = (...wanted: readonly string[]) =>
  outcomes.filter((outcome) => wanted.includes(outcome.status)).length;
const passed = count("passed");
let failed = count("failed");
// A file that fails to load contains no failed test, and a rejection that nothing handled belongs to none.
if (!isPassed && failed === 0) failed = 1;
for (const failure of failedBefore) {
  process.stdout.write(`\nfailed at first, and ran again: ${failure}\n`);
}
for (const counterexample of counterexamples) {
  process.stdout.write(`\nfailed at random: ${counterexample}\n`);
}
const skipped = count("pending", "skipped", "todo");
process.stdout.write(
  `\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`,
);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

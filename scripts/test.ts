/**
 * `npm test`: runs all tests. Arguments are passed on to vitest, so `npm test -- --project unit`
 * runs a part. With FULL=1 random tests and planted faults run in full, not in part. The last line
 * counts what ran.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuild } from "./ensure-build.ts";

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numFailedTestSuites: number;
  success: boolean;
  testResults: {
    name: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

/** More than one process has at a time: then something else is wrong. */
const FILES_RUN_AGAIN_MAX = 3;

ensureBuild();
const folder = mkdtempSync(join(tmpdir(), "openbell-tests-"));
const VITEST = "node_modules/vitest/vitest.mjs";

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
  return { status, report: JSON.parse(readFileSync(reportFile, "utf8")) as Report };
}

/** Files whose tests did not all come to an end: their process ended before. */
function filesWithoutResults({ testResults }: Report, args: readonly string[]): string[] {
  const listFile = join(folder, "files.json");
  spawnSync(process.execPath, [VITEST, "list", "--filesOnly", `--json=${listFile}`, ...args]);
  const listed = JSON.parse(readFileSync(listFile, "utf8")) as { file: string }[];
  const known = testResults.filter(
    ({ assertionResults }) =>
      assertionResults.length > 0 && assertionResults.every(({ status }) => status !== "pending"),
  );
  const names = new Set(known.map(({ name }) => name));
  return [...new Set(listed.map(({ file }) => file))].filter((file) => !names.has(file));
}

const args = process.argv.slice(2);
const run = runTests(args);
const { report } = run;
if (run.status !== 0 && report.numFailedTests === 0) {
  // Node aborts a process whose thread ends while it loads a native library; no test is to blame.
  const files = filesWithoutResults(report, args);
  if (files.length > 0 && files.length <= FILES_RUN_AGAIN_MAX) {
    process.stdout.write(`\nrun again, as their process ended: ${files.join(", ")}\n`);
    const again = runTests(files);
    run.status = again.status;
    const before = report.testResults
      .filter(({ name }) => files.includes(name))
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === "passed");
    report.numPassedTests += again.report.numPassedTests - before.length;
    report.numFailedTests += again.report.numFailedTests;
  }
}
rmSync(folder, { recursive: true });

// What failed once and then passed keeps its first failure.
for (const { assertionResults } of report.testResults) {
  for (const { status, fullName, failureMessages } of assertionResults) {
    if (status === "passed" && failureMessages.length > 0) {
      process.stdout.write(`\npassed only when run again: ${fullName}\n${failureMessages[0]}\n`);
    }
  }
}

// A file that fails to load contains no failed test, but it is a failure.
const failedToLoad = run.status !== 0 && report.numFailedTests === 0 ? 1 : 0;
const skipped = report.numPendingTests + report.numTodoTests;
const failed = report.numFailedTests + failedToLoad;
process.stdout.write(
  `\n${report.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`,
);
process.exitCode = run.status === 0 && failed === 0 && report.numPassedTests > 0 ? 0 : 1;

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
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

ensureBuild();
const folder = mkdtempSync(join(tmpdir(), "openbell-tests-"));
const reportFile = join(folder, "report.json");
const run = spawnSync(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${reportFile}`,
    ...process.argv.slice(2),
  ],
  { stdio: "inherit" },
);
const report = JSON.parse(readFileSync(reportFile, "utf8")) as Report;
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

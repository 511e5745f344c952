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

// A file that fails to load contains no failed test, but it is a failure.
const failedToLoad = run.status !== 0 && report.numFailedTests === 0 ? 1 : 0;
const skipped = report.numPendingTests + report.numTodoTests;
const failed = report.numFailedTests + failedToLoad;
process.stdout.write(
  `\n${report.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`,
);
process.exitCode = run.status === 0 && failed === 0 && report.numPassedTests > 0 ? 0 : 1;

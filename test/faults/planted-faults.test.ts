/** Each planted fault, put into a copy of the sources, makes one of the tests named for it fail. */
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PLANTED_FAULTS } from "./planted-faults.ts";

interface Report {
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly assertionResults: readonly object[] }[];
}

/**
 * Some mistakes make a loop endless, which no time limit inside the process would end. Longer than any
 * of the files takes: one that notices nothing must not be taken for one that never ends.
 */
const PATIENCE_MS = 120_000;

let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "openbell-faults-"));
  for (const name of ["src", "test", "package.json", "tsconfig.base.json", "vitest.config.ts"]) {
    cpSync(name, join(copy, name), { recursive: true });
  }
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
});
afterAll(() => rmSync(copy, { recursive: true }));

test("there are at least thirty, each of its own", () => {
  expect(PLANTED_FAULTS.length).toBeGreaterThanOrEqual(30);
  expect(new Set(PLANTED_FAULTS.map(({ name }) => name)).size).toBe(PLANTED_FAULTS.length);
});

test.each(PLANTED_FAULTS)("it is noticed when $name", async ({ file, line, mistake, caughtBy }) => {
  const path = join(copy, file);
  const source = readFileSync(path, "utf8");
  expect(source.split(line).length - 1, `"${line}" stands in ${file} once`).toBe(1);
  writeFileSync(
    path,
    source.replace(line, () => mistake),
  );
  try {
    let isNoticed = false;
    for (const tests of caughtBy) isNoticed ||= await fails(tests);
    expect(isNoticed).toBe(true);
  } finally {
    writeFileSync(path, source);
  }
});

/** Whether a test of the file fails or never ends; a file that cannot be loaded notices nothing. */
async function fails(file: string): Promise<boolean> {
  const report = join(copy, "report.json");
  rmSync(report, { force: true });
  const run = spawn(
    process.execPath,
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--bail=1",
      "--reporter=json",
      `--outputFile.json=${report}`,
      file,
    ],
    // A group of its own, so that the processes it starts end with it.
    { cwd: copy, stdio: "ignore", detached: true },
  );
  const ended = new Promise<void>((resolve) => run.once("close", () => resolve()));
  let isEndless = false;
  const timer = setTimeout(() => {
    isEndless = true;
    process.kill(-(run.pid as number), "SIGKILL");
  }, PATIENCE_MS);
  await ended;
  clearTimeout(timer);
  if (isEndless) return true;
  expect(existsSync(report), "the tests ran").toBe(true);
  const { numFailedTests, testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
  const ran = testResults.flatMap(({ assertionResults }) => assertionResults);
  expect(ran, `${file} can be loaded`).not.toEqual([]);
  return numFailedTests > 0;
}

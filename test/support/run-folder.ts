/**
 * A folder shared by the test files of one run (vitest's globalSetup): created before the first file,
 * removed after the last.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NAME = "TEST_RUN_FOLDER";

export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "openbell-run-"));
  // Inherited by the test processes and their children.
  process.env[NAME] = folder;
  // Retries, because servers in the folder may still be exiting.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
}

export function runFolder(): string {
  const folder = process.env[NAME];
  if (folder === undefined) throw new Error(`${NAME} is set by vitest.config.ts`);
  return folder;
}

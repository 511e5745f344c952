/**
 * Directories that are slow to create, such as the data of an exchange: the first process that needs one
 * creates it, and every test of the run gets a copy.
 */
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runFolder } from "./run-folder.ts";

const POLL_MS = 20;

/** @param make creates and fills a directory; called in one process only, unless it fails */
export async function copyPrepared(
  name: string,
  to: string,
  make: (directory: string) => Promise<void>,
): Promise<void> {
  const whole = join(runFolder(), name);
  const begun = `${whole}.begun`;
  while (!existsSync(whole)) {
    if (isFirst(begun))
      await makeWhole(whole, make).catch((error: unknown) => giveUp(begun, error));
    else await delay(POLL_MS);
  }
  cpSync(whole, to, { recursive: true });
}

async function makeWhole(whole: string, make: (directory: string) => Promise<void>): Promise<void> {
  const unfinished = `${whole}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  await make(unfinished);
  renameSync(unfinished, whole);
}

/** Lets the next process that needs the directory try again. */
function giveUp(begun: string, error: unknown): never {
  rmSync(begun, { recursive: true });
  throw error;
}

function isFirst(mark: string): boolean {
  try {
    mkdirSync(mark);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Directories that take long to make, such as the data of an exchange: the process that wants one first
 * makes it, and every test of the run takes a copy.
 */
import { cpSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runFolder } from "./run-folder.ts";

const LOOK_MS = 20;

/** @param make fills a directory that it has to make; called in one process only */
export async function copyPrepared(
  name: string,
  to: string,
  make: (directory: string) => Promise<void>,
): Promise<void> {
  const whole = join(runFolder(), name);
  const failed = `${whole}.failed`;
  if (isFirst(`${whole}.begun`)) {
    const unfinished = `${whole}.unfinished`;
    try {
      await make(unfinished);
      renameSync(unfinished, whole);
    } catch (error) {
      mkdirSync(failed);
      throw error;
    }
  }
  while (!existsSync(whole)) {
    if (existsSync(failed)) throw new Error(`${name} could not be made; another test says why`);
    await delay(LOOK_MS);
  }
  cpSync(whole, to, { recursive: true });
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

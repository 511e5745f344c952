/** Takes over the lock of a running exchange's data directory, which stops the exchange permanently. */
import { renameSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";

/** @returns the connection that holds the lock; the test must close it */
export async function stealLock(dataDir: string, url: string): Promise<DatabaseSync> {
  const path = join(dataDir, "lock");
  const thief = new DatabaseSync(`${path}.new`);
  thief.exec("begin exclusive");
  renameSync(`${path}.new`, path);
  const health = async () => (await fetch(`${url}/api/health`)).status;
  await expect.poll(health, { timeout: 20_000 }).toBe(503);
  return thief;
}

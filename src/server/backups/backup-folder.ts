/**
 * The folder of scheduled backups, one directory each, named by its time. An unverified backup's
 * name has the extra ending `.unproven`, so that every backup whose name is complete has been
 * verified.
 */
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

const VERIFIED = /^openbell-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;
const UNVERIFIED = /^openbell-\d{8}T\d{6}Z\.unproven$/;

export interface Backup {
  readonly path: string;
  /** When the backup was taken, in milliseconds since 1970 UTC, whole seconds. */
  readonly takenMs: number;
}

/** The copied data directory in a backup. */
export function dataIn(backupPath: string): string {
  return join(backupPath, "data");
}

export class BackupFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** The verified backups, newest first. */
  async list(): Promise<Backup[]> {
    const names = await readdir(this.#path);
    return names
      .flatMap((name) => {
        const [, ...parts] = VERIFIED.exec(name) ?? [];
        if (parts.length === 0) return [];
        const [year, month, day, hour, minute, second] = parts.map(Number);
        const takenMs = Date.UTC(year, month - 1, day, hour, minute, second);
        return [{ path: join(this.#path, name), takenMs }];
      })
      .sort((left, right) => right.takenMs - left.takenMs);
  }

  /** Creates an empty directory for a new backup, and removes unfinished backups. */
  async begin(nowMs: number): Promise<Backup> {
    for (const name of await readdir(this.#path)) {
      if (UNVERIFIED.test(name)) await rm(join(this.#path, name), { recursive: true });
    }
    const takenMs = Math.floor(nowMs / 1_000) * 1_000;
    const stamp = new Date(takenMs).toISOString().replace(/\.000|[-:]/g, "");
    const path = join(this.#path, `openbell-${stamp}.unproven`);
    await mkdir(path);
    return { path, takenMs };
  }

  /** Renames a verified backup to its final name, and removes the oldest backups beyond `kept`. */
  async complete({ path }: Backup, kept: number): Promise<void> {
    await rename(path, path.replace(/\.unproven$/, ""));
    for (const old of (await this.list()).slice(kept)) await rm(old.path, { recursive: true });
  }
}

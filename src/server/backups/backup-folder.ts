/**
 * The folder of scheduled backups: one directory each, named by its time. What is not proven yet has
 * another ending, so whatever is complete by its name has been verified.
 */
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

const PROVEN = /^openbell-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;
const UNPROVEN = /^openbell-\d{8}T\d{6}Z\.unproven$/;

export interface Backup {
  readonly path: string;
  /** Milliseconds since 1970 UTC, whole seconds. */
  readonly takenMs: number;
}

export class BackupFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Those that are proven, newest first. */
  async list(): Promise<Backup[]> {
    const names = await readdir(this.#path);
    return names
      .flatMap((name) => {
        const [, ...parts] = PROVEN.exec(name) ?? [];
        if (parts.length === 0) return [];
        const [year, month, day, hour, minute, second] = parts.map(Number);
        const takenMs = Date.UTC(year, month - 1, day, hour, minute, second);
        return [{ path: join(this.#path, name), takenMs }];
      })
      .sort((left, right) => right.takenMs - left.takenMs);
  }

  /** An empty directory for a new backup, after what earlier ones left unfinished is removed. */
  async begin(nowMs: number): Promise<Backup> {
    for (const name of await readdir(this.#path)) {
      if (UNPROVEN.test(name)) await rm(join(this.#path, name), { recursive: true });
    }
    const takenMs = Math.floor(nowMs / 1_000) * 1_000;
    const stamp = new Date(takenMs).toISOString().replace(/\.000|[-:]/g, "");
    const path = join(this.#path, `openbell-${stamp}.unproven`);
    await mkdir(path);
    return { path, takenMs };
  }

  /** Gives a proven backup its name, and removes the oldest beyond `kept`. */
  async complete({ path }: Backup, kept: number): Promise<void> {
    await rename(path, path.replace(/\.unproven$/, ""));
    for (const old of (await this.list()).slice(kept)) await rm(old.path, { recursive: true });
  }
}

/**
 * The file `exchange.json` in the data directory, which identifies the journal and the database
 * that belong to it. It is written durably and atomically, and no decision about money depends on
 * it.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const FILE_NAME = "exchange.json";
const VERSION = 1;

const wholeNumber = z.number().int().min(0);
const schema = z.object({
  version: z.number().int().min(1),
  /** The journal's identity; 0 if the next journal created belongs to this directory. */
  journal: wholeNumber,
  /** A sequence that is durable in the journal. */
  sequence: wholeNumber,
  /** The database's id; "" if the next database opened belongs to this directory. */
  database: z.string(),
  /** A sequence that the history in the database has reached; 0 if none is required. */
  databaseSequence: wholeNumber,
});

export type DirectoryRecord = Omit<z.output<typeof schema>, "version">;

/**
 * The record; undefined if there is none.
 * @throws Error with a sentence for the operator if it cannot be read
 */
export function readDirectoryRecord(dataDir: string): DirectoryRecord | undefined {
  const path = join(dataDir, FILE_NAME);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success) {
    throw new Error(
      `The file ${path} is damaged. Restore it from a backup; if the other files are undamaged, move ` +
        "it away and the next start makes a new one.",
    );
  }
  const { version, ...record } = parsed.data;
  if (version > VERSION) {
    throw new Error(
      `The data directory ${dataDir} was written by a newer version of the program (${FILE_NAME} has ` +
        `version ${version}, this program knows ${VERSION}). Start the newer program.`,
    );
  }
  return record;
}

/** Writes the record; it is durable on return. */
export function writeDirectoryRecord(dataDir: string, record: DirectoryRecord): void {
  const path = join(dataDir, FILE_NAME);
  const draft = `${path}.draft`;
  const text = `${JSON.stringify({ version: VERSION, ...record }, null, 2)}\n`;
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  renameSync(draft, path);
  // Windows cannot flush a directory; its file system journals renames.
  if (process.platform === "win32") return;
  const directory = openSync(dataDir, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Copies files of a journal and compares them. */
import { createHash } from "node:crypto";
import type { JournalFile, JournalFileSystem } from "./file-system.ts";
import { flushFile, writeAll } from "./segments.ts";

const CHUNK_BYTES = 1 << 20;

/** Copies a file that no one writes to; the copy is on disk afterwards, but not yet its name. */
export function copyFile(
  fileSystem: JournalFileSystem,
  source: JournalFile,
  target: string,
): Promise<void> {
  return copySegment(fileSystem, source, source.size(), target);
}

/** Copies a segment up to `end`, followed by zeros. */
export async function copySegment(
  fileSystem: JournalFileSystem,
  source: JournalFile,
  end: number,
  target: string,
): Promise<void> {
  await fileSystem.createZeroed(target, source.size());
  const copy = fileSystem.open(target, "write");
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let position = 0; position < end; position += CHUNK_BYTES) {
      const wanted = chunk.subarray(0, Math.min(CHUNK_BYTES, end - position));
      writeAll(copy, target, wanted.subarray(0, source.read(wanted, position)), position);
    }
    await flushFile(copy, target);
  } finally {
    copy.close();
  }
}

/** Whether there is a file at this path with the same bytes. */
export function hasContent(
  fileSystem: JournalFileSystem,
  path: string,
  source: JournalFile,
): boolean {
  let file: JournalFile;
  try {
    file = fileSystem.open(path, "read");
  } catch {
    return false;
  }
  try {
    return file.size() === source.size() && digestOf(file) === digestOf(source);
  } finally {
    file.close();
  }
}

function digestOf(file: JournalFile): string {
  const hash = createHash("sha256");
  const chunk = new Uint8Array(Math.min(CHUNK_BYTES, file.size()));
  for (let position = 0; position < file.size(); position += chunk.length) {
    hash.update(chunk.subarray(0, file.read(chunk, position)));
  }
  return hash.digest("hex");
}

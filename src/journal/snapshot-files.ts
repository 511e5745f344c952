/**
 * Snapshots as files of one directory, each complete and verified or absent: written under another
 * name, flushed, read back, verified by the writer, and only then renamed. The two newest are kept.
 * A snapshot only saves time: one that cannot be read is ignored, and the journal has everything.
 *
 *   magic · bytes of the program's name · version · journal · sequence · time · bytes of the engine's
 *   state · bytes of the read models · bytes of the formats' names · 0 · SHA-256 of all else · program ·
 *   formats · engine · read models
 *
 * Integers are little-endian uint32; sequence, time and the two larger lengths float64. The digest
 * shows that the bytes are those that were verified: they need not be verified again.
 */
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { type JournalFile, type JournalFileSystem, nodeFileSystem } from "./file-system.ts";
import { writeInChunks } from "./write-in-chunks.ts";

export interface Snapshot {
  /** The sequence of the last command included. */
  readonly sequence: number;
  /** The timestamp of that command. */
  readonly timestampMs: number;
  /** The `identity` of the journal that the snapshot was made from. */
  readonly journal: number;
  /** Identifies the program that wrote the snapshot. */
  readonly program: string;
  /** Identifies the formats of the snapshot's two parts, and the rules that produced them. */
  readonly formats: string;
  readonly engine: Uint8Array;
  readonly readModels: Uint8Array;
}

/** The file is not an intact snapshot. */
export class SnapshotDamagedError extends Error {
  override readonly name = "SnapshotDamagedError";

  constructor(path: string, finding: string) {
    super(`The snapshot ${path} cannot be used: ${finding}.`);
  }
}

const SNAPSHOTS_KEPT = 2;

const FORMAT_VERSION = 3;
const MAGIC = 0x5353424f;
/** The bytes of the header before the digest, which is a SHA-256. */
const FIELD_BYTES = 64;
const HEADER_BYTES = FIELD_BYTES + 32;
/**
 * The name contains the process id, so that no process renames a file that another has not verified
 * yet.
 */
const partialNameOf = (process: number | undefined) => `snapshot-${process}.partial`;
const PARTIAL_NAMES = /^snapshot.*\.partial$/;
const NAME = /^snapshot-(\d{16})\.snapshot$/;
const nameOf = (sequence: number) => `snapshot-${String(sequence).padStart(16, "0")}.snapshot`;

const textEncoder = new TextEncoder();
const textDecoder = new TextDecoder();

export class SnapshotFiles {
  readonly #directory: string;
  readonly #fileSystem: JournalFileSystem;

  constructor(directory: string, fileSystem: JournalFileSystem = nodeFileSystem) {
    this.#directory = directory;
    this.#fileSystem = fileSystem;
  }

  createDirectory(): void {
    this.#fileSystem.createDirectory(this.#directory);
  }

  /**
   * Removes the remains of interrupted writes.
   * @param writer the id of a process that may be writing: its files stay
   */
  removeRemains(writer?: number): void {
    for (const name of this.#fileSystem.list(this.#directory)) {
      const isRemains = PARTIAL_NAMES.test(name) && name !== partialNameOf(writer);
      if (isRemains) this.#fileSystem.remove(join(this.#directory, name));
    }
  }

  /** The sequences of the existing snapshots, newest first; the directory must exist. */
  sequences(): number[] {
    return this.#fileSystem
      .list(this.#directory)
      .filter((name) => NAME.test(name))
      .map((name) => Number(NAME.exec(name)?.[1]))
      .sort((a, b) => b - a);
  }

  pathOf(sequence: number): string {
    return join(this.#directory, nameOf(sequence));
  }

  /**
   * Reads the snapshot of a sequence.
   * @throws SnapshotDamagedError if the file is not intact.
   */
  read(sequence: number): Snapshot {
    const path = this.pathOf(sequence);
    const snapshot = this.#readFile(path);
    if (snapshot.sequence !== sequence) {
      throw new SnapshotDamagedError(path, `it is of sequence ${snapshot.sequence}`);
    }
    return snapshot;
  }

  /**
   * Writes a snapshot and removes those that it makes obsolete. The snapshot takes effect only
   * after `prove` has checked the data read back from the file without throwing. On any failure the
   * existing snapshots stay.
   * @returns the bytes of the file.
   */
  async write(snapshot: Snapshot, prove: (written: Snapshot) => void): Promise<number> {
    const bytes = await this.#store(snapshot.sequence, encode(snapshot), prove);
    // A snapshot beyond this sequence belongs to another journal: no start uses a journal that is
    // behind its snapshots.
    const sequences = this.sequences();
    const own = sequences.filter((sequence) => sequence <= snapshot.sequence);
    const kept = new Set(own.slice(0, SNAPSHOTS_KEPT));
    await this.#removeOld(sequences.filter((sequence) => !kept.has(sequence)));
    return bytes;
  }

  /**
   * Writes a snapshot that another process has written and proved, from the bytes of its file.
   * @returns the bytes of the file.
   * @throws SnapshotDamagedError if they are not an intact snapshot of this sequence, in which case no file changes
   */
  async receive(sequence: number, parts: AsyncIterable<Uint8Array>): Promise<number> {
    const check = (received: Snapshot) => {
      if (received.sequence === sequence) return;
      const finding = `it is of sequence ${received.sequence}`;
      throw new SnapshotDamagedError(this.pathOf(sequence), finding);
    };
    const bytes = await this.#store(sequence, parts, check, true);
    const earlier = this.sequences().filter((each) => each <= sequence);
    await this.#removeOld(earlier.slice(SNAPSHOTS_KEPT));
    return bytes;
  }

  /** Writes the file under another name, and gives it its own if reading it back passes the check. */
  async #store(
    sequence: number,
    parts: Parts,
    check: (written: Snapshot) => void,
    isAwaited = false,
  ): Promise<number> {
    const fileSystem = this.#fileSystem;
    const partial = join(this.#directory, partialNameOf(process.pid));
    fileSystem.createDirectory(this.#directory);
    await fileSystem.flushDirectory(dirname(this.#directory));
    let bytes: number;
    try {
      bytes = await this.#writePartial(partial, parts, isAwaited);
      check(this.#readFile(partial));
      fileSystem.rename(partial, this.pathOf(sequence));
    } catch (error) {
      // On a full disk, the journal needs the space that this file takes.
      fileSystem.remove(partial);
      throw error;
    }
    await fileSystem.flushDirectory(this.#directory);
    return bytes;
  }

  async #removeOld(sequences: readonly number[]): Promise<void> {
    for (const sequence of sequences) this.#fileSystem.remove(this.pathOf(sequence));
    await this.#fileSystem.flushDirectory(this.#directory);
  }

  /** Writes the file under its partial name; returns its size in bytes. */
  async #writePartial(path: string, parts: Parts, isAwaited: boolean): Promise<number> {
    await this.#fileSystem.createZeroed(path, 0);
    const file = this.#fileSystem.open(path, "write");
    let bytes = 0;
    try {
      for await (const part of parts) {
        await writeInChunks(file, path, part, bytes, isAwaited);
        bytes += part.length;
      }
    } finally {
      file.close();
    }
    return bytes;
  }

  #readFile(path: string): Snapshot {
    const file = this.#fileSystem.open(path, "read");
    try {
      return readSnapshot(file, path);
    } finally {
      file.close();
    }
  }
}

/** The bytes of a file in order. */
type Parts = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** The parts of the file in order. */
function encode(snapshot: Snapshot): Uint8Array[] {
  const { sequence, timestampMs, journal, engine, readModels } = snapshot;
  const program = textEncoder.encode(snapshot.program);
  const formats = textEncoder.encode(snapshot.formats);
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, program.length, true);
  view.setUint32(8, FORMAT_VERSION, true);
  view.setUint32(12, journal, true);
  view.setFloat64(16, sequence, true);
  view.setFloat64(24, timestampMs, true);
  view.setFloat64(32, engine.length, true);
  view.setFloat64(40, readModels.length, true);
  view.setUint32(48, formats.length, true);
  const fields = header.subarray(0, FIELD_BYTES);
  header.set(digestOf(fields, program, formats, engine, readModels), FIELD_BYTES);
  return [Buffer.concat([header, program, formats]), engine, readModels];
}

function digestOf(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Reads a snapshot, its read models into shared memory: a transfer would detach any other. */
function readSnapshot(file: JournalFile, path: string): Snapshot {
  const refuse = (finding: string): never => {
    throw new SnapshotDamagedError(path, finding);
  };
  const size = file.size();
  const readInto = (memory: ArrayBuffer | SharedArrayBuffer, position: number) => {
    const bytes = new Uint8Array(memory);
    if (file.read(bytes, position) !== bytes.length) refuse("it ends too early");
    return bytes;
  };
  const read = (length: number, position: number) => readInto(new ArrayBuffer(length), position);
  if (size < HEADER_BYTES) refuse("it has no header");
  const header = read(HEADER_BYTES, 0);
  const view = new DataView(header.buffer);
  if (view.getUint32(0, true) !== MAGIC) refuse("it does not begin as a snapshot does");
  const version = view.getUint32(8, true);
  if (version !== FORMAT_VERSION) refuse(`its format version ${version} is not known`);
  const formatsAt = HEADER_BYTES + view.getUint32(4, true);
  const engineAt = formatsAt + view.getUint32(48, true);
  const readModelsAt = engineAt + view.getFloat64(32, true);
  // Checked before the digest is compared: a damaged length must not cause a huge allocation.
  const isWithin = Number.isSafeInteger(readModelsAt) && engineAt <= readModelsAt;
  if (!isWithin || readModelsAt > size) refuse("its parts do not fill it");
  const program = read(formatsAt - HEADER_BYTES, HEADER_BYTES);
  const formats = read(engineAt - formatsAt, formatsAt);
  const engine = read(readModelsAt - engineAt, engineAt);
  const readModels = readInto(new SharedArrayBuffer(size - readModelsAt), readModelsAt);
  const digest = digestOf(header.subarray(0, FIELD_BYTES), program, formats, engine, readModels);
  if (Buffer.compare(header.subarray(FIELD_BYTES), digest) !== 0) refuse("its checksum is wrong");
  if (view.getFloat64(40, true) !== readModels.length) refuse("its parts do not fill it");
  return {
    sequence: view.getFloat64(16, true),
    timestampMs: view.getFloat64(24, true),
    journal: view.getUint32(12, true),
    program: textDecoder.decode(program),
    formats: textDecoder.decode(formats),
    engine,
    readModels,
  };
}

/**
 * Snapshots that the nodes of one exchange share: beside a journal in a stream, so that a new node
 * need not replay it all. They are files as in snapshot-files.ts, and are trusted as little as any
 * file: they may be damaged or incomplete, or belong to another journal or program.
 */
import type { JournalPlace } from "./open-journal.ts";

export interface SharedSnapshot {
  /** The sequence of the last command included. */
  readonly sequence: number;
  /** The `identity` of the journal that the snapshot was made from. */
  readonly journal: number;
  /** Identifies the formats of its content, as in the file. */
  readonly formats: string;
}

export interface SharedSnapshots {
  /** The completely written snapshots, newest first. */
  list(): Promise<SharedSnapshot[]>;
  /** Those of `list` of which nothing is missing. */
  listWhole(): Promise<SharedSnapshot[]>;
  /**
   * Whether the caller is to share its snapshot of this sequence: at least `commandsMin` commands after
   * the previous one, and no other caller gets the same answer.
   */
  takeTurn(of: SharedSnapshot, commandsMin: number): Promise<boolean>;
  /**
   * Shares the file at this path in place of the oldest snapshot.
   * @returns its bytes
   */
  share(snapshot: SharedSnapshot, path: string): Promise<number>;
  /** The bytes of a snapshot's file. @throws Error if they are incomplete, damaged or late */
  read(snapshot: SharedSnapshot): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Loads NATS. @throws Error with a sentence if it cannot be reached */
export async function openSharedSnapshots(stream: JournalPlace): Promise<SharedSnapshots> {
  // oxlint-disable-next-line no-restricted-imports -- only here, and only when it is needed
  const { openSnapshotBucket } = await import("./jetstream/snapshot-bucket.ts");
  return openSnapshotBucket(stream);
}

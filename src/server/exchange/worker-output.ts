/**
 * The messages from a thread that owns an engine to the main thread, and the start of such a thread:
 * shared by the workers.
 */
import type { Engine } from "#engine/engine.ts";
import {
  type Journal,
  JournalDamagedError,
  type JournalOutcomeUnknownError,
} from "#journal/journal.ts";
import { SnapshotFiles } from "#journal/snapshot-files.ts";
import {
  type EngineRequest,
  type EngineResponse,
  RECOVERY_BATCHES_MAX,
  type ReleasedEvents,
  type SnapshotLocation,
} from "./engine-messages.ts";
import { messageOf } from "../log.ts";
import { restoreNewest } from "./snapshots/restore-snapshot.ts";
import { ClockRefusedError } from "./starting-time.ts";

export class WorkerOutput {
  /** Posts a response: copied or shared, never transferred (event-row-pool.ts). */
  readonly respond: (response: EngineResponse) => void;

  constructor(respond: (response: EngineResponse) => void) {
    this.respond = respond;
  }

  readonly release = (events: ReleasedEvents): void => {
    this.respond({ kind: "events", ...events });
  };

  readonly stop = (error: unknown): void => {
    const reason = messageOf(error);
    if (error instanceof JournalDamagedError) {
      const { file, offset, sequence, finding } = error;
      this.respond({ kind: "stopped", reason, damage: { file, offset, sequence, finding } });
    } else {
      this.respond({ kind: "stopped", reason, isClockRefused: error instanceof ClockRefusedError });
    }
  };

  readonly warnOfWaiting = (error: JournalOutcomeUnknownError): void => {
    this.log.warn({ reason: error.message }, "commands wait for the journal");
  };

  readonly log = {
    info: (fields: object, message: string) =>
      this.respond({ kind: "log", level: "info", fields, message }),
    warn: (fields: object, message: string) =>
      this.respond({ kind: "log", level: "warn", fields, message }),
  };
}

/** Counts how many more batches of events the main thread is ready to receive. */
export class Credits {
  #left = RECOVERY_BATCHES_MAX;
  #wake = () => {};

  readonly give = (request: EngineRequest): void => {
    if (request.kind !== "credit") return;
    this.#left += 1;
    this.#wake();
  };

  async take(): Promise<void> {
    if (this.#left === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#left -= 1;
  }
}

/**
 * The engine of the newest usable snapshot, whose read models are sent before its later events;
 * undefined without one.
 * @param isJournalWhole see restore-snapshot.ts
 * @param fetched see restore-snapshot.ts
 */
export function restoreFrom(
  journal: Journal,
  location: SnapshotLocation | undefined,
  isJournalWhole: boolean,
  { respond, log }: Pick<WorkerOutput, "respond" | "log">,
  fetched?: number,
): Engine | undefined {
  if (location === undefined) return undefined;
  const { directory, program, formats, sequenceMax } = location;
  const files = new SnapshotFiles(directory);
  files.createDirectory();
  const onRead = (readModels: Uint8Array) => respond({ kind: "snapshotRead", readModels });
  const restored = restoreNewest({
    files,
    journal,
    isJournalWhole,
    program,
    formats,
    sequenceMax,
    fetched,
    onRead,
    log,
  });
  if (restored !== undefined) respond({ kind: "restored", sequence: restored.engine.sequence });
  return restored?.engine;
}

/**
 * Of several nodes on one database, one writes the history. The row of the progress names it, and each
 * transaction requires that name and the sequence that it continues, so nothing is written by a node
 * after another has put its own name there. Every node folds the same events, and so none writes other
 * rows than another would.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import { type Progress, readProgress } from "./progress.ts";

const POLL_EVERY_MS = 250;

export class WritingTurn {
  /** The name of this node. */
  readonly writer: string;
  readonly #write: Kysely<Tables>;
  #isGranted = false;
  #hasClaimed = false;
  #change = new AbortController();

  constructor(write: Kysely<Tables>, writer: string) {
    this.#write = write;
    this.writer = writer;
  }

  /** Sets whether this node may put its name there; called repeatedly while it may. */
  grant(isGranted: boolean): void {
    if (isGranted === this.#isGranted) return;
    this.#isGranted = isGranted;
    this.#hasClaimed = false;
    this.#change.abort();
    this.#change = new AbortController();
  }

  /**
   * Called when the tables have another name. A node that was paused may not know yet that it is not its
   * turn, so it waits for the next `grant`.
   */
  lose(): void {
    this.grant(false);
  }

  /**
   * Resolves once this node is the writer, or another has written everything up to the sequence.
   * @returns the progress of the tables, from which this node continues; undefined if it closes before
   */
  async whenWriter(sequence: number, isClosing: () => boolean): Promise<Progress | undefined> {
    for (;;) {
      if (this.#isGranted) return this.#claim();
      const progress = await readProgress(this.#write);
      if (progress.sequence >= sequence) return progress;
      if (isClosing()) return undefined;
      const { signal } = this.#change;
      await delay(POLL_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #claim(): Promise<Progress> {
    if (!this.#hasClaimed) {
      // Waits for a transaction of the last writer, so that none of it follows.
      await this.#write
        .updateTable("history_progress")
        .set({ writer: this.writer })
        .where("id", "=", 1)
        .execute();
      this.#hasClaimed = true;
    }
    return readProgress(this.#write);
  }
}

/** Follows a journal within the thread of its writer. */
import type { Journal, RecordGroup } from "./journal.ts";

/** Wakes readers that wait for the next group. */
export class Growth {
  #next = Promise.withResolvers<void>();
  #hasEnded = false;

  /** Whether nothing more will be appended. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  announce(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  end(): void {
    this.#hasEnded = true;
    this.announce();
  }

  /** Resolves with the next `announce` or `end`, or when the signal is aborted. */
  async next(signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<void>();
    const onAbort = () => aborted.resolve();
    signal.addEventListener("abort", onAbort);
    try {
      if (!signal.aborted) await Promise.race([this.#next.promise, aborted.promise]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }
}

/** `Journal.follow` for a journal that announces its appended groups. */
export async function* followByReading(
  journal: Pick<Journal, "lastSequence" | "read">,
  growth: Growth,
  fromSequence: number,
  signal: AbortSignal,
): AsyncGenerator<RecordGroup> {
  let from = fromSequence;
  while (!signal.aborted && !growth.hasEnded) {
    if (journal.lastSequence < from) {
      await growth.next(signal);
      continue;
    }
    for await (const group of journal.read(from)) {
      yield group;
      from = group.firstSequence + group.count;
      if (signal.aborted || growth.hasEnded) return;
    }
  }
}

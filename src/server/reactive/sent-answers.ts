/**
 * Earlier versions of an answer that subscribers still have, and the increment from each to the
 * current one. A version is dropped when no subscriber has it any more. If there are too many
 * versions, the one with the fewest subscribers is dropped, and these subscribers are sent the
 * complete answer.
 */
import { incrementOf } from "./increments.ts";

/**
 * Maximum of earlier versions. Few are needed: subscribers are updated together, except after
 * changes of their own.
 */
const TEXTS_MAX = 64;
/** Limit of the characters of all earlier versions of an answer, if there are several. */
const LENGTH_MAX = 256 * 1024;

interface SentText {
  readonly failed: boolean;
  readonly tail: string;
  readonly version: number;
}

interface Earlier {
  readonly sent: SentText;
  /** Number of subscribers that have this version. */
  holders: number;
}

export class SentAnswers {
  #present: SentText;
  #holders = 0;
  /** Earlier versions, oldest first. */
  #earlier: Earlier[] | undefined;
  /** Characters of the earlier versions. */
  #length = 0;
  /**
   * Increments to the current version, by the version from which they lead; undefined if one would
   * save too little.
   */
  #increments: Map<number, string | undefined> | undefined;

  constructor(present: SentText) {
    this.#present = present;
  }

  /** Characters kept in addition to the current version. */
  get length(): number {
    return this.#length;
  }

  replace(present: SentText): void {
    if (this.#holders > 0) {
      this.#earlier ??= [];
      this.#earlier.push({ sent: this.#present, holders: this.#holders });
      this.#length += this.#present.tail.length;
      this.#forgetMany(this.#earlier);
    }
    this.#present = present;
    this.#holders = 0;
    this.#increments = undefined;
  }

  /**
   * The increment from a subscriber's version to the current one; undefined if the complete answer
   * must be sent.
   */
  incrementFrom(version: number): string | undefined {
    const before = this.#earlier?.find(({ sent }) => sent.version === version)?.sent;
    if (before === undefined || before.failed !== this.#present.failed) return undefined;
    this.#increments ??= new Map();
    if (!this.#increments.has(version)) {
      this.#increments.set(version, incrementOf(before.tail, this.#present.tail));
    }
    return this.#increments.get(version);
  }

  /** Counts one more subscriber with the current version. */
  hold(): void {
    this.#holders++;
  }

  /** Counts one subscriber fewer with this version. */
  release(version: number): void {
    if (version === this.#present.version) {
      this.#holders--;
      return;
    }
    const at = this.#earlier?.findIndex(({ sent }) => sent.version === version) ?? -1;
    if (this.#earlier === undefined || at === -1) return;
    this.#earlier[at].holders--;
    if (this.#earlier[at].holders === 0) this.#forget(this.#earlier, at);
  }

  #forgetMany(earlier: Earlier[]): void {
    while (earlier.length > TEXTS_MAX || (earlier.length > 1 && this.#length > LENGTH_MAX)) {
      let fewest = 0;
      for (const [at, { holders }] of earlier.entries()) {
        if (holders < earlier[fewest].holders) fewest = at;
      }
      this.#forget(earlier, fewest);
    }
  }

  #forget(earlier: Earlier[], at: number): void {
    this.#length -= earlier[at].sent.tail.length;
    earlier.splice(at, 1);
  }
}

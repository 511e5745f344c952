/**
 * The earlier texts of an answer that subscribers still have, and how each becomes the present one.
 * A text is forgotten once everybody who had it was sent another; of many, the one that fewest have.
 * Who has a forgotten one is sent the whole answer.
 */
import { incrementOf } from "./increments.ts";

/** Subscribers are updated together, except after changes of their own. */
const TEXTS_MAX = 64;
/** Characters of several earlier texts of one answer. */
const LENGTH_MAX = 256 * 1024;

interface SentText {
  readonly failed: boolean;
  readonly tail: string;
  readonly version: number;
}

interface Earlier {
  readonly sent: SentText;
  /** How many subscribers have it. */
  holders: number;
}

export class SentAnswers {
  #present: SentText;
  #holders = 0;
  /** Oldest first. */
  #earlier: Earlier[] | undefined;
  /** Of the earlier texts. */
  #length = 0;
  /** To the present text, by the version from which they lead; undefined if one would save too little. */
  #increments: Map<number, string | undefined> | undefined;

  constructor(present: SentText) {
    this.#present = present;
  }

  /** Characters that are kept beside the present text. */
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

  /** How a subscriber's text becomes the present one; undefined if that has to be sent whole. */
  incrementFrom(version: number): string | undefined {
    const before = this.#earlier?.find(({ sent }) => sent.version === version)?.sent;
    if (before === undefined || before.failed !== this.#present.failed) return undefined;
    this.#increments ??= new Map();
    if (!this.#increments.has(version)) {
      this.#increments.set(version, incrementOf(before.tail, this.#present.tail));
    }
    return this.#increments.get(version);
  }

  /** One more subscriber has the present text. */
  hold(): void {
    this.#holders++;
  }

  /** One subscriber fewer has this text. */
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

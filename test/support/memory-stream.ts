/** A stream of JetStream in memory, with a journal of several terms, and what a crash of its user leaves. */
import type { StoredMsg } from "@nats-io/jetstream";
import { encodeGroup, encodeSegmentHeader, extentOf } from "#journal/format.ts";
import type { StoredMessage } from "#journal/jetstream/message-verifier.ts";
import type { ShortenableStream } from "#journal/jetstream/shorten-stream.ts";
import { subjectsOf } from "#journal/jetstream/stream-rules.ts";

const NAME = "x";
const subjects = subjectsOf(NAME);

export class MemoryStream implements ShortenableStream {
  readonly name = NAME;
  #messages: StoredMessage[] = [];
  #first = 1;
  #value: { readonly value: string | undefined; readonly revision: number } = {
    value: undefined,
    revision: 0,
  };
  #salt = 0;
  #chain = 0;
  #term = 0;
  #sequence = 0;
  #timeMs = 0;
  /**
   * Called before and after each change of the stream or its beginning. Throws where the process is killed;
   * a promise is waited for.
   */
  step: (what: string) => Promise<void> | void = () => undefined;

  /** A stream of its own with the same content. */
  clone(): MemoryStream {
    const copy = new MemoryStream();
    copy.#messages = [...this.#messages];
    copy.#first = this.#first;
    copy.#value = this.#value;
    copy.#salt = this.#salt;
    copy.#chain = this.#chain;
    copy.#term = this.#term;
    copy.#sequence = this.#sequence;
    copy.#timeMs = this.#timeMs;
    return copy;
  }

  get firstPosition(): number {
    return this.#first;
  }

  get lastPosition(): number {
    return this.#messages.length;
  }

  /** A writer begins the next term. */
  begin(salt: number): void {
    this.#salt = salt;
    this.#term += 1;
    this.#store(
      subjects.segments,
      encodeSegmentHeader({
        salt,
        number: this.#term,
        chain: this.#chain,
        firstSequence: this.#sequence + 1,
        lastTimestampMs: this.#timeMs,
      }),
    );
  }

  /** The writer appends a group of one record. */
  append(record: Uint8Array, timestampMs: number): void {
    const records = new Uint8Array(4 + record.length);
    new DataView(records.buffer).setUint32(0, record.length, true);
    records.set(record, 4);
    const data = new Uint8Array(extentOf(records.length));
    this.#sequence += 1;
    this.#timeMs = timestampMs;
    const group = { firstSequence: this.#sequence, count: 1, timestampMs, records };
    this.#chain = encodeGroup(data, group, this.#salt, this.#chain);
    this.#store(subjects.groups, data);
  }

  readonly messages = async function* (
    this: MemoryStream,
    from: number,
  ): AsyncGenerator<StoredMessage> {
    for (let position = from; position <= this.lastPosition; position++) {
      if (position < this.#first) throw new Error(`message ${position} was removed`);
      yield this.#messages[position - 1];
    }
  }.bind(this);

  readonly manager = {
    streams: {
      info: async () => ({ state: { first_seq: this.#first, last_seq: this.lastPosition } }),
      getMessage: async (
        stream: string,
        query: { seq?: number; next_by_subj?: string },
      ): Promise<Partial<StoredMsg> | null> => {
        if (stream !== NAME) {
          const { value } = this.#value;
          return value === undefined ? null : { string: () => value };
        }
        const from = Math.max(this.#first, query.seq ?? 1);
        const isExact = query.next_by_subj === undefined;
        if (isExact && from !== query.seq) return null;
        const found = this.#messages
          .slice(from - 1)
          .find(({ subject }) => isExact || subject === query.next_by_subj);
        return found === undefined ? null : { ...found, seq: found.position };
      },
      purge: async (_: string, { seq }: { seq: number }) => {
        await this.step("purge");
        this.#first = Math.max(this.#first, Math.min(seq, this.lastPosition + 1));
        await this.step("purged");
        return {};
      },
    },
  } as unknown as ShortenableStream["manager"];

  readonly beginnings = {
    read: () => Promise.resolve(this.#value),
    write: async (value: string, revision: number) => {
      await this.step("begin");
      if (revision !== this.#value.revision) return undefined;
      this.#value = { value, revision: revision + 1 };
      await this.step("begun");
      return revision + 1;
    },
  };

  #store(subject: string, data: Uint8Array): void {
    this.#messages.push({ position: this.lastPosition + 1, subject, data });
  }
}

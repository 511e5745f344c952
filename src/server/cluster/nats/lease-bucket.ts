/** The lease as one key of a JetStream key-value bucket. */
import type { JetStreamClient } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import { z } from "zod";
import type { ServerChoice } from "#journal/jetstream/server-choice.ts";
import { isWrongLastSequence } from "#journal/jetstream/wrong-last-sequence.ts";
import type { LeaseEntry, LeaseRecord, LeaseStore } from "../leadership.ts";

const KEY = "leader";

const leaseRecord = z.object({
  node: z.string(),
  term: z.number(),
  sequence: z.number(),
  isReleased: z.boolean(),
});

/** Opens the bucket, which the first node creates. */
export async function openLeaseBucket(
  jetstream: JetStreamClient,
  bucket: string,
  replicas: number,
  server: ServerChoice,
): Promise<LeaseStore> {
  const store = await new Kvm(jetstream).create(bucket, {
    replicas,
    history: 1,
    description: "Which node of an Openbell exchange leads",
  });
  return new LeaseBucket(store, server);
}

class LeaseBucket implements LeaseStore {
  readonly #bucket: KV;
  readonly #server: ServerChoice;

  constructor(bucket: KV, server: ServerChoice) {
    this.#bucket = bucket;
    this.#server = server;
  }

  async read(): Promise<LeaseEntry | undefined> {
    const entry = await this.#answered(() => this.#bucket.get(KEY));
    if (entry === null) return undefined;
    return { record: leaseRecord.parse(entry.json()), revision: entry.revision };
  }

  async write(record: LeaseRecord, revision: number): Promise<number | undefined> {
    try {
      const value = JSON.stringify(record);
      // The client refuses to update a missing entry.
      return await this.#answered(() =>
        revision === 0
          ? this.#bucket.create(KEY, value)
          : this.#bucket.update(KEY, value, revision),
      );
    } catch (error) {
      if (isWrongLastSequence(error)) return undefined;
      throw error;
    }
  }

  async #answered<T>(ask: () => Promise<T>): Promise<T> {
    try {
      const answer = await ask();
      this.#server.onAnswer();
      return answer;
    } catch (error) {
      if (!isWrongLastSequence(error)) this.#server.onSilence();
      throw error;
    }
  }
}

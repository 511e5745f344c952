/**
 * Snapshots in an object store of JetStream. It has one object for each snapshot that is kept; a new one
 * replaces the oldest, and until it is complete the store gives the one before. An object of its own says
 * up to which sequence a snapshot was shared or is about to be, so that one node at a time shares.
 */
import { createReadStream, statSync } from "node:fs";
import { Readable } from "node:stream";
import { jetstream, type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { type ObjectInfo, type ObjectStore, Objm } from "@nats-io/obj";
import type { NatsConnection } from "@nats-io/transport-node";
import type { SharedSnapshot, SharedSnapshots } from "../shared-snapshots.ts";
import { connectTo } from "./connection.ts";
import { parseStreamAddress } from "./stream-address.ts";
import { MESSAGE_BYTES_MIN } from "./stream-rules.ts";
import { untilReady } from "./until-ready.ts";
import { isWrongLastSequence } from "./wrong-last-sequence.ts";

/** The objects of snapshots. Two, as in a directory: the newest may be of no use to a node. */
const KEPT = ["first", "second"];
const TURN = "turn";
/** No more than any server of a journal accepts; larger ones would delay its messages for longer. */
const CHUNK_BYTES = MESSAGE_BYTES_MIN - 1024;
const ANSWER_MS_MAX = 2_000;
/** A chunk is not retried, so it waits out an election. */
const STORED_MS_MAX = 20_000;
/** Chunks of an object that was never completed are removed at this age. */
const ABANDONED_MS = 60 * 60_000;

/** Opens the store of an exchange, which the first node creates. */
export async function openSnapshotBucket(place: string): Promise<SharedSnapshots> {
  const address = parseStreamAddress(place);
  const connection = await connectTo(address);
  try {
    const bucket = `${address.stream}-snapshots`;
    const timeout = ANSWER_MS_MAX;
    const manager = await untilReady(() => jetstreamManager(connection, { timeout }));
    const stores = new Objm(jetstream(connection, { timeout }));
    const description = "Snapshots that the nodes of an Openbell exchange share";
    const store = await untilReady(() =>
      stores.create(bucket, { replicas: address.replicas, description }),
    );
    return new SnapshotBucket(connection, manager, store, bucket);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

class SnapshotBucket implements SharedSnapshots {
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #store: ObjectStore;
  readonly #bucket: string;
  readonly #stream: string;

  constructor(
    connection: NatsConnection,
    manager: JetStreamManager,
    store: ObjectStore,
    bucket: string,
  ) {
    this.#connection = connection;
    this.#manager = manager;
    this.#store = store;
    this.#bucket = bucket;
    this.#stream = `OBJ_${bucket}`;
  }

  async list(): Promise<SharedSnapshot[]> {
    return newestFirst(await this.#objects());
  }

  async listWhole(): Promise<SharedSnapshot[]> {
    const objects = await this.#objects();
    const whole = objects.map(async (object) =>
      object !== null && (await this.#isWhole(object)) ? object : null,
    );
    return newestFirst(await Promise.all(whole));
  }

  async takeTurn(of: SharedSnapshot, commandsMin: number): Promise<boolean> {
    const turn = await this.#store.info(TURN);
    const before = turn === null ? undefined : snapshotOf(turn);
    // A record of another journal says nothing about this one.
    const last = before?.journal === of.journal ? before.sequence : 0;
    if (of.sequence - last < commandsMin) return false;
    return this.#put(TURN, of, turn?.revision, null);
  }

  async share(snapshot: SharedSnapshot, path: string): Promise<number> {
    const objects = await this.#objects();
    await this.#removeAbandoned(objects);
    // One that is missing or of another journal or, else, the oldest.
    const ranks = objects.map((object) => {
      if (object === null) return Number.NEGATIVE_INFINITY;
      const { journal, sequence } = snapshotOf(object);
      return journal === snapshot.journal ? sequence : sequence - Number.MAX_SAFE_INTEGER;
    });
    const at = ranks.indexOf(Math.min(...ranks));
    const file = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
    const isOurs = await this.#put(KEPT[at], snapshot, objects[at]?.revision, file);
    if (!isOurs) throw new Error("another node has shared a snapshot meanwhile");
    return statSync(path).size;
  }

  /**
   * Chunk by chunk, each in its own request: the loss of a consumer would be noticed late, and the
   * chunks of a busy server arrive late anyway.
   */
  async *read(wanted: SharedSnapshot): AsyncGenerator<Uint8Array> {
    const objects = await this.#objects();
    const found = objects.find((object) => object !== null && isSame(snapshotOf(object), wanted));
    if (!found) throw new Error("another one has taken its place");
    if (!(await this.#isWhole(found))) throw new Error("it is incomplete");
    const subject = `$O.${this.#bucket}.C.${found.nuid}`;
    const ask = (seq: number) => {
      const query = { seq, next_by_subj: subject };
      const answer = untilReady(() => this.#manager.direct.getMessage(this.#stream, query));
      // If the reader stops early, this promise is never awaited.
      answer.catch(() => undefined);
      return answer;
    };
    let coming = ask(1);
    for (let chunk = 1; chunk <= found.chunks; chunk++) {
      const message = await coming;
      if (message === null) throw new Error("another one has taken its place");
      // The next one comes while this one is written.
      if (chunk < found.chunks) coming = ask(message.seq + 1);
      yield message.data;
    }
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  /** What is kept under each name; null if nothing is. */
  #objects(): Promise<(ObjectInfo | null)[]> {
    return Promise.all(KEPT.map((name) => this.#store.info(name)));
  }

  /** @returns false if the object was replaced since this revision */
  async #put(
    name: string,
    { sequence, journal, formats }: SharedSnapshot,
    previousRevision = 0,
    data: ReadableStream<Uint8Array> | null,
  ): Promise<boolean> {
    const metadata = { sequence: String(sequence), journal: String(journal), formats };
    try {
      const options = { previousRevision, timeout: STORED_MS_MAX };
      await (data === null
        ? this.#store.putBlob({ name, metadata }, null, options)
        : this.#store.put(
            { name, metadata, options: { max_chunk_size: CHUNK_BYTES } },
            data,
            options,
          ));
      return true;
    } catch (error) {
      if (isWrongLastSequence(error)) return false;
      throw error;
    }
  }

  /** The subjects of objects' chunks, with their number. */
  async #chunks(of: string): Promise<Record<string, number>> {
    const { state } = await this.#manager.streams.info(this.#stream, {
      subjects_filter: `$O.${this.#bucket}.C.${of}`,
    });
    return state.subjects ?? {};
  }

  async #isWhole({ chunks, nuid }: ObjectInfo): Promise<boolean> {
    const [there = 0] = Object.values(await this.#chunks(nuid));
    return there === chunks;
  }

  async #removeAbandoned(objects: readonly (ObjectInfo | null)[]): Promise<void> {
    for (const subject of Object.keys(await this.#chunks(">"))) {
      if (objects.some((object) => subject.endsWith(`.${object?.nuid}`))) continue;
      const last = await this.#manager.streams.getMessage(this.#stream, { last_by_subj: subject });
      const isOld = last !== null && Date.now() - last.time.getTime() > ABANDONED_MS;
      if (isOld) await this.#manager.streams.purge(this.#stream, { filter: subject });
    }
  }
}

function newestFirst(objects: readonly (ObjectInfo | null)[]): SharedSnapshot[] {
  return objects
    .filter((object) => object !== null)
    .map(snapshotOf)
    .toSorted((one, other) => other.sequence - one.sequence);
}

function snapshotOf({ metadata = {} }: ObjectInfo): SharedSnapshot {
  const { sequence, journal, formats = "" } = metadata;
  return { sequence: Number(sequence), journal: Number(journal), formats };
}

function isSame(one: SharedSnapshot, other: SharedSnapshot): boolean {
  return one.sequence === other.sequence && one.journal === other.journal;
}

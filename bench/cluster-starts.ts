/**
 * How long a node takes until it serves, on a journal of many commands: the exchange with the read models of
 * the program, without database and pages. Another node has shared a snapshot, and leads.
 */
import { join } from "node:path";
import { encodeCommandInto } from "#engine/formats/command-codec.ts";
import { createEngine } from "#engine/engine.ts";
import { decodeEvents, EventBuffer } from "#engine/event-buffer.ts";
import { RECORD_PREFIX_BYTES } from "#journal/journal.ts";
import { openJournal } from "#journal/open-journal.ts";
import { replayJournal } from "#server/exchange/replay.ts";
import { Helper } from "./api-scene.ts";
import type { NodeRequest, NodeStart } from "./cluster-node.ts";
import type { ClusterScene } from "./cluster-scene.ts";
import { LivelyExchange } from "./recovery-journal.ts";
import { spreadOf } from "./times.ts";

interface StartsOptions {
  readonly commands: number;
  /** How many of them are later than the snapshot. */
  readonly suffix: number;
  readonly starts: number;
  readonly seed: number;
}

interface StateHash {
  readonly sequence: number;
  readonly hash: string;
}

const STREAM = "starts";
const DAY_MS = 24 * 60 * 60 * 1000;
/** So that ten million commands span less than a day. */
const MS_PER_GROUP = 1000;
const GROUP_COMMANDS = 1024;

/** @throws Error if a node came to another state than the leader */
export async function measureStarts(scene: ClusterScene, options: StartsOptions): Promise<void> {
  const { folder, print, servers } = scene;
  const { commands, starts } = options;
  const suffix = Math.min(options.suffix, commands / 2);
  const journal = servers.address(STREAM);
  const running: Helper[] = [];
  const begin = async (name: string) => {
    const node = new Helper("cluster-node.ts");
    running.push(node);
    const dataDir = join(folder, name);
    return { node, start: await ask<NodeStart>(node, { kind: "open", dataDir, journal }) };
  };
  const end = async (node: Helper) => {
    await ask(node, { kind: "close" });
    node.stop();
  };
  try {
    print(`start, ${commands} commands, ${suffix} of them after the shared snapshot`);
    const writer = new JournalWriter(journal, options.seed);
    await writer.writeUntil(commands - suffix);
    const first = await begin("leader");
    await ask(first.node, { kind: "share" });
    await end(first.node);
    await writer.writeUntil(commands);
    const leader = await begin("leader");
    const state = await ask<StateHash>(leader.node, { kind: "stateHash" });
    const measured: NodeStart[] = [];
    for (let number = 0; number < starts; number++) {
      const { node, start } = await begin(`node-${number}`);
      const own = await ask<StateHash>(node, { kind: "stateHash" });
      if (own.hash !== state.hash) throw new Error("a node has come to another state");
      if (start.snapshotSequence === 0) throw new Error("a node fetched no snapshot");
      measured.push(start);
      await end(node);
    }
    const spread = (of: (start: NodeStart) => number) => spreadOf(measured.map(of), 1);
    const [{ eventsFolded, snapshotSequence }] = measured;
    print(
      `  from the snapshot at ${snapshotSequence}: ${spread(({ wallMs }) => wallMs / 1_000)} s, of ` +
        `${starts} starts [processor ${spread(({ cpuMs }) => cpuMs / 1_000)} s], ${eventsFolded} events ` +
        `folded, ${spread(({ memoryMb }) => memoryMb)} MB`,
    );
    const { cpuMs, sequence, wallMs } = first.start;
    print(
      `  from the journal alone, to ${sequence}: ${(wallMs / 1_000).toFixed(1)} s ` +
        `[processor ${(cpuMs / 1_000).toFixed(1)} s], one start`,
    );
    print(`  every node has the leader's state ${state.hash} at ${state.sequence}`);
    await end(leader.node);
  } finally {
    for (const node of running) node.stop();
  }
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the request decides what is answered
function ask<Result>(node: Helper, asked: NodeRequest): Promise<Result> {
  return node.ask<Result>(asked);
}

/** Writes what a leader would have written, as fast as the stream takes it. */
class JournalWriter {
  readonly #journal: string;
  readonly #engine = createEngine();
  readonly #lively: LivelyExchange;
  readonly #events = new EventBuffer();
  readonly #bytes = new Uint8Array(1 << 20);
  readonly #view = new DataView(this.#bytes.buffer);
  #timestampMs = Math.floor(Date.now() / DAY_MS - 1) * DAY_MS;

  constructor(journal: string, seed: number) {
    this.#journal = journal;
    this.#lively = new LivelyExchange(seed);
  }

  /** Takes the next term, reads what others have added, and writes until the journal has so many commands. */
  async writeUntil(sequence: number): Promise<void> {
    const engine = this.#engine;
    const journal = await openJournal(this.#journal, {});
    for await (const { batch } of replayJournal(journal, engine)) {
      this.#lively.follow(decodeEvents(batch));
    }
    while (engine.sequence < sequence) {
      const count = Math.min(GROUP_COMMANDS, sequence - engine.sequence);
      this.#timestampMs = Math.max(this.#timestampMs + MS_PER_GROUP, journal.lastTimestampMs);
      const firstSequence = engine.sequence + 1;
      const records = this.#applyNext(count);
      await journal.append({ firstSequence, count, timestampMs: this.#timestampMs, records });
    }
    await journal.close();
  }

  /** @returns the commands as records */
  #applyNext(count: number): Uint8Array {
    let length = 0;
    for (let index = 0; index < count; index++) {
      const { command, key } = this.#lively.next();
      const start = length + RECORD_PREFIX_BYTES;
      const size = encodeCommandInto(command, key, this.#bytes, this.#view, start);
      this.#view.setUint32(length, size, true);
      length = start + size;
      this.#engine.apply(this.#engine.sequence + 1, this.#timestampMs, key, command, this.#events);
    }
    this.#lively.follow(decodeEvents(this.#events.take()));
    return this.#bytes.subarray(0, length);
  }
}

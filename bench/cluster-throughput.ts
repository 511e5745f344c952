/** How fast the thread of a leading node fills a stream, beside a publisher that does nothing else. */
import { jetstream, type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { openAtLeader } from "#journal/jetstream/leading-server.ts";
import { parseStreamAddress } from "#journal/jetstream/stream-address.ts";
import type { ClusterScene } from "./cluster-scene.ts";
import { EngineThread } from "./engine-thread.ts";
import { type PipelineFlow, pipelineFlow } from "./pipeline-flow.ts";
import { processorTimeOf } from "./processes.ts";
import { spreadOf } from "./times.ts";

/** About 32 KB, as a command of this flow has 41 bytes on average. */
const BATCH_COMMANDS = 800;
/**
 * Two groups of the most commands that the sequencer puts into one, and some on their way: while one is
 * written the next is applied. With fewer, one message may have all that is under way, and then the engine
 * and the stream wait for each other.
 */
const UNDER_WAY_MAX = 12;
/** A node follows before it leads, so what applies commands is compiled. Fewer do not suffice. */
const WARM_UP_COMMANDS = 2_000_000;
/** Before the publisher is measured. */
const WARM_UP_MESSAGES = 50;
const MB = 1_000_000;

interface Run {
  readonly seconds: number;
  /** Processor time of the servers, and of this process with the engine's thread. */
  readonly servers: number;
  readonly own: number;
}

/** @throws Error if the engine came to another state than the one that generated the flow */
export async function measureThroughput(
  { servers, print }: ClusterScene,
  options: { readonly rounds: number; readonly commands: number; readonly seed: number },
): Promise<void> {
  const { rounds, commands, seed } = options;
  const flow = pipelineFlow({
    name: "cluster",
    seed,
    markets: 10,
    restingOrders: 10_000,
    warmUpCommands: WARM_UP_COMMANDS,
    measuredCommands: commands,
    batchCommands: BATCH_COMMANDS,
  });
  print(`throughput, ${rounds} rounds of ${commands} commands`);
  const manager = await jetstreamManager(servers.admin);
  const rates = { leader: [] as number[], bare: [] as number[], ratio: [] as number[] };
  const costs = { leader: newCosts(), bare: newCosts() };
  for (let round = 0; round < rounds; round++) {
    const stream = `throughput-${round}`;
    const led = await lead(manager, servers.address(stream), stream, flow, timed);
    const messages = await messagesAfter(manager, stream, led.position);
    const bytes = messages.reduce((sum, { length }) => sum + length, 0);
    const leader = bytes / led.seconds / MB;
    const published = await publish(servers.address(stream), stream, messages, timed);
    const bare = bytes / published.seconds / MB;
    for (const [name, run] of [["leader", led] as const, ["bare", published] as const]) {
      costs[name].servers.push((run.servers * 1_000) / (bytes / MB));
      costs[name].own.push((run.own * 1_000) / (bytes / MB));
    }
    rates.leader.push(leader);
    rates.bare.push(bare);
    rates.ratio.push(leader / bare);
    await manager.streams.delete(stream);
    print(
      `  round ${round + 1}: ${messages.length} messages of ${(bytes / messages.length / 1024).toFixed(0)} KB, ` +
        `leader ${leader.toFixed(1)} MB/s, bare ${bare.toFixed(1)} MB/s`,
    );
  }
  print(`  leader  ${spreadOf(rates.leader, 1)} MB/s, state ${flow.stateHash} in every round`);
  print(`  bare    ${spreadOf(rates.bare, 1)} MB/s, the same messages in the same stream`);
  print(`  leader / bare of the same round  ${spreadOf(rates.ratio, 2)}`);
  for (const [name, { own, servers: ofServers }] of Object.entries(costs)) {
    print(
      `  processor time of a MB, ${name}: the servers ${spreadOf(ofServers, 1)} ms, ` +
        `the process that publishes ${spreadOf(own, 1)} ms`,
    );
  }

  async function timed(work: () => Promise<unknown>): Promise<Run> {
    const used = (pids: readonly number[]) =>
      pids.reduce((sum, pid) => sum + processorTimeOf(pid).seconds, 0);
    const before = { servers: used(servers.pids), own: used([process.pid]) };
    const startedMs = performance.now();
    await work();
    return {
      seconds: (performance.now() - startedMs) / 1_000,
      servers: used(servers.pids) - before.servers,
      own: used([process.pid]) - before.own,
    };
  }
}

function newCosts() {
  return { servers: [] as number[], own: [] as number[] };
}

type Timed = (work: () => Promise<unknown>) => Promise<Run>;

/** @returns what the measured commands took, and the last message before theirs */
async function lead(
  manager: JetStreamManager,
  journal: string,
  stream: string,
  flow: PipelineFlow,
  timed: Timed,
): Promise<Run & { position: number }> {
  const thread = new EngineThread(journal, UNDER_WAY_MAX);
  try {
    await thread.ready;
    await thread.send(flow.preparation);
    const position = (await manager.streams.info(stream)).state.last_seq;
    const run = await timed(() => thread.send(flow.measured));
    if ((await thread.stateHash()) !== flow.stateHash) throw new Error("the state is another one");
    return { ...run, position };
  } finally {
    await thread.end();
  }
}

async function messagesAfter(
  manager: JetStreamManager,
  stream: string,
  position: number,
): Promise<Uint8Array[]> {
  const messages: Uint8Array[] = [];
  const { last_seq: last } = (await manager.streams.info(stream)).state;
  for (let seq = position + 1; seq <= last; seq++) {
    const found = await manager.streams.getMessage(stream, { seq });
    if (found === null) throw new Error(`message ${seq} is not there`);
    messages.push(found.data);
  }
  return messages;
}

/**
 * Appends groups to the stream of a discarded journal, one after another, through the server that leads it, as a
 * leading node does.
 */
async function publish(
  address: string,
  stream: string,
  messages: readonly Uint8Array[],
  timed: Timed,
): Promise<Run> {
  const { connection, manager } = await openAtLeader(parseStreamAddress(address));
  try {
    const client = jetstream(connection);
    const { state } = await manager.streams.info(stream);
    let lastSequence = state.last_seq;
    const send = async (some: readonly Uint8Array[]) => {
      for (const data of some) {
        const expect = { streamName: stream, lastSequence };
        const answer = await client.publish(`journal.${stream}.groups`, data, { expect });
        lastSequence = answer.seq;
      }
    };
    await send(messages.slice(0, WARM_UP_MESSAGES));
    return await timed(() => send(messages));
  } finally {
    await connection.close();
  }
}

/**
 * Seeded histories of simulated nodes: whatever is lost, doubled, paused or killed, each acknowledged
 * command is in the stream once, where it was said to be, with the outcome that its client was told, and
 * every command of a node that lives is answered. Mistakes planted in the doubles are found.
 */
import { describe, expect, test } from "vitest";
import { ExchangeBusyError } from "#server/exchange/exchange-errors.ts";
import { seededRandom } from "../disk/journal-disk.ts";
import { isFull } from "../support/run-counts.ts";
import { numbered, type Planted, SimulatedNetwork, SimulatedNode } from "./simulated-cluster.ts";
import { VirtualTime } from "./virtual-time.ts";

const HISTORIES = Number(process.env.SIMULATION_RUNS ?? (isFull ? 10_000 : 200));
const NODES = 3;
const CLIENTS = 5;
const COMMANDS = 12;

interface Acknowledged {
  readonly sequence: number;
  readonly isRejected: boolean;
}

interface History {
  readonly network: SimulatedNetwork;
  readonly acknowledged: ReadonlyMap<number, Acknowledged>;
  /** Commands whose clients were told that they were not taken. */
  readonly notTaken: ReadonlySet<number>;
  readonly isSettled: boolean;
  /** Whether in the end one node leads, the newest term. */
  readonly isLed: boolean;
}

async function run(seed: number, planted: Planted): Promise<History> {
  const random = seededRandom(seed);
  const time = new VirtualTime(random);
  const network = new SimulatedNetwork(time, planted);
  const acknowledged = new Map<number, Acknowledged>();
  const notTaken = new Set<number>();
  let started = 0;
  const open = () => new SimulatedNode(network, `n${++started}`);
  const nodes = Array.from({ length: NODES }, open);
  let numbers = 0;
  let isWaiting = 0;
  let clientsLeft = CLIENTS;

  async function submit(node: SimulatedNode): Promise<void> {
    const number = ++numbers;
    const key = random(2) === 0 ? `own-${number}` : "";
    isWaiting += 1;
    // The client of a node that is killed never hears of its command.
    const died = new Promise<undefined>((resolve) => {
      const look = () => (node.isAlive ? time.after(500, look) : resolve(undefined));
      look();
    });
    const submitted = node.commands.submit(numbered(number), key).catch((error: unknown) => {
      if (!(error instanceof ExchangeBusyError)) throw error;
      notTaken.add(number);
    });
    const outcome = await Promise.race([submitted, died]);
    isWaiting -= 1;
    if (outcome === undefined) return;
    const { sequence, rejected } = outcome;
    acknowledged.set(number, { sequence, isRejected: rejected !== undefined });
  }

  async function client(): Promise<void> {
    for (let count = 0; count < COMMANDS; count++) {
      await submit(nodes[random(NODES)]);
      await time.delay(random(400));
    }
    clientsLeft -= 1;
  }

  function disturb(): void {
    if (network.isQuiet) return;
    const at = random(NODES);
    const node =
      random(2) === 0 ? (nodes.find(({ isLeading }) => isLeading) ?? nodes[at]) : nodes[at];
    if (random(3) === 0) node.pause(random(5_000));
    else {
      node.kill();
      nodes[nodes.indexOf(node)] = open();
    }
    time.soon(6_000, disturb);
  }

  time.soon(3_000, disturb);
  for (let each = 0; each < CLIENTS; each++) void client();
  await time.runUntil(() => clientsLeft === 0, 60_000);
  // The lead moves while no client asks for anything, by which a leader would hear of another.
  for (let pauses = 0; pauses < 8; pauses++) {
    const at = random(NODES);
    const node = nodes.find(({ isLeading }) => isLeading) ?? nodes[at];
    node.pause(random(4_000));
    await time.runUntil(() => false, random(2_000));
  }
  network.isQuiet = true;
  const isSettled = await time.runUntil(() => clientsLeft === 0 && isWaiting === 0, 60_000);
  const isLed = await time.runUntil(() => {
    const newest = network.entries.findLast(({ kind }) => kind === "term");
    const leading = nodes.filter((node) => node.isLeading);
    return leading.length === 1 && leading[0].commands.term === newest?.term;
  }, 60_000);
  return { network, acknowledged, notTaken, isSettled, isLed };
}

/** What is wrong with a history, by a model that knows only the stream and what clients were told. */
function faultsOf({ network, acknowledged, notTaken, isSettled, isLed }: History): string[] {
  const faults: string[] = [];
  if (!isSettled) faults.push("a command of a living node was not answered");
  if (!isLed) faults.push("no node leads the newest term in the end");
  const accepted = new Map<number, number>();
  const rejected = new Set<string>();
  let term = 0;
  let sequence = 0;
  for (const entry of network.entries) {
    if (entry.kind === "term") {
      if (entry.term !== term + 1) faults.push(`term ${entry.term} follows ${term}`);
      ({ term } = entry);
      continue;
    }
    if (entry.term !== term) faults.push(`a command of term ${entry.term} is in term ${term}`);
    if (entry.sequence !== sequence + 1) faults.push(`${entry.sequence} follows ${sequence}`);
    ({ sequence } = entry);
    if (entry.result === "rejected") rejected.add(`${entry.number} at ${sequence}`);
    if (entry.result !== "accepted") continue;
    if (accepted.has(entry.number)) faults.push(`command ${entry.number} happened twice`);
    accepted.set(entry.number, sequence);
  }
  for (const [number, told] of acknowledged) {
    const isTrue = told.isRejected
      ? rejected.has(`${number} at ${told.sequence}`) && !accepted.has(number)
      : accepted.get(number) === told.sequence;
    if (!isTrue) faults.push(`command ${number} is not what its client was told`);
  }
  for (const number of notTaken) {
    if (accepted.has(number)) faults.push(`command ${number} was not taken, and happened`);
  }
  return faults;
}

describe("a simulated cluster", () => {
  test("acknowledges once and in one order, in every history", async () => {
    const answered = { commands: 0, terms: 0 };
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const history = await run(seed, "none");
      expect(faultsOf(history), `seed ${seed}`).toEqual([]);
      answered.commands += history.acknowledged.size;
      answered.terms += history.network.entries.filter(({ kind }) => kind === "term").length;
    }
    // Most are answered, and the lead has changed in most histories.
    expect(answered.commands).toBeGreaterThan((HISTORIES * CLIENTS * COMMANDS) / 2);
    expect(answered.terms).toBeGreaterThan(HISTORIES * 2);
  });

  test.each(["noFence", "newKeys", "noTermRecord"] as const)("finds %s", async (planted) => {
    for (let seed = 1; seed <= 200; seed++) {
      if (faultsOf(await run(seed, planted)).length > 0) return;
    }
    expect.fail("no history shows the mistake");
  });
});

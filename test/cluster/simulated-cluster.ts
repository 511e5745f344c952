/**
 * Nodes of an exchange in one process: the product's leadership, resending and intake, between doubles of
 * the journal's stream, the lease and the network. Everything that happens follows from a seed. Messages
 * are delayed, lost and doubled, reads of the lease are old, nodes are paused and killed.
 */
import type { Command } from "#engine/commands.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import {
  ClusterCommands,
  type CommandRequest,
  type LeaderReply,
} from "#server/cluster/cluster-commands.ts";
import { CommandIntake } from "#server/cluster/command-intake.ts";
import {
  BEAT_MS,
  type LeaseEntry,
  Leadership,
  type LeaseRecord,
} from "#server/cluster/leadership.ts";
import type { CommandOutcome } from "#server/exchange/exchange.ts";
import { ExchangeBusyError, NotLeadingError } from "#server/exchange/exchange-errors.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** A mistake planted in a double, which the checks must find. */
export type Planted = "none" | "noFence" | "newKeys" | "noTermRecord";

export type Entry =
  | { readonly kind: "term"; readonly term: number }
  | {
      readonly kind: "command";
      readonly term: number;
      readonly sequence: number;
      readonly key: string;
      /** The number of the client's command. */
      readonly number: number;
      readonly result: "accepted" | "rejected" | "repeated";
      /** Of a repeat: the sequence of what it repeats. */
      readonly original: number;
    };

const LOSS = 20;

/** The stream, the lease and the network, which all nodes share. */
export class SimulatedNetwork {
  readonly time: VirtualTime;
  readonly planted: Planted;
  readonly entries: Entry[] = [];
  readonly nodes = new Set<SimulatedNode>();
  isQuiet = false;
  #lease: LeaseEntry | undefined;
  #earlier: LeaseEntry | undefined;

  constructor(time: VirtualTime, planted: Planted) {
    this.time = time;
    this.planted = planted;
  }

  happens(oneIn: number): boolean {
    return !this.isQuiet && this.time.random(oneIn) === 0;
  }

  readonly lease = {
    read: async (): Promise<LeaseEntry | undefined> => {
      await this.#trip();
      return this.happens(10) ? this.#earlier : this.#lease;
    },
    write: async (record: LeaseRecord, revision: number): Promise<number | undefined> => {
      await this.#trip();
      if ((this.#lease?.revision ?? 0) !== revision) return undefined;
      this.#earlier = this.#lease;
      this.#lease = { record, revision: revision + 1 };
      // The answer may be lost.
      await this.#trip();
      return revision + 1;
    },
  };

  /** To whichever nodes serve the term. */
  ask(term: number, request: CommandRequest): Promise<LeaderReply> {
    const sent = this.planted === "newKeys" ? { ...request, key: `${request.key}+` } : request;
    return new Promise((resolve, reject) => {
      this.time.after(2_000, () => reject(new Error("timeout")));
      const times = this.happens(LOSS) ? 2 : 1;
      for (let time = 0; time < times; time++) {
        if (this.happens(LOSS)) continue;
        const slow = this.happens(LOSS) ? 3_000 : 20;
        this.time.soon(slow, () => {
          for (const node of this.nodes) {
            if (!node.serves(term)) continue;
            void node.take(term, sent).then(
              (reply) => {
                if (!this.happens(LOSS)) this.time.soon(20, () => resolve(reply));
              },
              () => undefined,
            );
          }
        });
      }
    });
  }

  async #trip(): Promise<void> {
    await this.time.delay(1 + this.time.random(30));
    if (this.happens(LOSS)) throw new Error("lost");
  }
}

interface Waiting {
  readonly number: number;
  readonly key: string;
  readonly resolve: (outcome: CommandOutcome) => void;
  readonly reject: (error: Error) => void;
}

export class SimulatedNode {
  readonly commands: ClusterCommands;
  readonly #network: SimulatedNetwork;
  readonly #time: VirtualTime;
  readonly #intake: CommandIntake;
  readonly #leadership: Leadership;
  #isAlive = true;
  #pausedUntilMs = 0;
  /** How many entries of the stream it has applied. */
  #position = 0;
  #sequence = 0;
  readonly #accepted = new Map<string, number>();
  #term: number | undefined;
  #queue: Waiting[] = [];
  #isAppending = false;

  constructor(network: SimulatedNetwork, id: string) {
    this.#network = network;
    this.#time = network.time;
    const submitHere = (command: Command, key: string) => this.#submitHere(command, key);
    let ids = 0;
    this.commands = new ClusterCommands({
      submitHere,
      leader: { ask: (term, request) => network.ask(term, request) },
      newId: () => `${id}-${++ids}`,
      delay: this.#time.delay,
    });
    this.#intake = new CommandIntake({ submitHere, now: this.#time.now });
    this.#leadership = new Leadership({
      node: id,
      store: network.lease,
      now: this.#time.now,
      isCandidate: () => this.#isAlive,
      position: () => ({ term: this.commands.term, sequence: this.#sequence }),
      // A term may be long under way, too, so that two nodes take theirs at the same time.
      lead: () => this.#act(network.happens(LOSS) ? 4_000 : 200, () => this.#lead()),
      stepDown: () => this.#endLeading(),
    });
    network.nodes.add(this);
    this.#follow();
    void this.#beat();
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get isLeading(): boolean {
    return this.#term !== undefined;
  }

  serves(term: number): boolean {
    return this.#isAlive && this.#term === term;
  }

  async take(term: number, request: CommandRequest): Promise<LeaderReply> {
    await this.#awake();
    return this.#intake.take(term, request);
  }

  pause(ms: number): void {
    this.#pausedUntilMs = this.#time.now() + ms;
  }

  kill(): void {
    this.#isAlive = false;
    this.#network.nodes.delete(this);
  }

  /** Acts after a while, later if the node is paused, never once it is killed. */
  #act(maxMs: number, action: () => void): void {
    const act = () => {
      if (!this.#isAlive) return;
      const leftMs = this.#pausedUntilMs - this.#time.now();
      if (leftMs > 0) this.#time.after(leftMs, act);
      else action();
    };
    this.#time.soon(maxMs, act);
  }

  #awake(): Promise<void> {
    return new Promise((resolve) => this.#act(5, resolve));
  }

  async #beat(): Promise<void> {
    while (this.#isAlive) {
      await this.#leadership.beat().catch(() => undefined);
      await new Promise<void>((resolve) => this.#time.after(BEAT_MS, () => this.#act(5, resolve)));
    }
  }

  #follow(): void {
    this.#act(40, () => {
      if (this.#term === undefined) this.#applyAll();
      this.#follow();
    });
  }

  #applyAll(): void {
    while (this.#position < this.#network.entries.length) this.#apply();
  }

  #apply(): void {
    const entry = this.#network.entries[this.#position++];
    if (entry.kind === "term") {
      if (this.#term === undefined) this.commands.onTerm(entry.term);
      return;
    }
    this.#sequence = entry.sequence;
    if (entry.result === "accepted") this.#accepted.set(entry.key, entry.sequence);
    const events = [eventOf(entry)];
    this.commands.onDelivered(entry.sequence, events);
  }

  #lead(): void {
    const { entries, planted } = this.#network;
    const newest = entries.findLast(({ kind }) => kind === "term");
    const term = (newest?.term ?? 0) + 1;
    if (planted !== "noTermRecord" || newest === undefined) entries.push({ kind: "term", term });
    this.#applyAll();
    this.#term = planted === "noTermRecord" && newest !== undefined ? newest.term : term;
    this.#leadership.onLeading();
    this.#intake.begin(this.#term);
    this.commands.onLeading(this.#term);
  }

  #endLeading(): void {
    this.#term = undefined;
    const waiting = this.#queue;
    this.#queue = [];
    for (const { reject } of waiting) reject(new NotLeadingError());
    this.#leadership.onFollowing();
    this.#intake.end();
    this.commands.onFollowing();
    // What it had applied and not appended is forgotten, as if its engine were restored.
  }

  #submitHere(command: Command, key: string): Promise<CommandOutcome> {
    if (this.#term === undefined || !this.#isAlive) return Promise.reject(new NotLeadingError());
    if (this.#network.happens(LOSS)) return Promise.reject(new ExchangeBusyError(1));
    return new Promise((resolve, reject) => {
      this.#queue.push({ number: numberOf(command), key, resolve, reject });
      this.#appendSoon();
    });
  }

  #appendSoon(): void {
    if (this.#isAppending) return;
    this.#isAppending = true;
    // A message for a position may be long under way.
    const slow = this.#network.happens(LOSS) ? 1_500 : 10;
    this.#act(slow, () => this.#append());
  }

  #append(): void {
    this.#isAppending = false;
    const term = this.#term;
    const next = this.#queue.at(0);
    if (term === undefined || next === undefined) return;
    const { entries, planted } = this.#network;
    const isExpected = this.#position === entries.length;
    if (!isExpected && planted !== "noFence") {
      this.#endLeading();
      return;
    }
    this.#queue.shift();
    const original = next.key === "" ? 0 : (this.#accepted.get(next.key) ?? 0);
    const sequence = this.#sequence + 1;
    const result =
      original > 0 ? "repeated" : (sequence + next.number) % 4 === 0 ? "rejected" : "accepted";
    const { key, number } = next;
    const entry = { kind: "command", term, sequence, key, number, result, original } as const;
    entries.push(entry);
    if (isExpected) this.#apply();
    else this.#sequence = sequence;
    next.resolve(outcome(entry));
    if (this.#queue.length > 0) this.#appendSoon();
  }
}

type CommandEntry = Extract<Entry, { kind: "command" }>;

/** What the checks and the product read of an event. */
function eventOf({ sequence, result, original, number }: CommandEntry): ExchangeEvent {
  const common = { sequence, timestampMs: 1, orderId: number };
  const types = {
    accepted: "orderPlaced",
    rejected: "commandRejected",
    repeated: "requestRepeated",
  };
  return {
    ...common,
    type: types[result],
    reason: "unknownOrder",
    originalSequence: original,
  } as unknown as ExchangeEvent;
}

function outcome(entry: CommandEntry): CommandOutcome {
  const events = [eventOf(entry)];
  const { sequence } = entry;
  return entry.result === "rejected"
    ? { sequence, timestampMs: 1, rejected: "unknownOrder", events }
    : { sequence, timestampMs: 1, events };
}

/** A command that carries nothing but its number. */
export function numbered(number: number): Command {
  return { type: "cancelOrder", account: 17, orderId: number };
}

function numberOf(command: Command): number {
  return command.type === "cancelOrder" ? command.orderId : 0;
}

/** Writes a long journal of an active exchange, and a snapshot during the run. */
import type { Amount } from "#engine/amount.ts";
import { encodeCommandInto } from "#engine/formats/command-codec.ts";
import type { Command } from "#engine/commands.ts";
import { createEngine } from "#engine/engine.ts";
import { decodeEvents, EventBuffer } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { FIRST_USER_ACCOUNT } from "#engine/accounts/postings.ts";
import { openFileJournal } from "#journal/file-journal.ts";
import { RECORD_PREFIX_BYTES } from "#journal/journal.ts";
import { journalDirectoryOf, snapshotDirectoryOf } from "#server/exchange/open-exchange.ts";
import { buildId } from "#server/exchange/snapshots/build-id.ts";
import { snapshotFormats } from "#server/exchange/snapshots/snapshot-formats.ts";
import { Snapshots } from "#server/exchange/snapshots/snapshots.ts";
import { listMarkets, MarketFlow, openParticipant, randomBelow } from "./market-flow.ts";

/** Milliseconds, one value per group of commands. */
export interface GroupTimes {
  /** Time in the engine per group. */
  readonly apply: number[];
  /** From submission to the journal until the group is durable. */
  readonly commit: number[];
}

export interface WrittenJournal {
  /** Generates commands that continue from the journal's end. */
  readonly lively: LivelyExchange;
  readonly stateHash: string;
  readonly trades: number;
  readonly openOrders: number;
  readonly remembered: number;
  readonly groupCommands: number;
  readonly quiet: GroupTimes;
  readonly beside: GroupTimes;
  /** How long commands would have waited if the engine's own thread had encoded the snapshot. */
  readonly stallMs: number;
  readonly snapshotReplayMs: number;
  readonly snapshotWriteMs: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export const READ_MODELS = new URL("../src/server/read-models.ts", import.meta.url);

/**
 * Midnight of yesterday, so that a continued run still finds the idempotency keys, which are remembered
 * for three days.
 */
const START_MS = Math.floor(Date.now() / DAY_MS - 1) * DAY_MS;
/** Chosen so that ten million commands span half a day. */
const MS_PER_GROUP = 1000;
const GROUP_COMMANDS = 256;
const MARKETS = 10;
const PARTICIPANTS = 30;
const PEOPLE = 200;
const OPEN_ORDERS = 20_000;

export async function writeRecoveryJournal(options: {
  readonly dataDir: string;
  readonly commands: number;
  readonly snapshotAt: number;
  readonly seed: number;
}): Promise<WrittenJournal> {
  const { dataDir, commands } = options;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const directory = journalDirectoryOf(dataDir);
  const journal = await openFileJournal({ directory, log });
  const engine = createEngine();
  const events = new EventBuffer();
  const lively = new LivelyExchange(options.seed);

  let isTaking = false;
  let snapshotTimes = { replayMs: 0, writeMs: 0 };
  const taken = Promise.withResolvers<void>();
  const snapshots = new Snapshots({
    journal: directory,
    location: {
      directory: snapshotDirectoryOf(dataDir),
      program: buildId(),
      formats: snapshotFormats(0),
    },
    readModelsModule: READ_MODELS,
    everyCommands: options.snapshotAt,
    busyShareMax: 1,
    usableSequence: () => Number.POSITIVE_INFINITY,
    log: {
      ...log,
      info(fields) {
        snapshotTimes = fields as typeof snapshotTimes;
        isTaking = false;
        taken.resolve();
      },
      warn: (fields) => taken.reject(new Error(JSON.stringify(fields))),
    },
    onDifference: (error) => taken.reject(error),
  });

  snapshots.open();
  const quiet: GroupTimes = { apply: [], commit: [] };
  const beside: GroupTimes = { apply: [], commit: [] };
  const bytes = new Uint8Array(1 << 20);
  const view = new DataView(bytes.buffer);
  let trades = 0;
  let remembered = 0;
  const asked: { command: Command; key: string }[] = [];
  for (let group = 0; engine.sequence < commands; group++) {
    const firstSequence = engine.sequence + 1;
    const timestampMs = START_MS + group * MS_PER_GROUP;
    const count = Math.min(GROUP_COMMANDS, commands - engine.sequence);
    let length = 0;
    for (let index = 0; index < count; index++) {
      const next = lively.next();
      asked[index] = next;
      if (next.key !== "") remembered += 1;
      const start = length + RECORD_PREFIX_BYTES;
      const size = encodeCommandInto(next.command, next.key, bytes, view, start);
      view.setUint32(length, size, true);
      length = start + size;
    }
    const times = isTaking ? beside : quiet;
    const startedMs = performance.now();
    for (let index = 0; index < count; index++) {
      const { command, key } = asked[index];
      engine.apply(engine.sequence + 1, timestampMs, key, command, events);
    }
    const appliedMs = performance.now();
    await journal.append({ firstSequence, count, timestampMs, records: bytes.subarray(0, length) });
    times.apply.push(appliedMs - startedMs);
    times.commit.push(performance.now() - appliedMs);
    const batch = events.take();
    if (engine.sequence >= options.snapshotAt && !isTaking && snapshotTimes.writeMs === 0) {
      isTaking = true;
    }
    snapshots.take(engine.sequence, batch);
    const decoded = decodeEvents(batch);
    for (const event of decoded) if (event.type === "traded") trades += 1;
    lively.follow(decoded);
  }
  await taken.promise;
  await snapshots.close();
  await journal.close();
  const encodingMs = performance.now();
  engine.snapshot();
  const stallMs = performance.now() - encodingMs;
  return {
    lively,
    stallMs,
    stateHash: engine.stateHash(),
    trades,
    openOrders: engine.read.openOrderCount,
    remembered,
    groupCommands: GROUP_COMMANDS,
    quiet,
    beside,
    snapshotReplayMs: snapshotTimes.replayMs,
    snapshotWriteMs: snapshotTimes.writeMs,
  };
}

/**
 * Generates an active exchange's commands. A fifth of the orders are users', each with an idempotency
 * key and a client order id.
 */
export class LivelyExchange {
  readonly #opening = openingCommands();
  readonly #flow: MarketFlow;
  #number = 0;

  constructor(seed: number) {
    const random = randomBelow(seed);
    const trader = () => {
      const isPerson = random(5) === 0;
      this.#number += 1;
      return {
        account:
          FIRST_USER_ACCOUNT + (isPerson ? PARTICIPANTS + random(PEOPLE) : random(PARTICIPANTS)),
        clientOrderId: isPerson ? `order-${this.#number}` : "",
      };
    };
    this.#flow = new MarketFlow({ random, markets: MARKETS, restingOrders: OPEN_ORDERS, trader });
  }

  next(): { command: Command; key: string } {
    const command = this.#opening.shift() ?? this.#flow.next();
    const isKeyed = command.type === "placeOrder" && command.clientOrderId !== "";
    return { command, key: isKeyed ? `request-${command.clientOrderId}` : "" };
  }

  follow(events: readonly ExchangeEvent[]): void {
    for (const event of events) this.#flow.follow(event);
  }
}

function openingCommands(): Command[] {
  const commands = listMarkets(MARKETS);
  for (let index = 0; index < PARTICIPANTS; index++) {
    const account = FIRST_USER_ACCOUNT + index;
    commands.push(...openParticipant(account, `participant-${index}`, MARKETS, 1e13));
  }
  // A user sells what they bought before; without such a purchase the order is refused.
  for (let index = 0; index < PEOPLE; index++) {
    const account = FIRST_USER_ACCOUNT + PARTICIPANTS + index;
    commands.push({ type: "openAccount", userId: `person-${index}`, kind: "person" });
    commands.push({ type: "takePracticeFunds", account, assetId: 1, amount: 1e12 as Amount });
  }
  return commands;
}

/** Writes a long journal of a lively exchange, with a snapshot taken beside it. */
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import { encodeCommandInto } from "#engine/command-codec.ts";
import type { CoinDefinition, Command } from "#engine/commands.ts";
import { createEngine } from "#engine/engine.ts";
import { decodeEvents, EventBuffer } from "#engine/event-buffer.ts";
import { FIRST_USER_ACCOUNT } from "#engine/postings.ts";
import { openFileJournal } from "#journal/file-journal.ts";
import { RECORD_PREFIX_BYTES } from "#journal/journal.ts";
import { journalDirectoryOf, snapshotDirectoryOf } from "#server/exchange/open-exchange.ts";
import { programName } from "#server/exchange/program.ts";
import { Snapshots } from "#server/exchange/snapshots.ts";

export interface WrittenJournal {
  readonly stateHash: string;
  readonly trades: number;
  readonly openOrders: number;
  readonly remembered: number;
  readonly groupCommands: number;
  /** Milliseconds from the first command of a group being applied until its flush, per group. */
  readonly quiet: readonly number[];
  readonly beside: readonly number[];
  /** What encoding in the engine's own thread would have held commands up for. */
  readonly stallMs: number;
  readonly snapshotReplayMs: number;
  readonly snapshotWriteMs: number;
}

export const READ_MODELS = new URL("../src/server/read-models.ts", import.meta.url);

const START_MS = Date.UTC(2026, 0, 1);
/** So that ten million commands are two days. */
const MS_PER_GROUP = 4;
const GROUP_COMMANDS = 256;
const MARKETS = 10;
const PARTICIPANTS = 30;
const PEOPLE = 200;
const OPEN_ORDERS = 20_000;
const MID_TICKS = 50_000;

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
  const flow = lively(options.seed);

  let isTaking = false;
  let times = { replayMs: 0, writeMs: 0 };
  const taken = Promise.withResolvers<void>();
  const snapshots = new Snapshots({
    journalDirectory: directory,
    snapshotDirectory: snapshotDirectoryOf(dataDir),
    program: programName(),
    readModelsModule: READ_MODELS,
    everyCommands: options.snapshotAt,
    busyShareMax: 1,
    usableSequence: () => Number.POSITIVE_INFINITY,
    log: {
      ...log,
      info(fields) {
        times = fields as typeof times;
        isTaking = false;
        taken.resolve();
      },
      warn: (fields) => taken.reject(new Error(JSON.stringify(fields))),
    },
    onDifference: (error) => taken.reject(error),
  });

  snapshots.open();
  const quiet: number[] = [];
  const beside: number[] = [];
  const bytes = new Uint8Array(1 << 20);
  const view = new DataView(bytes.buffer);
  let trades = 0;
  let remembered = 0;
  for (let group = 0; engine.sequence < commands; group++) {
    const startedMs = performance.now();
    const firstSequence = engine.sequence + 1;
    const timestampMs = START_MS + group * MS_PER_GROUP;
    let length = 0;
    while (engine.sequence - firstSequence + 1 < GROUP_COMMANDS && engine.sequence < commands) {
      const { command, key } = flow.next();
      if (key !== "") remembered += 1;
      const start = length + RECORD_PREFIX_BYTES;
      const size = encodeCommandInto(command, key, bytes, view, start);
      view.setUint32(length, size, true);
      length = start + size;
      engine.apply(engine.sequence + 1, timestampMs, key, command, events);
    }
    const count = engine.sequence - firstSequence + 1;
    await journal.append({ firstSequence, count, timestampMs, records: bytes.subarray(0, length) });
    (isTaking ? beside : quiet).push(performance.now() - startedMs);
    const batch = events.take();
    if (engine.sequence >= options.snapshotAt && !isTaking && times.writeMs === 0) isTaking = true;
    snapshots.take(engine.sequence, batch);
    for (const event of decodeEvents(batch)) {
      if (event.type === "traded") trades += 1;
      flow.follow(event);
    }
  }
  await taken.promise;
  await snapshots.close();
  await journal.close();
  const encodingMs = performance.now();
  engine.snapshot();
  const stallMs = performance.now() - encodingMs;
  return {
    stallMs,
    stateHash: engine.stateHash(),
    trades,
    openOrders: engine.read.openOrderCount,
    remembered,
    groupCommands: GROUP_COMMANDS,
    quiet,
    beside,
    snapshotReplayMs: times.replayMs,
    snapshotWriteMs: times.writeMs,
  };
}

/** About 55 % limit orders, 35 % cancels, 10 % immediate-or-cancel; a fifth of it by people. */
function lively(seed: number) {
  const random = mulberry(seed);
  const open: { orderId: number; account: number }[] = [];
  const places = new Map<number, number>();
  const opening = openingCommands();
  let number = 0;

  const order = (timeInForce: "gtc" | "ioc", ticksFromMid: number): Command => {
    const isBuy = random(2) === 0;
    const isPerson = random(5) === 0;
    number += 1;
    return {
      type: "placeOrder",
      account:
        FIRST_USER_ACCOUNT + (isPerson ? PARTICIPANTS + random(PEOPLE) : random(PARTICIPANTS)),
      marketId: 1 + random(MARKETS),
      side: isBuy ? "buy" : "sell",
      orderType: "limit",
      timeInForce,
      postOnly: false,
      priceTicks: (MID_TICKS + (isBuy ? -ticksFromMid : ticksFromMid)) as Ticks,
      quantityLots: (1 + random(100)) as Lots,
      quoteAmount: 0 as Amount,
      clientOrderId: isPerson ? `order-${number}` : "",
    };
  };
  const step = (): Command => {
    const dice = random(100);
    if (dice < 10) return order("ioc", -random(20));
    if (open.length > OPEN_ORDERS * (dice < 44 ? 0.9 : 1.1)) {
      return { type: "cancelOrder", ...open[random(open.length)] };
    }
    return order("gtc", 1 + Math.floor((random(1000) * random(1000)) / 2000));
  };
  return {
    next(): { command: Command; key: string } {
      const command = opening.shift() ?? step();
      const isKeyed = command.type === "placeOrder" && command.clientOrderId !== "";
      return { command, key: isKeyed ? `request-${command.clientOrderId}` : "" };
    },
    follow(event: { type: string; orderId?: number; account?: number }): void {
      const { orderId = 0, account = 0 } = event;
      if (event.type === "orderRested") {
        places.set(orderId, open.length);
        open.push({ orderId, account });
      } else if (event.type === "orderEnded") {
        const place = places.get(orderId);
        const last = open.at(-1);
        if (place === undefined || last === undefined) return;
        open.pop();
        places.delete(orderId);
        if (last.orderId === orderId) return;
        open[place] = last;
        places.set(last.orderId, place);
      }
    },
  };
}

function openingCommands(): Command[] {
  const coin = (symbol: string, kind: CoinDefinition["kind"], scale: number): Command => ({
    type: "listCoin",
    coin: {
      symbol,
      name: symbol,
      kind,
      status: "listed",
      scale,
      displayDecimals: 2,
      description: "",
      website: "",
      riskNote: "",
    },
  });
  const commands: Command[] = [
    coin("USD", "fiat", 6),
    {
      type: "definePlan",
      plan: {
        slug: "free",
        name: "Free",
        description: "",
        position: 1,
        makerFeeBps: 10,
        takerFeeBps: 15,
        price: "0",
        interval: "none",
        eligibility: "everyone",
        volumeMin: "0",
        openOrdersMax: 1_000_000,
        features: [],
      },
    },
  ];
  for (let index = 1; index <= MARKETS; index++) {
    commands.push(coin(`C${index}`, "crypto", 8), {
      type: "listMarket",
      market: {
        symbol: `C${index}-USD`,
        base: `C${index}`,
        quote: "USD",
        lotUnits: 1000,
        tickLotUnits: 10,
        notionalMin: 1 as Amount,
        quantityLotsMax: 1_000_000 as Lots,
        status: "trading",
        simulated: true,
      },
    });
  }
  for (let index = 0; index < PARTICIPANTS; index++) {
    const account = FIRST_USER_ACCOUNT + index;
    commands.push({ type: "openAccount", userId: `participant-${index}`, kind: "participant" });
    for (let assetId = 1; assetId <= MARKETS + 1; assetId++) {
      commands.push({ type: "fundParticipant", account, assetId, amount: 1e13 as Amount });
    }
  }
  // A person sells what was bought before; with nothing yet, the order is refused.
  for (let index = 0; index < PEOPLE; index++) {
    const account = FIRST_USER_ACCOUNT + PARTICIPANTS + index;
    commands.push({ type: "openAccount", userId: `person-${index}`, kind: "person" });
    commands.push({ type: "takePracticeFunds", account, assetId: 1, amount: 1e12 as Amount });
  }
  return commands;
}

/** Numbers from 0 up to, not including, `limit`. */
function mulberry(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

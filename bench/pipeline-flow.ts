/** Seeded flows of encoded commands for the durable pipeline. */
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import { encodeCommandInto, encodedSizeMax } from "#engine/command-codec.ts";
import type { Command } from "#engine/commands.ts";
import { createEngine } from "#engine/engine.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import { FIRST_USER_ACCOUNT } from "#engine/postings.ts";
import { RECORD_PREFIX_BYTES } from "#journal/journal.ts";

export interface EncodedBatch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly count: number;
}

export interface PipelineFlow {
  readonly name: string;
  /** Catalogue, accounts, resting orders and the warm-up; not timed. */
  readonly preparation: readonly EncodedBatch[];
  readonly measured: readonly EncodedBatch[];
  /** The engine's state after all of it, computed while the flow was made. */
  readonly stateHash: string;
}

export interface PipelineFlowOptions {
  readonly name: string;
  readonly seed: number;
  readonly markets: number;
  /** Over all markets. */
  readonly restingOrders: number;
  readonly warmUpCommands: number;
  readonly measuredCommands: number;
  readonly batchCommands: number;
}

const ACCOUNTS = 64;
const MID_TICKS = 50_000;

/**
 * About 56 % limit orders that mostly rest, 34 % cancels of open orders, 10 % immediate-or-cancel.
 * An engine runs along while the flow is made, so that cancels name orders that are open.
 */
export function pipelineFlow(options: PipelineFlowOptions): PipelineFlow {
  const { markets, restingOrders, batchCommands } = options;
  const random = mulberry(options.seed);
  const engine = createEngine();
  const events = new EventBuffer();
  let writer = new BatchWriter(batchCommands);
  const open: { orderId: number; account: number }[] = [];
  const places = new Map<number, number>();

  const close = (orderId: number) => {
    const place = places.get(orderId);
    if (place === undefined) return;
    const last = open.pop() as { orderId: number; account: number };
    places.delete(orderId);
    if (last.orderId === orderId) return;
    open[place] = last;
    places.set(last.orderId, place);
  };
  const issue = (command: Command) => {
    writer.add(command);
    engine.apply(engine.sequence + 1, engine.sequence + 1, "", command, events);
    for (const event of events.decode()) {
      if (event.type === "orderRested") {
        places.set(event.orderId, open.length);
        open.push({ orderId: event.orderId, account: event.account });
      } else if (event.type === "orderEnded") close(event.orderId);
      else if (event.type === "commandRejected") {
        throw new Error(`the flow contains a refused command: ${event.reason}`);
      }
    }
    events.clear();
  };
  const place = (timeInForce: "gtc" | "ioc", ticksFromMid: number) => {
    const isBuy = random(2) === 0;
    issue({
      type: "placeOrder",
      account: FIRST_USER_ACCOUNT + random(ACCOUNTS),
      marketId: 1 + random(markets),
      side: isBuy ? "buy" : "sell",
      orderType: "limit",
      timeInForce,
      postOnly: false,
      priceTicks: (MID_TICKS + (isBuy ? -ticksFromMid : ticksFromMid)) as Ticks,
      quantityLots: (1 + random(100)) as Lots,
      quoteAmount: 0 as Amount,
      clientOrderId: "",
    });
  };
  const rest = () => place("gtc", 1 + Math.floor((random(1000) * random(1000)) / 2000));
  const step = () => {
    const dice = random(100);
    if (dice < 10) place("ioc", -random(20));
    else if (dice < 44 && open.length > restingOrders * 0.9) {
      const { orderId, account } = open[random(open.length)];
      issue({ type: "cancelOrder", account, orderId });
    } else if (open.length > restingOrders * 1.1) {
      const { orderId, account } = open[random(open.length)];
      issue({ type: "cancelOrder", account, orderId });
    } else rest();
  };

  for (const command of catalogue(markets)) issue(command);
  while (open.length < restingOrders) rest();
  for (let index = 0; index < options.warmUpCommands; index++) step();
  const preparation = writer.finish();
  writer = new BatchWriter(batchCommands);
  for (let index = 0; index < options.measuredCommands; index++) step();
  const measured = writer.finish();
  return { name: options.name, preparation, measured, stateHash: engine.stateHash() };
}

function catalogue(markets: number): Command[] {
  const coin = (symbol: string, scale: number): Command => ({
    type: "listCoin",
    coin: {
      symbol,
      name: symbol,
      kind: "simulated",
      status: "listed",
      scale,
      displayDecimals: 2,
      description: "",
      website: "",
      riskNote: "",
    },
  });
  const commands: Command[] = [
    coin("USD", 6),
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
  for (let index = 1; index <= markets; index++) {
    commands.push(coin(`C${index}`, 8), {
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
  for (let index = 0; index < ACCOUNTS; index++) {
    const account = FIRST_USER_ACCOUNT + index;
    commands.push({ type: "openAccount", userId: `account-${index}`, kind: "participant" });
    for (let assetId = 1; assetId <= markets + 1; assetId++) {
      commands.push({ type: "fundParticipant", account, assetId, amount: 1e14 as Amount });
    }
  }
  return commands;
}

/** Collects encoded commands in batches of equal size. */
class BatchWriter {
  readonly #batchCommands: number;
  readonly #batches: EncodedBatch[] = [];
  #bytes = new Uint8Array(1 << 20);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;
  #count = 0;

  constructor(batchCommands: number) {
    this.#batchCommands = batchCommands;
  }

  add(command: Command): void {
    const start = this.#length + RECORD_PREFIX_BYTES;
    if (start + encodedSizeMax(command, "") > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    const length = encodeCommandInto(command, "", this.#bytes, this.#view, start);
    this.#view.setUint32(this.#length, length, true);
    this.#length = start + length;
    this.#count += 1;
    if (this.#count === this.#batchCommands) this.#end();
  }

  finish(): EncodedBatch[] {
    if (this.#count > 0) this.#end();
    return this.#batches;
  }

  #end(): void {
    this.#batches.push({ bytes: this.#bytes.slice(0, this.#length), count: this.#count });
    this.#length = 0;
    this.#count = 0;
  }
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

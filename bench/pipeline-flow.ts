/** Seeded flows of encoded commands for the durable pipeline. */
import { encodeCommandInto, encodedSizeMax } from "#engine/formats/command-codec.ts";
import type { Command } from "#engine/commands.ts";
import { createEngine } from "#engine/engine.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import { FIRST_USER_ACCOUNT } from "#engine/accounts/postings.ts";
import { RECORD_PREFIX_BYTES } from "#journal/journal.ts";
import { listMarkets, MarketFlow, openParticipant, randomBelow } from "./market-flow.ts";

export interface EncodedBatch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly count: number;
}

export interface PipelineFlow {
  readonly name: string;
  /** Commands for the catalogue, accounts, resting orders and the warm-up; not timed. */
  readonly preparation: readonly EncodedBatch[];
  readonly measured: readonly EncodedBatch[];
  /** The engine's final state hash, computed while the flow was generated. */
  readonly stateHash: string;
}

export interface PipelineFlowOptions {
  readonly name: string;
  readonly seed: number;
  readonly markets: number;
  /** Target over all markets. */
  readonly restingOrders: number;
  readonly warmUpCommands: number;
  readonly measuredCommands: number;
  readonly batchCommands: number;
}

const ACCOUNTS = 64;

/** Generates a flow by running an engine, so that cancels name open orders. */
export function pipelineFlow(options: PipelineFlowOptions): PipelineFlow {
  const { batchCommands, markets, restingOrders } = options;
  const random = randomBelow(options.seed);
  const trader = () => ({ account: FIRST_USER_ACCOUNT + random(ACCOUNTS), clientOrderId: "" });
  const flow = new MarketFlow({ random, markets, restingOrders, trader });
  const engine = createEngine();
  const events = new EventBuffer();
  let writer = new BatchWriter(batchCommands);
  const issue = (command: Command) => {
    writer.add(command);
    engine.apply(engine.sequence + 1, engine.sequence + 1, "", command, events);
    for (const event of events.decode()) {
      flow.follow(event);
      if (event.type === "commandRejected") {
        throw new Error(`the flow contains a refused command: ${event.reason}`);
      }
    }
    events.clear();
  };

  for (const command of listMarkets(markets)) issue(command);
  for (let index = 0; index < ACCOUNTS; index++) {
    const account = FIRST_USER_ACCOUNT + index;
    for (const command of openParticipant(account, `account-${index}`, markets, 1e14)) {
      issue(command);
    }
  }
  while (flow.openCount < restingOrders) issue(flow.resting());
  for (let index = 0; index < options.warmUpCommands; index++) issue(flow.next());
  const preparation = writer.finish();
  writer = new BatchWriter(batchCommands);
  for (let index = 0; index < options.measuredCommands; index++) issue(flow.next());
  const measured = writer.finish();
  return { name: options.name, preparation, measured, stateHash: engine.stateHash() };
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

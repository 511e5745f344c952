/**
 * Records a golden journal, once per format version of the journal and whenever kinds of commands
 * have been added:
 *
 *   node test/golden/record-golden-journal.ts <new directory>
 *
 * or, after a change of what the state hash covers, the new hash of an old one. The journal, its
 * events and its state stay as they are; a decision record must say why the hash may differ:
 *
 *   node test/golden/record-golden-journal.ts <directory> --hash-changed-by <docs/decisions/NNN-….md>
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import { encodeCommand } from "#engine/formats/command-codec.ts";
import type { Command, PlaceOrder } from "#engine/commands.ts";
import { createEngine } from "#engine/engine.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import { openFileJournal } from "#journal/file-journal.ts";
import { RECORD_PREFIX_BYTES } from "#journal/journal.ts";
import { coin, market, opening, plan, type Step, steps } from "../engine/commands.ts";
import { houseOpening, houseSteps } from "../engine/house-commands.ts";
import { aimed, orderSteps, prelude } from "../engine/order-commands.ts";
import { expectedHashes, replayGolden } from "./golden-journal.ts";

const START_MS = Date.UTC(2026, 0, 1);
/** Small, so that the journal has several. */
const SEGMENT_BYTES = 32 * 1024;

const [directory, option, decision] = process.argv.slice(2);
if (directory === undefined) throw new Error("say which directory");
if (option === "--hash-changed-by") {
  if (!existsSync(decision)) throw new Error(`there is no decision record ${decision}`);
  const { stateHash } = await replayGolden(directory);
  const hashes = [...expectedHashes(directory), { hash: stateHash, decision }];
  writeFileSync(join(directory, "hashes.json"), `${JSON.stringify(hashes, null, 1)}\n`);
} else {
  await record(directory);
}

async function record(directory: string): Promise<void> {
  if (existsSync(directory))
    throw new Error(`${directory} exists: a golden journal is recorded once`);
  mkdirSync(directory, { recursive: true });
  await writeJournal(join(directory, "journal"), allSteps());
  const { state, events, stateHash } = await replayGolden(directory);
  const lines = events.map((event) => JSON.stringify(event)).join("\n");
  writeFileSync(join(directory, "events.jsonl"), `${lines}\n`);
  writeFileSync(join(directory, "state.json"), `${JSON.stringify(state, null, 1)}\n`);
  const hashes = [{ hash: stateHash, decision: "" }];
  writeFileSync(join(directory, "hashes.json"), `${JSON.stringify(hashes, null, 1)}\n`);
}

async function writeJournal(directory: string, all: readonly Step[]): Promise<void> {
  const journal = await openFileJournal({
    directory,
    log: { info: () => undefined, warn: () => undefined },
    segmentBytes: SEGMENT_BYTES,
  });
  let timestampMs = START_MS;
  for (let index = 0; index < all.length;) {
    timestampMs += all[index].afterMs;
    const records: number[] = [];
    const firstSequence = index + 1;
    // What no time passes between enters as one group.
    do {
      const { command, idempotencyKey } = all[index];
      const bytes = encodeCommand(command, idempotencyKey);
      const prefix = new Uint8Array(RECORD_PREFIX_BYTES);
      new DataView(prefix.buffer).setUint32(0, bytes.length, true);
      records.push(...prefix, ...bytes);
      index += 1;
    } while (index < all.length && all[index].afterMs === 0 && records.length < 4096);
    const count = index - firstSequence + 1;
    await journal.append({ firstSequence, count, timestampMs, records: Uint8Array.from(records) });
  }
  await journal.close();
}

/** Every kind of command, accepted and refused, in random order and with some told by hand. */
function allSteps(): Step[] {
  const at = (command: Command, idempotencyKey = "", afterMs = 0): Step => ({
    command,
    afterMs,
    idempotencyKey,
  });
  const random = (sequences: fc.Arbitrary<Step[]>, seed: number) =>
    fc.sample(sequences, { seed, numRuns: 8 }).flat();
  return atOpenOrders([
    ...opening(2 ** 40, 2 ** 36).map((command) => at(command)),
    ...byHand().map(([command, key, afterMs]) => at(command, key, afterMs)),
    ...prelude,
    ...random(orderSteps("tight", 70), 4),
    ...random(steps("tight", 60), 1),
    ...random(steps("wide", 60), 2),
    ...random(steps("drifting", 60), 3),
    // What is there already is refused; its plans come in addition.
    ...houseOpening().map((command) => at(command)),
    ...random(houseSteps("tight", 60), 5),
    ...atTheEnd().map(([command, key, afterMs]) => at(command, key, afterMs)),
  ]);
}

/** Most commands that name an order are made to name one that is open then. */
function atOpenOrders(all: readonly Step[]): Step[] {
  const engine = createEngine();
  const events = new EventBuffer();
  return all.map((drawn) => {
    const step = aimed(drawn, engine);
    const timestampMs = Math.max(START_MS, engine.timestampMs) + step.afterMs;
    engine.apply(engine.sequence + 1, timestampMs, step.idempotencyKey, step.command, events);
    events.clear();
    return step;
  });
}

function order(terms: Partial<PlaceOrder>): PlaceOrder {
  return {
    type: "placeOrder",
    account: 17,
    marketId: 1,
    side: "buy",
    orderType: "limit",
    timeInForce: "gtc",
    postOnly: false,
    priceTicks: 100 as Ticks,
    quantityLots: 20 as Lots,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
    ...terms,
  };
}

function byHand(): [Command, string?, number?][] {
  return [
    [{ type: "openAccount", userId: "Zoë Ωmega 🜚", kind: "person" }, "ключ-1", 5],
    [{ type: "openAccount", userId: "Zoë Ωmega 🜚", kind: "person" }, "ключ-1", 5],
    [
      {
        type: "listCoin",
        coin: { ...coin("DDD", 15), kind: "token", description: "“quoted” ünïcode" },
      },
    ],
    [{ type: "listMarket", market: market("DDD", { status: "cancelOnly", simulated: false }) }],
    [order({ marketId: 3 })],
    [{ type: "definePlan", plan: plan("free") }],
    [
      {
        type: "definePlan",
        plan: plan("vip", {
          eligibility: "volume",
          volumeMin: "1000000.50",
          price: "9.99",
          interval: "month",
          features: ["Ünïcode", ""],
        }),
      },
    ],
    [{ type: "assignPlan", account: 18, planId: 4 }, "x".repeat(64)],
    [{ type: "takePracticeFunds", account: 20, assetId: 1, amount: 7e9 as Amount }, "", 86_400_000],
    [{ type: "takePracticeFunds", account: 20, assetId: 1, amount: 7e9 as Amount }],
    [{ type: "takePracticeFunds", account: 20, assetId: 2, amount: 7e9 as Amount }, "", 86_400_000],
    [order({ clientOrderId: "first" }), "key of the first"],
    [order({ clientOrderId: "first" }), "key of the first", 1000],
    [order({ clientOrderId: "first" }), "", 1000],
    [order({ clientOrderId: "first", quantityLots: 21 as Lots })],
    [order({ account: 19, side: "sell", quantityLots: 50 as Lots, clientOrderId: "cross" })],
    [order({ account: 18, timeInForce: "fok", quantityLots: 31 as Lots })],
    [order({ account: 18, timeInForce: "ioc", quantityLots: 10 as Lots })],
    [order({ account: 19, timeInForce: "gtc", quantityLots: 1 as Lots, clientOrderId: "self" })],
    [order({ account: 18, postOnly: true })],
    [{ type: "cancelOrder", account: 16, orderId: 1 }],
    [{ type: "cancelAllOrders", account: 19, marketId: 1 }],
    [{ type: "startSimulation", seed: 42 }],
    [{ type: "startSimulation", seed: 43 }],
  ];
}

/** So that the last state has what a state can have. */
function atTheEnd(): [Command, string?, number?][] {
  const resting = [16, 17, 18, 19].flatMap((account, index): [Command, string?, number?][] =>
    Array.from({ length: 6 }, (_, place): [Command, string?, number?] => [
      order({
        account,
        marketId: place < 4 ? 1 : 2,
        side: index % 2 === 0 ? "buy" : "sell",
        priceTicks: (index % 2 === 0 ? 40 - (place % 3) : 4000 + (place % 3)) as Ticks,
        quantityLots: (10 + place) as Lots,
        clientOrderId: place % 2 === 0 ? `resting-${place}` : "",
      }),
      place === 1 ? `last-${index}` : "",
      place * 100,
    ]),
  );
  return [
    ...[16, 17, 18, 19].map((account): [Command] => [
      { type: "cancelAllOrders", account, marketId: 0 },
    ]),
    ...resting,
    ...Array.from({ length: 13 }, (): [Command] => [
      order({ account: 18, priceTicks: 30 as Ticks, quantityLots: 5 as Lots }),
    ]),
    [order({ account: 17, side: "sell", priceTicks: 40 as Ticks, quantityLots: 15 as Lots })],
    [order({ account: 19, side: "sell", timeInForce: "ioc", priceTicks: 1 as Ticks })],
  ];
}

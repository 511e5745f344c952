/**
 * A process of its own that runs an exchange under load until it is killed. It says on its standard
 * output, synchronously, what it is about to ask and what was answered:
 *
 *   restored <sequence>                       where it continued from a snapshot
 *   recovered <sequence> <state hash>
 *   snapshot <sequence>                       when one was written
 *   ready
 *   ask <key>                                 before the command is submitted
 *   ack <key> <sequence> <placed|rejected|repeated> <order id>
 *
 * Arguments: data directory, seed, and the keys to ask for again, separated by commas. A key names
 * its command completely, so asking again asks for the same.
 */
import { writeSync } from "node:fs";
import type { Command, CoinDefinition } from "#engine/commands.ts";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { CommandOutcome } from "#server/exchange/exchange.ts";
import { openExchange } from "#server/exchange/open-exchange.ts";
import { createReadModels } from "#server/read-models.ts";
import { seededRandom } from "../disk/journal-disk.ts";

const [, , dataDir, seedText, againText] = process.argv;
const seed = Number(seedText);
const CLIENTS = 12;
const ACCOUNTS = 4;

/** Writes before it returns, also while the parent is slow to read and the pipe is full. */
function say(line: string): void {
  let rest = Buffer.from(`${line}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
const log = {
  info(fields: { sequence?: number }, message: string) {
    if (message === "wrote a snapshot") say(`snapshot ${fields.sequence}`);
  },
  // A torn tail is cut; of anything else the parent must hear.
  warn(fields: object, message: string) {
    if (!message.startsWith("cut an incomplete last write")) log.error(fields, message);
  },
  error: (fields: object, message: string) => say(`error ${message} ${JSON.stringify(fields)}`),
};

const readModels = createReadModels();
const exchange = await openExchange({
  dataDir,
  onEvents: (events) => readModels.fold(events),
  // So often that many a kill meets one being written.
  snapshots: {
    everyCommands: 200,
    busyShareMax: 1,
    readModelsModule: new URL("../../src/server/read-models.ts", import.meta.url),
    restore(state, sequence) {
      readModels.restore(state);
      say(`restored ${sequence}`);
    },
  },
  log,
  segmentBytes: 256 * 1024,
});
const recovered = await exchange.stateHash();
say(`recovered ${recovered.sequence} ${recovered.hash}`);

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

/** The same at every start: after the first, each is answered as a repeat. */
const SETUP: Command[] = [
  coin("USD", "fiat", 6),
  coin("BTC", "crypto", 8),
  {
    type: "listMarket",
    market: {
      symbol: "BTC-USD",
      base: "BTC",
      quote: "USD",
      lotUnits: 1000,
      tickLotUnits: 10,
      notionalMin: 100 as Amount,
      quantityLotsMax: 1_000_000 as Lots,
      status: "trading",
      simulated: true,
    },
  },
  {
    type: "definePlan",
    plan: {
      slug: "free",
      name: "Free",
      description: "",
      position: 1,
      makerFeeBps: 20,
      takerFeeBps: 25,
      price: "0",
      interval: "none",
      eligibility: "everyone",
      volumeMin: "0",
      openOrdersMax: 100_000,
      features: [],
    },
  },
];

function orThrow(outcome: CommandOutcome): CommandOutcome {
  if (outcome.rejected !== undefined) throw new Error(`the setup was refused: ${outcome.rejected}`);
  return outcome;
}

for (const [index, command] of SETUP.entries()) {
  orThrow(await exchange.submit(command, `setup-${index}`));
}
const FIRST_ACCOUNT = 16;
for (let index = 0; index < ACCOUNTS; index++) {
  const userId = `trader-${index}`;
  orThrow(await exchange.submit({ type: "openAccount", userId, kind: "participant" }, userId));
  for (const assetId of [1, 2]) {
    const account = FIRST_ACCOUNT + index;
    const amount = 1e12 as Amount;
    const key = `${userId}-${assetId}`;
    orThrow(await exchange.submit({ type: "fundParticipant", account, assetId, amount }, key));
  }
}

/** What a key asks for, derived from the key alone. */
function commandOf(key: string): Command {
  const random = seededRandom(Buffer.from(key).reduce((sum, byte) => Math.imul(sum, 31) + byte, 7));
  const kind = random(10);
  return {
    type: "placeOrder",
    account: FIRST_ACCOUNT + random(ACCOUNTS),
    marketId: 1,
    side: random(2) === 0 ? "buy" : "sell",
    orderType: "limit",
    timeInForce: kind < 5 ? "gtc" : kind < 8 ? "ioc" : "fok",
    postOnly: false,
    priceTicks: (990 + random(20)) as Ticks,
    quantityLots: (1 + random(50)) as Lots,
    quoteAmount: 0 as Amount,
    clientOrderId: key,
  };
}

/** Every third key repeats by idempotency key too, the others by client order id alone. */
const idempotencyKeyOf = (key: string) => (key.length % 3 === 0 ? key : "");

async function ask(key: string): Promise<void> {
  say(`ask ${key}`);
  const command = commandOf(key);
  const { sequence, rejected, events } = await exchange.submit(command, idempotencyKeyOf(key));
  const [first] = events;
  if (rejected !== undefined) say(`ack ${key} ${sequence} rejected 0`);
  else if (first.type === "requestRepeated")
    say(`ack ${key} ${sequence} repeated ${first.orderId}`);
  else if (first.type === "orderPlaced") {
    say(`ack ${key} ${sequence} placed ${first.orderId}`);
    const random = seededRandom(sequence);
    if (random(3) === 0) {
      const { account } = first;
      await exchange.submit({ type: "cancelOrder", account, orderId: 1 + random(first.orderId) });
    }
  } else say(`error ${key} led to ${first.type}`);
}

await Promise.all((againText ?? "").split(",").filter(Boolean).map(ask));
say("ready");
await Promise.all(
  Array.from({ length: CLIENTS }, async (_, client) => {
    for (let number = 0; ; number++) await ask(`${seed}-${client}-${number}`);
  }),
);

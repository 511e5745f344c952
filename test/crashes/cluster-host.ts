/**
 * A process of its own that is one node of an exchange, under load of its own clients, until it is killed
 * or told to close. It takes requests on its standard input, a line each, and says on its standard output:
 *
 *   open
 *   ask <key>                                          before the command is submitted
 *   ack <key> <sequence> <placed|rejected> <order id>
 *   status <role> <term> <behind>                      asked for by "status"
 *   hash <sequence> <state hash>                       asked for by "hash"
 *   resting                                            once "rest" has ended the load
 *   elsewhere <used> <taken>                           of the one client of a rate and a number: "elsewhere"
 *   error <message>
 *
 * Further requests: "setup", "load", "step-down", "close"; "use <count>" of the rate and "take <count>" of the
 * number, which count over all nodes.
 *
 * Arguments: data directory, address of the journal, and a number that no other run has. A key is a number,
 * and the quantity of its order, so that the journal shows which keys it has, and how often.
 */
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "#engine/commands.ts";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import { openCluster } from "#server/cluster/open-cluster.ts";
import { SharedLimits } from "#server/limits/shared-limits.ts";
import { opening } from "../engine/commands.ts";
import { seededRandom } from "../disk/journal-disk.ts";

const [, , dataDir, journal, run] = process.argv;
const CLIENTS = 4;
/** Keys of one run, more than it can ask for in the minutes of a test. */
const KEYS = 60_000;
const PAUSE_MS = 5;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What a page of this node would show: the orders whose events it has folded. */
const shown = new Set<number>();
const sharedLimits = new SharedLimits(() => performance.now());
let usedElsewhere = 0;
const rate = sharedLimits.rate("rate", (_, count) => void (usedElsewhere += count));
const number = sharedLimits.number("number");
const exchange = await openCluster({
  dataDir,
  journal,
  onEvents(events) {
    for (const event of events) if (event.type === "orderPlaced") shown.add(event.orderId);
  },
  sharedLimits,
  snapshots: { everyCommands: 2_000, busyShareMax: 0.5, restore: () => undefined },
  log: {
    info: (fields, message) => say(`info ${message} ${JSON.stringify(fields)}`),
    warn: (fields, message) => say(`info ${message} ${JSON.stringify(fields)}`),
    error: (fields, message) => say(`error ${message} ${JSON.stringify(fields)}`),
  },
});
say("open");

function commandOf(key: number): Command {
  const random = seededRandom(key);
  return {
    type: "placeOrder",
    account: 17 + random(2),
    marketId: 1,
    side: random(2) === 0 ? "buy" : "sell",
    orderType: "limit",
    timeInForce: random(10) < 3 ? "gtc" : "ioc",
    postOnly: false,
    priceTicks: (90 + random(20)) as Ticks,
    quantityLots: key as Lots,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
  };
}

async function ask(key: number): Promise<void> {
  say(`ask ${key}`);
  // Half of them without a key of their own, as programs send them.
  const idempotencyKey = key % 2 === 0 ? `own-${key}` : "";
  const { sequence, rejected, events } = await exchange.submit(commandOf(key), idempotencyKey);
  const placed = events.find((event) => event.type === "orderPlaced");
  if (rejected !== undefined) say(`ack ${key} ${sequence} rejected 0`);
  else if (placed?.type !== "orderPlaced") say(`error ${key} led to ${events[0]?.type}`);
  else if (!shown.has(placed.orderId)) say(`error ${key} is answered and not shown`);
  else say(`ack ${key} ${sequence} placed ${placed.orderId}`);
}

let isResting = true;
let loads: Promise<unknown> = Promise.resolve();
let nextKey = Number(run) * KEYS + 1;
const lastKey = nextKey + KEYS - 2;

function load(): void {
  isResting = false;
  loads = Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (!isResting && nextKey < lastKey) {
        await ask(nextKey++);
        await delay(PAUSE_MS);
      }
    }),
  ).catch((error: unknown) => say(`error ${String(error)}`));
}

async function setUp(): Promise<void> {
  for (const [index, command] of opening(2 ** 40, 2 ** 36).entries()) {
    const { rejected } = await exchange.submit(command, `setup-${index}`);
    if (rejected !== undefined) say(`error the setup was refused: ${rejected}`);
  }
  say("resting");
}

async function take(line: string): Promise<void> {
  const [request, count] = line.split(" ");
  switch (request) {
    case "setup":
      return setUp();
    case "load":
      return load();
    case "rest":
      isResting = true;
      await loads;
      return say("resting");
    case "status": {
      const { role, term, behind } = exchange.status();
      return say(`status ${role} ${term} ${behind}`);
    }
    case "hash": {
      const { sequence, hash } = await exchange.stateHash();
      return say(`hash ${sequence} ${hash}`);
    }
    case "use":
      return rate.use("client", Number(count), Number(count));
    case "take":
      return number.set("client", Number(count));
    case "elsewhere":
      return say(`elsewhere ${usedElsewhere} ${number.elsewhere("client")}`);
    case "step-down":
      return void exchange.stepDown();
    case "close":
      isResting = true;
      await exchange.close();
      process.exit(0);
  }
}

createInterface(process.stdin).on("line", (line) => {
  take(line).catch((error: unknown) => say(`error ${String(error)}`));
});

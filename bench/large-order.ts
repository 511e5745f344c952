/**
 * `node bench/from-compiled.ts large-order.ts`: how long one order that trades with many parts of
 * users' icebergs occupies the engine's thread and the main thread, which folds its events in slices
 * and hands them to the history as a whole. The longest uninterrupted task counts: it delays
 * everything else in its thread.
 *
 *   --accounts=11 --icebergs=50 --parts=10 --rounds=5
 */
import "#server/exchange/compile-engine-whole.ts";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { Command, PlaceOrder } from "#engine/commands.ts";
import { createEngine } from "#engine/engine.ts";
import { decodeInSlices, EventBuffer } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { Backlog } from "#server/history/backlog.ts";
import { Views } from "#server/views/views.ts";
import { coinListing, marketListing, PLAN_DEFINITION } from "./listings.ts";

const { values: options } = parseArgs({
  options: {
    accounts: { type: "string", default: "11" },
    icebergs: { type: "string", default: "50" },
    parts: { type: "string", default: "10" },
    rounds: { type: "string", default: "5" },
  },
});
const [accounts, icebergs, parts, rounds] = (
  ["accounts", "icebergs", "parts", "rounds"] as const
).map((name) => Number(options[name]));
const PRICE = 2_000_000 as Ticks;
const FUNDS = 1e13 as Amount;

const engine = createEngine();
const views = new Views();
views.onChange(() => undefined);
const backlog = new Backlog();
const buffer = new EventBuffer();
let nowMs = 1_800_000_000_000;

/** The slice size of src/server/exchange/delivery.ts. */
const SLICE_EVENTS = 256;

interface Times {
  readonly events: readonly ExchangeEvent[];
  readonly engineMs: number;
  /** Decoding and folding: all slices together, and the longest slice. */
  readonly foldMs: number;
  readonly sliceMs: number;
  readonly historyMs: number;
}

function run(command: Command): Times {
  const startMs = performance.now();
  engine.apply(engine.sequence + 1, ++nowMs, "", command, buffer);
  const appliedMs = performance.now();
  const events: ExchangeEvent[] = [];
  let sliceMs = 0;
  let sliceStartMs = performance.now();
  for (const slice of decodeInSlices(buffer.take(), SLICE_EVENTS)) {
    events.push(...slice.events);
    views.fold(slice.events, slice.isWhole);
    sliceMs = Math.max(sliceMs, performance.now() - sliceStartMs);
    sliceStartMs = performance.now();
  }
  const foldedMs = performance.now();
  for (const event of events) backlog.add(event);
  const endMs = performance.now();
  while (backlog.take() !== undefined);
  const last = events.at(-1);
  if (last?.type === "commandRejected") throw new Error(`${command.type}: ${last.reason}`);
  return {
    events,
    engineMs: appliedMs - startMs,
    foldMs: foldedMs - appliedMs,
    sliceMs,
    historyMs: endMs - foldedMs,
  };
}

function personOf(userId: string): number {
  const [opened] = run({ type: "openAccount", userId, kind: "person" }).events;
  if (opened?.type !== "accountOpened") throw new Error("no account was opened");
  for (const assetId of [1, 2]) {
    nowMs += 86_400_000;
    run({ type: "takePracticeFunds", account: opened.account, assetId, amount: FUNDS });
  }
  return opened.account;
}

function order(
  account: number,
  side: "buy" | "sell",
  lots: number,
  displayLots?: number,
): PlaceOrder {
  return {
    type: "placeOrder",
    account,
    marketId: 1,
    side,
    orderType: "limit",
    timeInForce: "gtc",
    postOnly: false,
    priceTicks: PRICE,
    quantityLots: lots as Lots,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
    ...(displayLots !== undefined && { conditions: { displayLots: displayLots as Lots } }),
  };
}

const terms = { lotUnits: 1, tickLotUnits: 1, quantityLotsMax: 1e12 as Lots };
run(coinListing("USD"));
run(coinListing("BTC"));
run(marketListing("BTC", terms));
run(PLAN_DEFINITION);
const makers = Array.from({ length: accounts }, (_, index) => personOf(`maker ${index}`));
const taker = personOf("taker");

const print = (line: string) => process.stdout.write(`${line}\n`);
print(`machine   ${cpus()[0]?.model.trim()}, ${cpus().length} cores, node ${process.version}`);
print(`workload  ${accounts} accounts with ${icebergs} icebergs of ${parts} parts each`);
for (let round = 1; round <= rounds; round++) {
  for (const maker of makers) {
    for (let count = 0; count < icebergs; count++) {
      run(parts === 1 ? order(maker, "sell", 1) : order(maker, "sell", parts, 1));
    }
  }
  const heapBefore = process.memoryUsage().heapUsed;
  const { events, ...times } = run(order(taker, "buy", accounts * icebergs * parts));
  const trades = events.filter(({ type }) => type === "traded").length;
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  print(
    `round ${round}: ${trades} trades, ${events.length} events; engine ${ms(times.engineMs)}, fold ` +
      `${ms(times.foldMs)}, longest slice ${ms(times.sliceMs)}, history ${ms(times.historyMs)}, heap ` +
      `${((process.memoryUsage().heapUsed - heapBefore) / 1e6).toFixed(0)} MB`,
  );
}

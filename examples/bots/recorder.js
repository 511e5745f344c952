/**
 * Records a market's book and verifies it: ccxt applies the stream's updates to a snapshot, and every
 * few seconds the result is compared with what the exchange says the book is, level by level. Writes a
 * line of JSON for every change and ends with what it has verified.
 *
 *   MARKET    BTC/USD
 *   SECONDS   how long; without it, until it is stopped
 *   FILE      where to; without it, nowhere
 */
import { createWriteStream } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { connect, stopSignal } from "./connect.js";

const { MARKET = "BTC/USD", SECONDS, FILE } = process.env;
const LEVELS = 20;
const VERIFY_EVERY_MS = 1_000;
/** Books of the last seconds: the exchange's snapshot is of a moment between two messages. */
const KEPT = 200;

const exchange = await connect();
const stop = SECONDS === undefined ? stopSignal() : AbortSignal.timeout(Number(SECONDS) * 1_000);
const file = FILE === undefined ? undefined : createWriteStream(FILE, { flags: "a" });
const counts = { changes: 0, verified: 0, betweenTwo: 0, wrong: 0, begunAnew: 0 };
/** By the number of the last update that each has. */
const kept = new Map();

await Promise.all([record(), verify()]);
file?.end();
console.log(JSON.stringify(counts));
// An unfinished request for the next book would keep it open.
await exchange.close();
process.exit(counts.wrong === 0 ? 0 : 1);

async function record() {
  const stopped = new Promise((resolve) => stop.addEventListener("abort", resolve));
  while (!stop.aborted) {
    try {
      const book = await Promise.race([exchange.watchOrderBook(MARKET), stopped]);
      if (stop.aborted) return;
      keep(book);
    } catch (error) {
      // A gap or a cut connection: ccxt forgets the book and begins with a new snapshot.
      counts.begunAnew += 1;
      kept.clear();
      console.log(`begins anew: ${error.message}`);
      await pause(500);
    }
  }
}

function keep(book) {
  const top = topOf(book);
  kept.set(book.nonce, top);
  if (kept.size > KEPT) kept.delete(kept.keys().next().value);
  counts.changes += 1;
  file?.write(`${JSON.stringify({ at: book.timestamp, nonce: book.nonce, ...top })}\n`);
}

async function verify() {
  while (!stop.aborted) {
    await pause(VERIFY_EVERY_MS);
    try {
      const truth = await exchange.fetchOrderBook(MARKET, LEVELS);
      // The stream tells of it a moment later.
      await pause(VERIFY_EVERY_MS);
      compare(kept.get(truth.nonce), topOf(truth), truth.nonce);
    } catch (error) {
      console.log(`not verified: ${error.message}`);
    }
  }
}

function compare(recorded, truth, nonce) {
  if (recorded === undefined) {
    counts.betweenTwo += 1;
  } else if (JSON.stringify(recorded) === JSON.stringify(truth)) {
    counts.verified += 1;
    console.log(`verified at ${nonce}`);
  } else {
    counts.wrong += 1;
    console.log(`wrong at ${nonce}: ${JSON.stringify({ recorded, truth })}`);
  }
}

/** The best levels, as price and quantity. */
function topOf({ bids, asks }) {
  const levelsOf = (side) => side.slice(0, LEVELS).map(([price, quantity]) => [price, quantity]);
  return { bids: levelsOf(bids), asks: levelsOf(asks) };
}

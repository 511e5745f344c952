/**
 * Buys and sells again, a few times, and ends with as much as it has sold as bought, whatever happens to
 * its requests: answers that come late or never, cut connections, refusals that ask it to wait, a wrong
 * clock, a book that stands still or has gaps, a halted market. Try it with the fault lab of its key.
 *
 * What makes it survive: every order has a name of its own before it is sent, and the same order is sent
 * again until the exchange says what became of it. The exchange takes a name once, so nothing happens twice.
 *
 *   MARKET    BTC/USD
 *   QUANTITY  of each order
 *   ROUNDS    how often it buys and sells
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import ccxt from "ccxt";
import { connect } from "./connect.js";

const { MARKET = "BTC/USD", QUANTITY = "0.01", ROUNDS = "3" } = process.env;
/** Of one thing that it insists on: ten minutes of a market that stays halted. */
const TRIES_MAX = 1_200;
const TRY_AGAIN_MS = 500;
const BOOK_WITHIN_MS = 3_000;
/** It pays so much more than the best price, since the book may be old. */
const TOLERANCE = 0.002;

const exchange = await insist(connect);
// An order may be long under way; sent again under its name it is still one order.
exchange.options.recvWindow = exchange.timeout = 30_000;
const { base, precision } = exchange.market(MARKET);
const balance = async () => (await insist(() => exchange.fetchBalance()))[base]?.total ?? 0;

const start = await balance();
const filled = { buy: 0, sell: 0 };
for (let round = 1; round <= Number(ROUNDS); round++) {
  await trade("buy", Number(QUANTITY));
  await trade("sell", Number(QUANTITY));
  console.log(`round ${round} done`);
}
const end = await balance();
const fees = await feesPaid();
const isFlat = filled.buy === filled.sell;
const agrees = end === exact(start + filled.buy - filled.sell - fees);
console.log(JSON.stringify({ ...filled, fees, start, end, isFlat, agrees }));
await exchange.close();
process.exit(isFlat && agrees ? 0 : 1);

/** Trades a quantity, in as many orders as it takes. */
async function trade(side, quantity) {
  let left = quantity;
  while (left >= precision.amount) {
    const amount = await send(side, Number(exchange.amountToPrecision(MARKET, left)));
    filled[side] = exact(filled[side] + amount);
    left = exact(left - amount);
  }
}

/** Sends one order until its outcome is known. Returns how much of it was filled. */
async function send(side, amount) {
  const clientOrderId = `survivor-${randomUUID().slice(0, 18)}`;
  const terms = { timeInForce: "IOC", clientOrderId };
  const order = await insist(async () => {
    const price = await priceOf(side);
    try {
      return await exchange.createOrder(MARKET, "limit", side, amount, price, terms);
    } catch (error) {
      if (!/Duplicate order/.test(error.message)) throw error;
      console.log(`${side} was placed, and its answer lost`);
      return exchange.fetchOrder(undefined, MARKET, { clientOrderId });
    }
  });
  if (order.status === "open") throw new Error(`An order that must not rest does: ${order.id}`);
  return order.filled;
}

/** From the stream, or from a request if the stream has stopped. */
async function priceOf(side) {
  const late = pause(BOOK_WITHIN_MS).then(() => Promise.reject(new Error("no book in time")));
  const streamed = Promise.race([exchange.watchOrderBook(MARKET), late]);
  const book = await streamed.catch(() => exchange.fetchOrderBook(MARKET, 5));
  const [best] = side === "buy" ? book.asks : book.bids;
  if (best === undefined) throw new ccxt.OperationFailed("Nobody quotes.");
  const factor = side === "buy" ? 1 + TOLERANCE : 1 - TOLERANCE;
  return Number(exchange.priceToPrecision(MARKET, best[0] * factor));
}

/** Of what was bought, in the coin itself. */
async function feesPaid() {
  const trades = await insist(() => exchange.fetchMyTrades(MARKET));
  const inBase = trades.filter(({ fee }) => fee?.currency === base);
  return exact(inBase.reduce((sum, { fee }) => sum + fee.cost, 0));
}

/** Tries again until it works, unless it never will. */
async function insist(work) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || attempt === TRIES_MAX) throw error;
      console.log(`again after ${error.constructor.name}`);
      // If that fails, too, the next attempt tries again.
      if (error instanceof ccxt.InvalidNonce) await exchange.loadTimeDifference().catch(() => {});
    }
    await pause(TRY_AGAIN_MS);
  }
}

function isPassing(error) {
  if (error instanceof ccxt.OperationFailed || error instanceof ccxt.MarketClosed) return true;
  // ccxt has no class for an exchange that has too much to do.
  return error.message.includes('"code":-1008');
}

/** Without what floating point adds: no coin has more than ten digits behind its point. */
function exact(number) {
  return Number(number.toFixed(10));
}

/**
 * Keeps one order on each side of a market: around the price of the others, further down the more of
 * the coin it has bought, and further up the more it has sold. It remembers nothing between rounds:
 * what it has and what is open it asks the exchange, so a crash or a lost answer leaves nothing to repair.
 *
 *   MARKET      BTC/USD
 *   QUANTITY    of each order
 *   SPREAD_BPS  between its two prices, in hundredths of a percent
 *   PRICE       of a market in which no one else has quoted or traded yet
 */
import { setTimeout as pause } from "node:timers/promises";
import ccxt from "ccxt";
import { connect, stopSignal } from "./connect.js";

const { MARKET = "BTC/USD", QUANTITY = "0.01", SPREAD_BPS = "20", PRICE } = process.env;
const ROUND_MS = 1_000;
/** An order whose price is off by less than this part of the spread keeps its place in the queue. */
const TOLERANCE = 0.1;
/** With so many orders' worth bought or sold its prices lean by a whole spread. */
const LEAN_ORDERS = 5;

const exchange = await connect();
const signal = stopSignal();
const { base } = exchange.market(MARKET);
const quantity = Number(QUANTITY);
const spread = Number(SPREAD_BPS) / 10_000;
const target = (await exchange.fetchBalance())[base]?.total ?? 0;

while (!signal.aborted) {
  try {
    await quote();
  } catch (error) {
    // The next round sees what became of this one. A wrong key or market does not mend itself.
    const isPassing = error instanceof ccxt.OperationFailed || error instanceof ccxt.InvalidOrder;
    if (!isPassing) throw error;
    console.log(`round failed: ${error.message}`);
  }
  await pause(ROUND_MS, undefined, { signal }).catch(() => undefined);
}
await cancelAll();
await exchange.close();

async function quote() {
  const [book, ticker, open, balance] = await Promise.all([
    exchange.fetchOrderBook(MARKET, 20),
    exchange.fetchTicker(MARKET),
    exchange.fetchOpenOrders(MARKET),
    exchange.fetchBalance(),
  ]);
  const fair = fairPrice(book, ticker, open);
  const inventory = (balance[base]?.total ?? 0) - target;
  const lean = (inventory / (LEAN_ORDERS * quantity)) * spread;
  const middle = fair * (1 - lean);
  const wanted = { buy: middle * (1 - spread / 2), sell: middle * (1 + spread / 2) };
  for (const side of ["buy", "sell"]) {
    await requote(
      side,
      wanted[side],
      open.filter((order) => order.side === side),
    );
  }
}

/** Leaves one order of a side, at about the wanted price. */
async function requote(side, price, open) {
  const isGood = (order) =>
    order.filled === 0 && Math.abs(order.price - price) < price * spread * TOLERANCE;
  const kept = open.find(isGood);
  for (const order of open) if (order !== kept) await cancel(order);
  if (kept !== undefined) return;
  // Post-only: a maker that would trade at once is refused, and tries again with newer prices.
  const rounded = Number(exchange.priceToPrecision(MARKET, price));
  await exchange.createOrder(MARKET, "limit", side, quantity, rounded, { postOnly: true });
  console.log(`${side} ${QUANTITY} at ${rounded}`);
}

async function cancel({ id }) {
  try {
    await exchange.cancelOrder(id, MARKET);
  } catch (error) {
    // It has since been filled.
    if (!(error instanceof ccxt.OrderNotFound)) throw error;
  }
}

async function cancelAll() {
  for (const order of await exchange.fetchOpenOrders(MARKET)) await cancel(order);
  console.log("no orders left");
}

/** The middle of the others' best prices, else the last price, else the price to begin with. */
function fairPrice({ bids, asks }, { last }, open) {
  const own = new Map(open.map(({ price, remaining }) => [price, remaining]));
  const ofOthers = ([price, amount]) => amount > (own.get(price) ?? 0) + 1e-12;
  const [bid, ask] = [bids.find(ofOthers)?.[0], asks.find(ofOthers)?.[0]];
  const fair = bid && ask ? (bid + ask) / 2 : last || Number(PRICE);
  if (!(fair > 0)) throw new Error("Nobody has traded yet: say with PRICE where to begin.");
  return fair;
}

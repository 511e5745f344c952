/**
 * The contestants that run a flow: the engine's book alone, the engine with its ledger, and
 * nodejs-order-book. Each gets the same commands from the same columns, applies the preload untimed and
 * returns how long the measured commands took and what they traded.
 */
import "#server/exchange/compile-engine-whole.ts";
import { OrderBook as PeerBook, type Side as PeerSide } from "nodejs-order-book";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { Command } from "#engine/commands.ts";
import { createEngine } from "#engine/engine.ts";
import { EventBuffer, decodeEvents } from "#engine/event-buffer.ts";
import { LevelTable, NO_LEVEL } from "#engine/book/level-table.ts";
import { OrderBook } from "#engine/book/order-book.ts";
import { DetailsTable } from "#engine/orders/order-details.ts";
import { NO_ORDER, OrderTable } from "#engine/book/order-table.ts";
import { BID } from "#engine/book/price-ladder.ts";
import { accountCountOf, ADD_SELL, AMEND, CANCEL, IOC_BUY, IOC_SELL, type Flow } from "./flow.ts";
import { coinListing, marketListing, participantCommands, PLAN_DEFINITION } from "./listings.ts";
import { FillHash } from "./naive-book.ts";

export interface RunResult {
  readonly seconds: number;
  readonly commands: number;
  readonly trades: number;
  readonly hash: number;
}

export type Clock = "wall" | "cpu";
let nowSeconds = () => Number(process.hrtime.bigint()) / 1e9;

/** Selects wall time or this thread's processor time; only the latter is meaningful on a shared machine. */
export function setClock(clock: Clock): void {
  if (clock === "wall") return;
  nowSeconds = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1e6;
  };
}

/** Number of commands whose events are taken from the engine at once. */
const EVENT_BATCH = 256;
const FIRST_ACCOUNT = 16;
const LOT_UNITS = 1000;
const TICK_LOT_UNITS = 10;

/** The engine's books without accounts, money or events: a fill only updates the hash. */
export function runBookAlone(flow: Flow, commands: number): RunResult {
  const levels = new LevelTable();
  const orders = new OrderTable(levels);
  const details = new DetailsTable();
  const assets = { baseAssetId: 2, quoteAssetId: 1 };
  const books = Array.from(
    { length: flow.shape.markets },
    (_, index) => new OrderBook(index + 1, BOOK_TERMS, assets, orders, levels, details),
  );
  const hash = new FillHash();
  applyToBooks(flow, 0, flow.preload, books, orders, levels, hash);
  const start = nowSeconds();
  applyToBooks(flow, flow.preload, flow.preload + commands, books, orders, levels, hash);
  return { seconds: nowSeconds() - start, commands, trades: hash.trades, hash: hash.value };
}

const MARKET_TERMS = {
  lotUnits: LOT_UNITS,
  tickLotUnits: TICK_LOT_UNITS,
  quantityLotsMax: 1_000_000 as Lots,
} as const;
const BOOK_TERMS = { ...MARKET_TERMS, notionalMin: 1 as Amount, status: "trading" } as const;

function applyToBooks(
  flow: Flow,
  from: number,
  to: number,
  books: readonly OrderBook[],
  orders: OrderTable,
  levels: LevelTable,
  hash: FillHash,
): void {
  const { operations, markets, prices, lots, orderIds } = flow;
  for (let at = from; at < to; at++) {
    const operation = operations[at];
    if (operation === CANCEL) {
      const slot = orders.find(orderIds[at]);
      if (slot === NO_ORDER) throw new Error(`order ${orderIds[at]} does not rest`);
      const marketAndSide = orders.marketAndSideOf(slot);
      books[(marketAndSide >> 1) - 1].remove(marketAndSide & 1, slot);
      orders.free(slot);
      continue;
    }
    const book = books[markets[at]];
    if (operation === AMEND) {
      const slot = orders.find(orderIds[at]);
      if (slot === NO_ORDER) throw new Error(`order ${orderIds[at]} does not rest`);
      const side = orders.marketAndSideOf(slot) & 1;
      const lotsLeft = orders.visibleLotsOf(slot);
      book.remove(side, slot);
      const left = matchAlone(book, side, prices[at], lotsLeft, orderIds[at], orders, levels, hash);
      if (left === 0) orders.free(slot);
      else book.append(side, slot, prices[at], left);
      continue;
    }
    const side = operation & 1;
    const left = matchAlone(book, side, prices[at], lots[at], orderIds[at], orders, levels, hash);
    if (left === 0 || operation >= IOC_BUY) continue;
    const slot = orders.allocate(orderIds[at]);
    book.append(side, slot, prices[at], left);
  }
}

function matchAlone(
  book: OrderBook,
  side: number,
  limitTicks: number,
  lots: number,
  orderId: number,
  orders: OrderTable,
  levels: LevelTable,
  hash: FillHash,
): number {
  const { ladder } = book;
  let left = lots;
  while (left > 0) {
    const level = side === BID ? ladder.bestAsk : ladder.bestBid;
    if (level === NO_LEVEL) break;
    const priceTicks = levels.priceOf(level);
    if (side === BID ? priceTicks > limitTicks : priceTicks < limitTicks) break;
    const maker = levels.firstOrderOf(level);
    const makerLots = orders.visibleLotsOf(maker);
    const traded = Math.min(left, makerLots);
    hash.add(orders.idOf(maker), orderId, priceTicks, traded);
    left -= traded;
    if (traded === makerLots) {
      book.removeFirst(level, maker);
      orders.free(maker);
    } else {
      book.reduce(maker, traded);
    }
  }
  return left;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The engine with the flow's markets and accounts, and the flow's commands one by one. */
export class FlowEngine {
  readonly engine = createEngine();
  readonly events = new EventBuffer();

  readonly #flow: Flow;
  readonly #place: Mutable<Extract<Command, { type: "placeOrder" }>> = {
    type: "placeOrder",
    account: 0,
    marketId: 0,
    side: "buy",
    orderType: "limit",
    timeInForce: "gtc",
    postOnly: false,
    priceTicks: 0 as Ticks,
    quantityLots: 0 as Lots,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
  };
  readonly #cancel: Mutable<Extract<Command, { type: "cancelOrder" }>> = {
    type: "cancelOrder",
    account: 0,
    orderId: 0,
  };
  readonly #amend: Mutable<Extract<Command, { type: "amendOrder" }>> = {
    type: "amendOrder",
    account: 0,
    orderId: 0,
    priceTicks: 0 as Ticks,
    quantityLots: 0 as Lots,
  };

  constructor(flow: Flow) {
    this.#flow = flow;
    for (const command of listings(flow)) {
      this.engine.apply(this.engine.sequence + 1, 1, "", command, this.events);
      for (const event of decodeEvents(this.events.take())) {
        if (event.type === "commandRejected")
          throw new Error(`the setting was refused: ${event.reason}`);
      }
    }
  }

  /** The command at an index of the flow; the object is reused by the next call. */
  command(at: number): Command {
    const { operations, markets, prices, lots, accounts, orderIds } = this.#flow;
    const operation = operations[at];
    if (operation === CANCEL) {
      this.#cancel.account = accounts[at] + FIRST_ACCOUNT;
      this.#cancel.orderId = orderIds[at];
      return this.#cancel;
    }
    if (operation === AMEND) {
      this.#amend.account = accounts[at] + FIRST_ACCOUNT;
      this.#amend.orderId = orderIds[at];
      this.#amend.priceTicks = prices[at] as Ticks;
      return this.#amend;
    }
    const place = this.#place;
    place.account = accounts[at] + FIRST_ACCOUNT;
    place.marketId = markets[at] + 1;
    place.side = operation === ADD_SELL || operation === IOC_SELL ? "sell" : "buy";
    place.timeInForce = operation >= IOC_BUY ? "ioc" : "gtc";
    place.priceTicks = prices[at] as Ticks;
    place.quantityLots = lots[at] as Lots;
    return place;
  }

  /**
   * Applies commands of the flow from one index to another; `onBatch` sees their events before they are
   * dropped.
   */
  apply(from: number, to: number, onBatch?: (events: EventBuffer) => void): void {
    const { engine, events } = this;
    let sequence = engine.sequence;
    for (let at = from; at < to; at++) {
      sequence++;
      const timestampMs = 1_700_000_000_000 + (sequence >> 10);
      engine.apply(sequence, timestampMs, "", this.command(at), events);
      if ((at & (EVENT_BATCH - 1)) !== EVENT_BATCH - 1 && at !== to - 1) continue;
      onBatch?.(events);
      events.clear();
    }
  }
}

/**
 * The complete engine: accounts, holds, fees, double entry and events. With `verify` the events
 * are decoded and hashed, which takes longer than producing them; the measured runs are compared by
 * their final state.
 */
export function runEngine(
  flow: Flow,
  commands: number,
  verify: boolean,
): RunResult & { stateHash: string } {
  const runner = new FlowEngine(flow);
  const { engine } = runner;
  const hash = new FillHash();
  const onBatch = verify ? (events: EventBuffer) => hashFills(events, hash) : undefined;
  runner.apply(0, flow.preload, onBatch);
  const start = nowSeconds();
  runner.apply(flow.preload, flow.preload + commands, onBatch);
  const seconds = nowSeconds() - start;
  engine.read.checkInvariants();
  return {
    seconds,
    commands,
    trades: hash.trades,
    hash: hash.value,
    stateHash: engine.stateHash(),
  };
}

function hashFills(events: EventBuffer, hash: FillHash): void {
  for (const event of events.decode()) {
    if (event.type === "commandRejected") throw new Error(`refused: ${event.reason}`);
    if (event.type !== "traded") continue;
    hash.add(event.makerOrderId, event.takerOrderId, event.priceTicks, event.quantityLots);
  }
}

/** Coins, markets, a plan with fees, and participants with ample funds. */
function listings(flow: Flow): Command[] {
  const bases = Array.from({ length: flow.shape.markets }, (_, index) => `C${index}`);
  const accountCount = accountCountOf(flow.shape);
  // All endowments together are just below an asset's maximum.
  const endowment = Math.floor(8e15 / accountCount) as Amount;
  return [
    coinListing("USD"),
    ...bases.map(coinListing),
    ...bases.map((base) => marketListing(base, MARKET_TERMS)),
    PLAN_DEFINITION,
    ...Array.from({ length: accountCount }, (_, index) =>
      participantCommands(
        FIRST_ACCOUNT + index,
        `participant ${index}`,
        bases.length + 1,
        endowment,
      ),
    ).flat(),
  ];
}

/** nodejs-order-book: a book per market, without accounts or money. */
export function runPeer(flow: Flow, commands: number): RunResult {
  const books = Array.from({ length: flow.shape.markets }, () => new PeerBook());
  const hash = new FillHash();
  applyToPeer(flow, 0, flow.preload, books, hash);
  const start = nowSeconds();
  applyToPeer(flow, flow.preload, flow.preload + commands, books, hash);
  return { seconds: nowSeconds() - start, commands, trades: hash.trades, hash: hash.value };
}

const PEER_TIME_IN_FORCE = { gtc: "GTC", ioc: "IOC" } as const;

function applyToPeer(
  flow: Flow,
  from: number,
  to: number,
  books: readonly PeerBook[],
  hash: FillHash,
): void {
  const { operations, markets, prices, lots, orderIds } = flow;
  type Options = Parameters<PeerBook["limit"]>[0];
  for (let at = from; at < to; at++) {
    const operation = operations[at];
    const book = books[markets[at]];
    if (operation === CANCEL) {
      book.cancel(String(orderIds[at]));
      continue;
    }
    const id = String(orderIds[at]);
    const result =
      operation === AMEND
        ? book.modify(id, { price: prices[at] })
        : book.limit({
            id,
            side: ((operation & 1) === 1 ? "sell" : "buy") as PeerSide,
            size: lots[at],
            price: prices[at],
            timeInForce: (operation >= IOC_BUY
              ? PEER_TIME_IN_FORCE.ioc
              : PEER_TIME_IN_FORCE.gtc) as Options["timeInForce"],
          });
    if (result.err !== null) throw result.err;
    for (const done of result.done) {
      if (done.id !== id)
        hash.add(Number(done.id), orderIds[at], (done as { price: number }).price, done.size);
    }
    const { partial } = result;
    if (partial !== null && partial.id !== id) {
      hash.add(
        Number(partial.id),
        orderIds[at],
        (partial as { price: number }).price,
        result.partialQuantityProcessed,
      );
    }
  }
}

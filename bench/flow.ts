/**
 * Seeded flows of commands. About 55 % rest, 35 % cancel, 10 % are immediate or cancel; in a flow
 * that swings, half are new, 41 % cancel and 9 % move a resting order to another price. The number
 * of resting orders hovers around a target that is reached before the measured part begins. A flow
 * is made by running a naive book, which determines the trades that must happen: its count of
 * trades and its order-sensitive fill hash are the truth that every contestant must match.
 *
 * Buyers and sellers are different accounts, because the peer's book does not track owners.
 */
import { FillHash, NaiveBook } from "./naive-book.ts";

export const ADD_BUY = 0;
export const ADD_SELL = 1;
export const IOC_BUY = 2;
export const IOC_SELL = 3;
export const CANCEL = 4;
/** The order moves to another price with all of its remaining quantity. */
export const AMEND = 5;

const ACCOUNT_COUNT = 1000;

export interface FlowShape {
  readonly name: string;
  readonly markets: number;
  readonly resting: number;
  /** Ticks from the touch within which orders rest; nearer ones are likelier. */
  readonly spreadTicks: number;
  /** 1 spreads them evenly, more crowds them at the touch. */
  readonly crowding: number;
  /** Largest immediate order; resting ones have up to 100 lots. */
  readonly immediateLots: number;
  /** Half of them buy, half sell; 1000 by default. */
  readonly accountCount?: number;
  /** How far the middle moves; AT_REST if unset. */
  readonly swing?: Swing;
}

interface Swing {
  /** The most that the middle moves per order. */
  readonly stepTicks: number;
  /** The distance from its start at which it turns round. */
  readonly rangeTicks: number;
}

export const FLOWS: readonly FlowShape[] = [
  { name: "one", markets: 1, resting: 10_000, spreadTicks: 400, crowding: 2, immediateLots: 300 },
  {
    name: "deep",
    markets: 1,
    resting: 150_000,
    spreadTicks: 7000,
    crowding: 1.2,
    immediateLots: 600,
  },
  {
    name: "multi",
    markets: 100,
    resting: 100_000,
    spreadTicks: 250,
    crowding: 1.5,
    immediateLots: 600,
  },
  {
    name: "swing",
    markets: 1,
    resting: 3000,
    spreadTicks: 14_000,
    crowding: 1,
    immediateLots: 50,
    swing: { stepTicks: 100, rangeTicks: 12_000 },
  },
];

const MIDDLE_TICKS = 30_000;
const AT_REST: Swing = { stepTicks: 1, rangeTicks: Infinity };

interface Mix {
  readonly immediate: number;
  /** The share of non-immediate orders that cross the touch; immediate ones always do. */
  readonly reaching: number;
  readonly amend: number;
  /** Cancels lean against the drift, so that the book keeps its size. */
  readonly cancelAbove: number;
  readonly cancelBelow: number;
}

const QUIET_MIX: Mix = {
  immediate: 0.1,
  reaching: 0.125,
  amend: 0,
  cancelAbove: 0.4,
  cancelBelow: 0.3,
};
const SWING_MIX: Mix = {
  immediate: 0.02,
  reaching: 0.02,
  amend: 0.09,
  cancelAbove: 0.46,
  cancelBelow: 0.36,
};

/**
 * Commands in columns, in memory that threads share. An order's id is its index among all orders,
 * from 1.
 */
export interface Flow {
  readonly shape: FlowShape;
  readonly operations: Uint8Array;
  readonly markets: Uint16Array;
  readonly prices: Int32Array;
  readonly lots: Int32Array;
  readonly accounts: Int32Array;
  /** The order's own id, or the id of the order to cancel or amend. */
  readonly orderIds: Int32Array;
  /** The number of first commands that fill the book; the rest is measured. */
  readonly preload: number;
  readonly length: number;
  readonly checkpoints: readonly Checkpoint[];
  readonly levels: number;
  readonly shares: Shares;
}

/** Shares of the measured commands. */
interface Shares {
  readonly add: number;
  readonly cancel: number;
  readonly ioc: number;
  readonly amend: number;
}

/** What must have been traded after that many commands. */
export interface Checkpoint {
  readonly commands: number;
  readonly trades: number;
  readonly hash: number;
}

export function accountCountOf(shape: FlowShape): number {
  return shape.accountCount ?? ACCOUNT_COUNT;
}

/** mulberry32 by Tommy Ettinger, public domain. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function makeFlow(shape: FlowShape, commands: number, prefix: number, seed: number): Flow {
  const random = seededRandom(seed);
  const capacity = shape.resting * 2 + commands;
  const accountCount = accountCountOf(shape);
  const flow = {
    operations: new Uint8Array(new SharedArrayBuffer(capacity)),
    markets: new Uint16Array(new SharedArrayBuffer(capacity * 2)),
    prices: sharedInt32(capacity),
    lots: sharedInt32(capacity),
    accounts: sharedInt32(capacity),
    orderIds: sharedInt32(capacity),
  };
  const hash = new FillHash();
  const books = Array.from({ length: shape.markets }, () => new NaiveBook(hash));
  const middles = new Float64Array(shape.markets).fill(MIDDLE_TICKS);
  const live = new LiveOrders(capacity);
  for (const book of books) book.onEnd = (orderId) => live.remove(orderId);
  let at = 0;
  let orderId = 0;

  const mix = shape.swing === undefined ? QUIET_MIX : SWING_MIX;
  const { stepTicks, rangeTicks } = shape.swing ?? AT_REST;
  const moveMiddle = (market: number) => {
    const moved = middles[market] + (random() - 0.5) * 2 * stepTicks;
    const beyond = Math.abs(moved - MIDDLE_TICKS) - rangeTicks;
    middles[market] = beyond > 0 ? moved - 2 * beyond * Math.sign(moved - MIDDLE_TICKS) : moved;
  };
  const ticksAway = () => Math.floor(random() ** shape.crowding * shape.spreadTicks);

  const order = (isImmediate: boolean) => {
    const market = Math.floor(random() * shape.markets);
    const isSell = random() < 0.5;
    moveMiddle(market);
    const away = ticksAway();
    const reachMax = Math.max(4, shape.spreadTicks / (isImmediate ? 15 : 60));
    const reach = isImmediate || random() < mix.reaching ? Math.floor(random() * reachMax) + 2 : 0;
    const distance = reach > 0 ? -reach : away + 1;
    const price = Math.round(middles[market]) + (isSell ? distance : -distance);
    const lots = Math.floor(random() * (isImmediate ? shape.immediateLots : 100)) + 1;
    const owner = Math.floor(random() * (accountCount / 2));
    orderId++;
    flow.operations[at] = (isImmediate ? IOC_BUY : ADD_BUY) + (isSell ? 1 : 0);
    flow.markets[at] = market;
    flow.prices[at] = price;
    flow.lots[at] = lots;
    flow.accounts[at] = isSell ? accountCount / 2 + owner : owner;
    flow.orderIds[at] = orderId;
    at++;
    if (books[market].place(orderId, isSell, price, lots, isImmediate)) {
      live.add(orderId, market);
    }
  };
  const cancel = () => {
    const target = live.pick(random());
    flow.operations[at] = CANCEL;
    flow.markets[at] = live.marketOf(target);
    flow.accounts[at] = 0;
    flow.orderIds[at] = target;
    at++;
    books[live.marketOf(target)].cancel(target);
  };
  // A quote follows the middle, to another price on its side.
  const amend = () => {
    const target = live.pick(random());
    const market = live.marketOf(target);
    const book = books[market];
    const away = ticksAway() + 1;
    const towards = book.isSell(target) ? 1 : -1;
    const price = Math.round(middles[market]) + towards * away;
    flow.operations[at] = AMEND;
    flow.markets[at] = market;
    flow.prices[at] = price === book.priceOf(target) ? price + towards : price;
    flow.orderIds[at] = target;
    if (!book.move(target, flow.prices[at])) live.remove(target);
    at++;
  };

  while (live.count < shape.resting && at < capacity - commands) order(false);
  const preload = at;
  const checkpoints: Checkpoint[] = [];
  const mark = () => {
    checkpoints.push({ commands: at - preload, trades: hash.trades, hash: hash.value });
  };
  mark();
  const counts = { add: 0, cancel: 0, ioc: 0, amend: 0 };
  for (let done = 0; done < commands; done++) {
    const draw = random();
    const cancelShare = live.count > shape.resting ? mix.cancelAbove : mix.cancelBelow;
    if (draw < mix.immediate) {
      order(true);
      counts.ioc++;
    } else if (draw < mix.immediate + cancelShare) {
      cancel();
      counts.cancel++;
    } else if (draw < mix.immediate + cancelShare + mix.amend) {
      amend();
      counts.amend++;
    } else {
      order(false);
      counts.add++;
    }
    if (done + 1 === prefix) mark();
  }
  mark();
  fillAccounts(flow, at);
  return {
    ...flow,
    shape,
    preload,
    length: at,
    checkpoints,
    levels: books.reduce((sum, book) => sum + book.levelCount, 0),
    shares: {
      add: counts.add / commands,
      cancel: counts.cancel / commands,
      ioc: counts.ioc / commands,
      amend: counts.amend / commands,
    },
  };
}

function sharedInt32(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(length * 4));
}

/** A cancel or an amendment comes from the order's owner. */
function fillAccounts(
  flow: Pick<Flow, "operations" | "accounts" | "orderIds">,
  length: number,
): void {
  const owners = new Int32Array(length + 1);
  for (let at = 0; at < length; at++) {
    if (flow.operations[at] >= CANCEL) flow.accounts[at] = owners[flow.orderIds[at]];
    else owners[flow.orderIds[at]] = flow.accounts[at];
  }
}

/** The resting orders, with random selection. */
class LiveOrders {
  count = 0;
  readonly #ids: Int32Array;
  readonly #places: Int32Array;
  readonly #markets: Uint16Array;

  constructor(capacity: number) {
    this.#ids = new Int32Array(capacity);
    this.#places = new Int32Array(capacity + 1).fill(-1);
    this.#markets = new Uint16Array(capacity + 1);
  }

  add(orderId: number, market: number): void {
    this.#places[orderId] = this.count;
    this.#markets[orderId] = market;
    this.#ids[this.count++] = orderId;
  }

  remove(orderId: number): void {
    const place = this.#places[orderId];
    if (place < 0) return;
    const last = this.#ids[--this.count];
    this.#ids[place] = last;
    this.#places[last] = place;
    this.#places[orderId] = -1;
  }

  pick(share: number): number {
    return this.#ids[Math.floor(share * this.count)];
  }

  marketOf(orderId: number): number {
    return this.#markets[orderId];
  }
}

/**
 * The market streams that have listeners. Each message is encoded once for all its listeners.
 * Streams that are sent at intervals share one clock; their messages are made only between commands.
 */
import type { ExchangeEvent } from "#engine/events.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { ChunkedWork } from "../../limits/chunked-work.ts";
import type { Catalogue } from "../../views/catalogue.ts";
import type { Views } from "../../views/views.ts";
import { findMarket } from "../symbols.ts";
import { bookTickerStream, depthStream, partialDepthStream } from "./depth-stream.ts";
import { parseStreamName, type StreamOfAll, type StreamOfMarket } from "./stream-name.ts";
import type { StreamSource, TradesByMarket } from "./stream-source.ts";
import { allWindowTickersStream, windowTickerStream } from "./window-ticker-streams.ts";
import {
  allMiniTickersStream,
  allTickersStream,
  averagePriceStream,
  candleStream,
  miniTickerStream,
  tickerStream,
} from "./ticker-streams.ts";
import { aggregateTradeStream, tradesByMarket, tradeStream } from "./trade-streams.ts";

const TICK_MS = 100;
/** Messages per chunk, counted for each listener: encoding and sending them takes about 2 ms. */
const CHUNK_MESSAGES = 256;
/** Streams per chunk whose messages of a tick are built: a message of the deepest takes some 50 µs. */
const CHUNK_STREAMS = 32;
/**
 * Batches of commands whose messages wait. Beyond that the exchange delivers no further events until
 * some are sent: the listeners then miss nothing, but are sent events later.
 */
const UNSENT_MAX = 256;

/**
 * A message of a stream, which all its listeners share: its JSON text is written once, and each buffer
 * when the first listener needs it.
 */
export interface StreamMessage {
  /** The stream's name. */
  readonly name: string;
  /** The event without an envelope. */
  readonly raw: Buffer;
  /** The event with the stream's name, for connections that listen to several streams. */
  readonly combined: Buffer;
  /** How many messages about the same command the stream has sent before. */
  readonly earlier: number;
}

export interface Listener {
  take(message: StreamMessage): void;
}

interface Stream {
  readonly source: StreamSource;
  readonly listeners: Set<Listener>;
}

export class MarketStreams {
  readonly #views: Views;
  readonly #exchange: Pick<Exchange, "subscribe" | "unsettled">;
  readonly #streams = new Map<string, Stream>();
  /** The streams that send with each command. */
  readonly #commandStreams = new Map<string, Stream>();
  /** Each sends the messages of one batch of commands, or of one tick, in chunks; the oldest first. */
  readonly #unsent: Iterator<void>[] = [];
  /** The streams whose interval is over and whose message is not made yet. */
  readonly #due = new Set<string>();
  #isTickUnsent = false;
  readonly #departures = new ChunkedWork();
  readonly #unsentMax: number;
  #timer: NodeJS.Timeout | undefined;
  #ticks = 0;
  #unsubscribe: (() => void) | undefined;

  constructor(
    views: Views,
    exchange: Pick<Exchange, "subscribe" | "unsettled">,
    unsentMax = UNSENT_MAX,
  ) {
    this.#views = views;
    this.#exchange = exchange;
    this.#unsentMax = unsentMax;
  }

  /** Returns false if there is no such stream or market. */
  add(name: string, listener: Listener): boolean {
    let stream = this.#streams.get(name);
    if (stream === undefined) {
      const source = this.#open(name);
      if (source === undefined) return false;
      stream = { source, listeners: new Set() };
      this.#streams.set(name, stream);
      if (source.onCommands !== undefined) this.#commandStreams.set(name, stream);
      this.#start();
    }
    stream.listeners.add(listener);
    return true;
  }

  remove(name: string, listener: Listener): void {
    const stream = this.#streams.get(name);
    if (stream?.listeners.delete(listener) !== true || stream.listeners.size > 0) return;
    stream.source.close?.();
    this.#streams.delete(name);
    this.#commandStreams.delete(name);
    if (this.#streams.size === 0) this.#stop();
  }

  /** Removes a listener whose connection has closed from these streams, at once or soon. */
  removeAll(names: Iterable<string>, listener: Listener): void {
    this.#departures.add(this.#removeEach(names, listener));
  }

  *#removeEach(names: Iterable<string>, listener: Listener): Generator<void> {
    for (const name of names) {
      this.remove(name, listener);
      yield;
    }
  }

  #open(name: string): StreamSource | undefined {
    const views = this.#views;
    const parsed = parseStreamName(name);
    if (parsed === undefined) return undefined;
    if (parsed.symbol === undefined) {
      return sourceOfAll(views, parsed.stream);
    }
    const market = findMarket(views, parsed.symbol);
    return market && sourceOf(views, market, parsed.stream);
  }

  #start(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
    this.#unsubscribe = this.#exchange.subscribe((events) => this.#onEvents(events));
  }

  /**
   * Only queues the messages: a command's answer must not wait until thousands of trades are sent
   * to hundreds of listeners. Once too many wait, answers do wait, or the queue would grow for as
   * long as trades come faster than they are sent.
   */
  *#onEvents(events: readonly ExchangeEvent[]): Iterable<void> {
    if (this.#commandStreams.size === 0) return;
    this.#sendLater(sendTo(new Map(this.#commandStreams), tradesByMarket(events)));
    while (this.#unsent.length > this.#unsentMax) yield;
  }

  #sendLater(chunks: Iterator<void>): void {
    this.#unsent.push(chunks);
    if (this.#unsent.length === 1) this.#sendChunk();
  }

  #sendChunk(): void {
    // A command's events are never sent in part: some streams read the views.
    const isSettled = this.#exchange.unsettled() === undefined;
    if (isSettled && this.#unsent[0]?.next().done === true) this.#unsent.shift();
    if (this.#unsent.length > 0) setImmediate(() => this.#sendChunk());
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#unsubscribe?.();
    this.#unsent.length = 0;
    this.#due.clear();
    this.#isTickUnsent = false;
  }

  #tick(): void {
    this.#ticks += 1;
    for (const [name, { source }] of this.#streams) {
      if (source.everyMs === 0 || (this.#ticks * TICK_MS) % source.everyMs !== 0) continue;
      this.#due.add(name);
    }
    if (this.#isTickUnsent || this.#due.size === 0) return;
    this.#isTickUnsent = true;
    this.#sendLater(this.#sendDue());
  }

  /**
   * Builds the due messages, and sends them listener by listener, so that those of each are written
   * together: at one tick tens of thousands may be due, of hundreds of streams.
   */
  *#sendDue(): Generator<void> {
    const byListener = new Map<Listener, { message: StreamMessage; stream: Stream }[]>();
    const due = [...this.#due];
    this.#due.clear();
    for (const [at, name] of due.entries()) {
      if (at % CHUNK_STREAMS === CHUNK_STREAMS - 1) yield;
      const stream = this.#streams.get(name);
      stream?.source.tick?.((payload) => {
        const message = messageOf(name, payload, 0);
        for (const listener of stream.listeners) {
          const own = byListener.get(listener);
          if (own === undefined) byListener.set(listener, [{ message, stream }]);
          else own.push({ message, stream });
        }
      });
    }
    this.#isTickUnsent = false;
    let sent = 0;
    for (const [listener, messages] of byListener) {
      for (const { message, stream } of messages) {
        if (stream.listeners.has(listener)) listener.take(message);
      }
      sent += messages.length;
      if (sent < CHUNK_MESSAGES) continue;
      sent = 0;
      yield;
    }
  }
}

/** Sends one chunk with each call of `next`. */
function* sendTo(streams: ReadonlyMap<string, Stream>, trades: TradesByMarket): Generator<void> {
  let sent = 0;
  for (const [name, { listeners, source }] of streams) {
    let last = { sequence: 0, earlier: 0 };
    for (const { payload, sequence } of source.onCommands?.(trades) ?? []) {
      if (listeners.size === 0) break;
      last = { sequence, earlier: sequence === last.sequence ? last.earlier + 1 : 0 };
      send(name, listeners, payload, last.earlier);
      sent += 1 + listeners.size;
      if (sent < CHUNK_MESSAGES) continue;
      sent = 0;
      yield;
    }
  }
}

function send(
  name: string,
  listeners: ReadonlySet<Listener>,
  payload: unknown,
  earlier: number,
): void {
  const message = messageOf(name, payload, earlier);
  for (const listener of listeners) listener.take(message);
}

function messageOf(name: string, payload: unknown, earlier: number): StreamMessage {
  const text = JSON.stringify(payload);
  let raw: Buffer | undefined;
  let combined: Buffer | undefined;
  return {
    name,
    earlier,
    get raw() {
      return (raw ??= Buffer.from(text));
    },
    get combined() {
      return (combined ??= Buffer.from(`{"stream":${JSON.stringify(name)},"data":${text}}`));
    },
  };
}

function sourceOfAll(views: Views, stream: StreamOfAll): StreamSource {
  switch (stream.kind) {
    case "allTickers":
      return allTickersStream(views);
    case "allMiniTickers":
      return allMiniTickersStream(views);
    case "allWindowTickers":
      return allWindowTickersStream(views, stream.window);
    default:
      return stream satisfies never;
  }
}

function sourceOf(
  views: Views,
  market: ReturnType<Catalogue["market"]>,
  stream: StreamOfMarket,
): StreamSource {
  switch (stream.kind) {
    case "trade":
      return tradeStream(market);
    case "aggTrade":
      return aggregateTradeStream(market);
    case "miniTicker":
      return miniTickerStream(views, market);
    case "ticker":
      return tickerStream(views, market);
    case "windowTicker":
      return windowTickerStream(views, market, stream.window);
    case "bookTicker":
      return bookTickerStream(views, market);
    case "avgPrice":
      return averagePriceStream(views, market);
    case "kline":
      return candleStream(views, market, stream.interval);
    case "depth":
      return depthStream(views, market, stream.everyMs);
    case "partialDepth":
      return partialDepthStream(views, market, stream);
    default:
      return stream satisfies never;
  }
}

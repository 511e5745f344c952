/** A connection to the market streams: its subscriptions and its requests. */
import type { FaultLab } from "../fault-lab/fault-lab.ts";
import { type ClientSocket, POLICY, type SocketUser } from "../sockets/client-socket.ts";
import { DelayedMessages } from "../sockets/delayed-messages.ts";
import type { ListenKeyStreams } from "../user-data/listen-key-streams.ts";
import type { Listener, MarketStreams, StreamMessage } from "./market-streams.ts";
import {
  encodeError,
  encodeResult,
  parseStreamRequest,
  type StreamRequest,
  StreamRequestError,
} from "./stream-requests.ts";

/**
 * The most streams of one connection
 * (https://developers.binance.com/docs/binance-spot-api-docs/web-socket-streams).
 */
const STREAMS_MAX = 1_024;
/** Five requests a second, as at Binance, with bursts of twenty. */
export const STREAM_REQUEST_RATE = { capacity: 20, windowMs: 4_000 } as const;

/** The streams that a connection's URL names. */
export interface RequestedStreams {
  readonly names: readonly string[];
  /** Whether messages contain the stream's name. */
  readonly isCombined: boolean;
}

type Socket = Pick<
  ClientSocket,
  "addWaiting" | "address" | "apiKey" | "close" | "inTurn" | "isOpen" | "send" | "userId"
> & { hasReceived: boolean };

interface StreamClientOptions {
  readonly streams: Pick<MarketStreams, "add" | "remove" | "removeAll">;
  readonly listenKeyStreams: Pick<ListenKeyStreams, "follow">;
  readonly requested: RequestedStreams;
  readonly lab: Pick<FaultLab, "trafficOf">;
}

export class StreamClient implements Listener, SocketUser {
  readonly #socket: Socket;
  readonly #streams: StreamClientOptions["streams"];
  readonly #listenKeyStreams: StreamClientOptions["listenKeyStreams"];
  readonly #lab: StreamClientOptions["lab"];
  readonly #messages: DelayedMessages;
  readonly #names = new Set<string>();
  /** The functions that end the user data of each listen key among the names. */
  readonly #endByListenKey = new Map<string, () => void>();
  #isCombined: boolean;

  constructor(socket: Socket, { lab, listenKeyStreams, requested, streams }: StreamClientOptions) {
    const { isCombined, names } = requested;
    this.#socket = socket;
    this.#streams = streams;
    this.#listenKeyStreams = listenKeyStreams;
    this.#lab = lab;
    this.#messages = new DelayedMessages(socket);
    this.#isCombined = isCombined;
    socket.hasReceived = names.length > 0;
    const missing = names.find((name) => !this.#subscribe(name));
    if (missing === undefined) return;
    this.onClosing();
    socket.close(POLICY, `There is no stream ${missing.slice(0, 60)}.`);
  }

  take(message: StreamMessage): void {
    if (!this.#socket.isOpen) return;
    const traffic = this.#lab.trafficOf(this.#socket.apiKey);
    const delayMs = traffic === undefined ? 0 : traffic.delayOf(message.name);
    if (delayMs === undefined) return;
    const data = this.#isCombined ? message.combined : message.raw;
    this.#messages.send(data, delayMs, message.earlier);
  }

  onText(text: string): void {
    this.#socket.addWaiting(text.length);
    void this.#inTurn(text);
  }

  onClosing(): void {
    for (const end of this.#endByListenKey.values()) end();
    this.#endByListenKey.clear();
    this.#streams.removeAll([...this.#names], this);
    this.#names.clear();
    this.#messages.clear();
  }

  onShutdown(event: string): void {
    const data = this.#isCombined ? `{"stream":"!serverShutdown","data":${event}}` : event;
    this.#socket.send(data);
  }

  async #inTurn(text: string): Promise<void> {
    try {
      await this.#socket.inTurn(() => this.#onRequest(text));
    } finally {
      this.#socket.addWaiting(-text.length);
    }
  }

  #onRequest(text: string): void {
    // The connection may have closed before its turn; a subscription would then never end.
    if (!this.#socket.isOpen) return;
    try {
      const asked = parseStreamRequest(text);
      this.#reply(encodeResult(asked.id, this.#answer(asked)));
    } catch (error) {
      if (!(error instanceof StreamRequestError)) throw error;
      this.#reply(encodeError(error));
    }
  }

  #reply(text: string): void {
    this.#messages.send(text, this.#lab.trafficOf(this.#socket.apiKey)?.latencyMs() ?? 0);
  }

  #answer(asked: StreamRequest): unknown {
    switch (asked.method) {
      case "SUBSCRIBE": {
        for (const name of asked.params) {
          if (this.#subscribe(name)) continue;
          const shown = JSON.stringify(name.slice(0, 60));
          const message = `Invalid request: there is no stream ${shown}, or this connection has too many`;
          throw new StreamRequestError(2, message, asked.id);
        }
        return null;
      }
      case "UNSUBSCRIBE":
        for (const name of asked.params) this.#unsubscribe(name);
        return null;
      case "LIST_SUBSCRIPTIONS":
        return [...this.#names];
      case "SET_PROPERTY":
        [, this.#isCombined] = asked.params;
        return null;
      case "GET_PROPERTY":
        return this.#isCombined;
      default:
        return asked satisfies never;
    }
  }

  #subscribe(name: string): boolean {
    if (this.#names.has(name)) return true;
    if (this.#names.size >= STREAMS_MAX) return false;
    if (!this.#streams.add(name, this) && !this.#followListenKey(name)) return false;
    this.#names.add(name);
    return true;
  }

  #unsubscribe(name: string): void {
    if (!this.#names.delete(name)) return;
    const end = this.#endByListenKey.get(name);
    if (end === undefined) {
      this.#streams.remove(name, this);
      return;
    }
    this.#endByListenKey.delete(name);
    end();
  }

  /** Returns false if the name is no listen key for this connection, or its user has too many subscriptions. */
  #followListenKey(name: string): boolean {
    const end = this.#listenKeyStreams.follow(name, this.#socket, (event, delayMs, earlier) => {
      const data = this.#isCombined ? `{"stream":"${name}","data":${event}}` : event;
      this.#messages.send(data, delayMs, earlier);
    });
    if (end !== undefined) this.#endByListenKey.set(name, end);
    return end !== undefined;
  }
}

const STREAMS_URL = /^\/(?:ws(?:[/?]|$)|stream(?:\?|$))/;

/** Whether it is `/ws`, `/ws/<names>` or `/stream?streams=<names>`. */
export function isStreamsUrl(url: string): boolean {
  return STREAMS_URL.test(url);
}

/** @param url path and query, for which `isStreamsUrl` is true */
export function requestedStreamsOf(url: string): RequestedStreams {
  const [path, query = ""] = url.split("?", 2);
  if (path === "/stream") {
    const text = new URLSearchParams(query).get("streams") ?? "";
    return { names: namesIn(text), isCombined: true };
  }
  const text = decoded(path.slice("/ws/".length));
  // Some clients put a number of the connection instead of names.
  return { names: /^\d+$/.test(text) ? [] : namesIn(text), isCombined: false };
}

function namesIn(text: string): string[] {
  return [...new Set(text.split("/").filter((name) => name !== ""))];
}

/** Returned unchanged if it is not valid percent-encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

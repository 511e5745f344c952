/**
 * One WebSocket of a program: what it may send, what may wait for it, and how it ends. A client that
 * does not read is disconnected with a reason: no message is ever left out.
 */
import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import type { ClientKey } from "../../limits/client-key.ts";
import { limitBytesAfterClose } from "../../limits/closing-socket.ts";
import type { Occupant } from "../../limits/connection-places.ts";
import type { Holding } from "../../limits/held-bytes.ts";
import { receivingMs } from "../../limits/reading-in-turn.ts";
import { ThrottleWait } from "../../limits/rest-wait.ts";
import { type RateLimit, TokenBucket } from "../../limits/token-bucket.ts";
import { RecentWork, type WorkShares } from "../../limits/work-shares.ts";

const PING_EVERY_MS = 20_000;
const PONG_WITHIN_MS = 60_000;
const LASTS_MS = 24 * 60 * 60_000;
/** What may wait for a client to read it. */
const UNREAD_BYTES_MAX = 2 * 1_048_576;
/** Below this the socket's own buffers are not counted: they are in transit. */
const HELD_BYTES_MIN = 64 * 1_024;
/** Messages of one turn of the event loop are written together up to this size. */
const GATHERED_BYTES_MAX = 16 * 1_024;
/** The most control frames between two pings. */
const CONTROL_FRAMES_MAX = 100;
/** For the closing handshake. */
const GOODBYE_MS = 2_000;

export const POLICY = 1008;
const GOING_AWAY = 1001;
const COME_LATER = 1013;
const NOT_TEXT = 1003;

/** What a connection is for. */
export interface SocketUser {
  onText(text: string): void;
  /** Nothing is sent any more. May be called twice. */
  onClosing(): void;
}

export interface ClientSocketOptions {
  readonly address: string;
  /** Of messages that the client sends. */
  readonly rate: RateLimit;
  readonly holding: Holding;
  /** Of a monotonic clock. */
  readonly nowMs: () => number;
  /** Whose turns it takes. */
  readonly client: ClientKey;
  readonly shares: WorkShares;
  /** A message is sent, after so many about the same command. False if the client gets more than it may. */
  readonly onSent: (earlier: number) => boolean;
  readonly onClosed: () => void;
}

export class ClientSocket implements Occupant {
  readonly address: string;
  /** Of the key that it has shown, if it has one. */
  userId: string | undefined;
  /** The key that it named last; nobody has verified it. */
  apiKey: string | undefined;
  hasSpoken = false;
  lastMessageMs: number;
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  readonly #options: ClientSocketOptions;
  readonly #bucket = new TokenBucket();
  readonly #work = new RecentWork();
  readonly #throttleWait: ThrottleWait;
  readonly #openedMs: number;
  #user: SocketUser | undefined;
  #lastPongMs: number;
  #controlFrames = 0;
  /** Of requests that wait for their answers. */
  #waitingBytes = 0;
  /** While messages of one turn of the event loop are gathered. */
  #isGathering = false;

  /** @param socket the stream below, for its bytes */
  constructor(ws: WebSocket, socket: Socket, options: ClientSocketOptions) {
    this.#ws = ws;
    this.#socket = socket;
    this.#options = options;
    this.#throttleWait = new ThrottleWait(options.shares, () => this.#readOn());
    this.address = options.address;
    this.lastMessageMs = this.#lastPongMs = this.#openedMs = options.nowMs();
    ws.on("message", (data, isBinary) => this.#take(data as Buffer, isBinary));
    ws.on("ping", () => this.#onControlFrame());
    ws.on("pong", () => {
      this.#lastPongMs = options.nowMs();
      this.#onControlFrame();
    });
    // The close event follows and cleans up; bad frames end here.
    ws.on("error", () => {});
    ws.on("close", () => {
      this.#user?.onClosing();
      this.#throttleWait.close();
      options.holding.close();
      options.onClosed();
    });
    socket.prependListener("data", (chunk: Buffer) => {
      options.shares.charge(options.client, receivingMs(chunk.length), this.#work);
      this.#readInTurn();
    });
    // What it has read by now is held no longer.
    socket.on("drain", () => this.#count());
    limitBytesAfterClose(ws, socket);
  }

  /** Call it once, before anything arrives. */
  serve(user: SocketUser): void {
    this.#user = user;
  }

  get ageMs(): number {
    return this.#options.nowMs() - this.#openedMs;
  }

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN;
  }

  /** @param earlier how many messages about the same command were sent before */
  send(data: Buffer | string, earlier = 0): void {
    if (!this.isOpen) return;
    if (!this.#options.onSent(earlier)) {
      this.close(POLICY, "This address gets more messages than it may; listen to less.");
      return;
    }
    if (!this.#isGathering) {
      this.#isGathering = true;
      this.#socket.cork();
      process.nextTick(() => this.#write());
    }
    this.#ws.send(data, { binary: false });
    if (this.#ws.bufferedAmount > GATHERED_BYTES_MAX) this.#write();
  }

  /** Does work that the client asked for, in its turn. It may have closed by then. */
  inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const { client, shares } = this.#options;
    return shares.schedule(client, work, this.#work);
  }

  /** Counts what is kept for a request that waits; a negative number once it is answered. */
  addWaiting(bytes: number): void {
    this.#waitingBytes += bytes;
    this.#count();
  }

  giveUpPlace(): void {
    this.close(COME_LATER, "Too many connections; come back later.");
  }

  /** Call it every 20 seconds: pings, and ends a connection that is dead or a day old. */
  keepAlive(): void {
    this.#controlFrames = 0;
    const nowMs = this.#options.nowMs();
    if (nowMs - this.#lastPongMs > PONG_WITHIN_MS + PING_EVERY_MS) this.terminate();
    else if (nowMs - this.#openedMs > LASTS_MS) {
      this.close(GOING_AWAY, "A connection lasts 24 hours.");
    } else if (this.isOpen) this.#ws.ping(randomBytes(4));
  }

  /** @param reason cut to fit into a close frame */
  close(code: number, reason: string): void {
    this.#user?.onClosing();
    // Paused, the socket would never receive the client's half of the handshake.
    this.#readOn();
    this.#ws.close(code, fitting(reason));
    setTimeout(() => this.terminate(), GOODBYE_MS).unref();
  }

  terminate(): void {
    this.#user?.onClosing();
    this.#options.holding.close();
    this.#ws.terminate();
  }

  #take(data: Buffer, isBinary: boolean): void {
    if (!this.isOpen) return;
    const nowMs = this.#options.nowMs();
    this.hasSpoken = true;
    this.lastMessageMs = nowMs;
    const { rate } = this.#options;
    if (this.#bucket.waitMs(rate, 1, nowMs) > 0) {
      const perSecond = (rate.capacity * 1_000) / rate.windowMs;
      this.close(POLICY, `Too many messages: at most ${perSecond} a second.`);
      return;
    }
    this.#bucket.take(rate, 1, nowMs);
    if (isBinary) this.close(NOT_TEXT, "Requests are text.");
    else this.#user?.onText(data.toString("utf8"));
  }

  /** A client at rest is not read from. */
  #readInTurn(): void {
    if (this.isOpen && this.#throttleWait.begin(this.#options.client, this.#work)) this.#ws.pause();
  }

  #readOn(): void {
    if (this.#ws.isPaused) this.#ws.resume();
  }

  /**
   * Writes what was gathered: an order's answer and the events of its account, or the answers to several
   * requests, are one call of the system in place of one each.
   */
  #write(): void {
    if (!this.#isGathering) return;
    this.#isGathering = false;
    this.#socket.uncork();
    if (!this.isOpen) return;
    this.#count();
    if (this.#ws.bufferedAmount <= UNREAD_BYTES_MAX) return;
    // The reason stands behind all that it has not read; a client that reads nothing is cut off.
    this.close(POLICY, "The connection is too slow: messages would have to be left out.");
  }

  #count(): void {
    if (!this.isOpen) return;
    const bytes = this.#ws.bufferedAmount + this.#waitingBytes;
    this.#options.holding.set(bytes > HELD_BYTES_MIN ? bytes : 0);
  }

  #onControlFrame(): void {
    if (++this.#controlFrames === CONTROL_FRAMES_MAX) this.terminate();
  }
}

/** A close frame has room for 123 bytes; the library takes no more. */
function fitting(reason: string): string {
  return Buffer.from(reason)
    .subarray(0, 120)
    .toString()
    .replace(/\uFFFD$/, "");
}

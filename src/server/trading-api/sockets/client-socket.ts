/**
 * One WebSocket of a program, with limits on the data that it may send and that may be queued for it. A
 * client that does not read is disconnected with a reason: no message is ever dropped.
 */
import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import type { ClientKey } from "../../limits/client-key.ts";
import { limitBytesAfterClose } from "../../limits/closing-socket.ts";
import type { Occupant } from "../../limits/connection-slots.ts";
import type { Holding } from "../../limits/held-bytes.ts";
import { receivingMs } from "../../limits/reading-in-turn.ts";
import { ThrottleWait } from "../../limits/throttle-wait.ts";
import { type RateLimit, TokenBucket } from "../../limits/token-bucket.ts";
import { RecentWork } from "../../limits/recent-work.ts";
import type { WorkShares } from "../../limits/work-shares.ts";

const PING_EVERY_MS = 20_000;
const PONG_WITHIN_MS = 60_000;
const LIFETIME_MS = 24 * 60 * 60_000;
/** The most bytes that may be queued for a client. */
const UNREAD_BYTES_MAX = 2 * 1_048_576;
/** Smaller amounts are in transit in the socket's own buffers and are not counted. */
const HELD_BYTES_MIN = 64 * 1_024;
/** Messages of one turn of the event loop are written together up to this size. */
const GATHERED_BYTES_MAX = 16 * 1_024;
/** The most control frames that a client may send between two pings. */
const CONTROL_FRAMES_MAX = 100;
/** Time for the closing handshake. */
const CLOSE_HANDSHAKE_MS = 2_000;

export const POLICY = 1008;
const GOING_AWAY = 1001;
const TRY_AGAIN_LATER = 1013;
const NOT_TEXT = 1003;

/** The handler of a connection. */
export interface SocketUser {
  onText(text: string): void;
  /** Called when nothing is sent any more, possibly twice. */
  onClosing(): void;
  /** Called with the event to send when the server is about to stop. */
  onShutdown(event: string): void;
}

export interface ClientSocketOptions {
  readonly address: string;
  /** Whether a page in a browser opened it. */
  readonly isOfPage: boolean;
  /** The rate limit of the client's messages. */
  readonly rate: RateLimit;
  readonly holding: Holding;
  /** A monotonic clock. */
  readonly nowMs: () => number;
  /** The client whose turns the connection's work takes. */
  readonly client: ClientKey;
  readonly shares: WorkShares;
  /**
   * Called for each message sent, with the number of earlier messages about the same command.
   * Returns false if the client exceeds its allowance.
   */
  readonly onSent: (earlier: number) => boolean;
  readonly onClosed: () => void;
}

export class ClientSocket implements Occupant {
  readonly address: string;
  readonly isOfPage: boolean;
  /** The owner of the key that the connection has authenticated with, if it has. */
  userId: string | undefined;
  /** The key that the connection named last, not verified. */
  apiKey: string | undefined;
  hasReceived = false;
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
  /** Bytes of requests that have not been answered yet. */
  #waitingBytes = 0;
  /** Whether messages of this turn of the event loop are being gathered. */
  #isGathering = false;

  /** @param socket the underlying stream, for its byte counts */
  constructor(ws: WebSocket, socket: Socket, options: ClientSocketOptions) {
    this.#ws = ws;
    this.#socket = socket;
    this.#options = options;
    this.#throttleWait = new ThrottleWait(options.shares, () => this.#readOn());
    this.address = options.address;
    this.isOfPage = options.isOfPage;
    this.lastMessageMs = this.#lastPongMs = this.#openedMs = options.nowMs();
    ws.on("message", (data, isBinary) => this.#onMessage(data as Buffer, isBinary));
    ws.on("ping", () => this.#onControlFrame());
    ws.on("pong", () => {
      this.#lastPongMs = options.nowMs();
      this.#onControlFrame();
    });
    // The close event follows and cleans up; protocol errors end here as well.
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
    // Bytes that the client has read are no longer held.
    socket.on("drain", () => this.#count());
    limitBytesAfterClose(ws, socket);
  }

  /** Must be called once, before the first message arrives. */
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

  /**
   * Does work that the client requested, in its turn: at once unless it is throttled. The connection may
   * have closed by then.
   */
  inTurn<T>(work: () => T | Promise<T>): T | Promise<T> {
    const { client, shares } = this.#options;
    return shares.inTurn(client, work, this.#work);
  }

  /** Counts the bytes of an unanswered request; negative once it is answered. */
  addWaiting(bytes: number): void {
    this.#waitingBytes += bytes;
    this.#count();
  }

  evict(): void {
    this.close(TRY_AGAIN_LATER, "Too many connections; come back later.");
  }

  /**
   * Must be called every 20 seconds: pings the client and closes a connection that is dead or a day
   * old.
   */
  keepAlive(): void {
    this.#controlFrames = 0;
    const nowMs = this.#options.nowMs();
    if (nowMs - this.#lastPongMs > PONG_WITHIN_MS + PING_EVERY_MS) this.terminate();
    else if (nowMs - this.#openedMs > LIFETIME_MS) {
      this.close(GOING_AWAY, "A connection lasts 24 hours.");
    } else if (this.isOpen) this.#ws.ping(randomBytes(4));
  }

  /** Sends the event that the server is about to stop, and closes the connection. */
  shutDown(event: string): void {
    this.#user?.onShutdown(event);
    this.close(GOING_AWAY, "The server is going away.");
  }

  /** @param reason shortened to fit into a close frame */
  close(code: number, reason: string): void {
    this.#user?.onClosing();
    // A paused socket would never receive the client's close frame.
    this.#readOn();
    this.#ws.close(code, fitting(reason));
    setTimeout(() => this.terminate(), CLOSE_HANDSHAKE_MS).unref();
  }

  terminate(): void {
    this.#user?.onClosing();
    this.#options.holding.close();
    this.#ws.terminate();
  }

  #onMessage(data: Buffer, isBinary: boolean): void {
    if (!this.isOpen) return;
    const nowMs = this.#options.nowMs();
    this.hasReceived = true;
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

  /** Pauses reading while the client is throttled. */
  #readInTurn(): void {
    if (this.isOpen && this.#throttleWait.begin(this.#options.client, this.#work)) this.#ws.pause();
  }

  #readOn(): void {
    if (this.#ws.isPaused) this.#ws.resume();
  }

  /**
   * Writes the gathered messages in one system call, such as an order's answer with its account's
   * events, or the answers to several requests.
   */
  #write(): void {
    if (!this.#isGathering) return;
    this.#isGathering = false;
    this.#socket.uncork();
    if (!this.isOpen) return;
    this.#count();
    if (this.#ws.bufferedAmount <= UNREAD_BYTES_MAX) return;
    // The close frame is queued behind all unread messages; a client that reads nothing is
    // disconnected without it.
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

/** A close frame has room for 123 bytes of reason; the library refuses more. */
function fitting(reason: string): string {
  return Buffer.from(reason)
    .subarray(0, 120)
    .toString()
    .replace(/\uFFFD$/, "");
}

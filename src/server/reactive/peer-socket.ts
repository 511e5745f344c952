/** A WebSocket with back-pressure in both directions and keep-alives. */
import type { Socket } from "node:net";
import type { RawData, WebSocket } from "ws";
import type { Holding } from "../limits/held-bytes.ts";
import { limitBytesAfterClose } from "../limits/closing-socket.ts";
import { encodeTransitionChunks, PING } from "./messages.ts";
import { UnansweredBytes } from "./unanswered-bytes.ts";

/**
 * A client with more unsent bytes is congested: it reads too slowly, and nothing more is read from
 * it or sent to it for now.
 */
const CONGESTED_BYTES = 256 * 1024;
/** A congested client that reads nothing for this long is closed. */
const DRAIN_MS_MAX = 30_000;
/** Fewer unsent bytes are in transit and not counted as held. */
const HELD_BYTES_MIN = 64 * 1024;
/** The memory overhead of each chunk of an incomplete message. */
const CHUNK_OVERHEAD_BYTES = 256;
/** Longer frames are split if the client can join them. */
const TRANSITION_LENGTH_MAX = 5_000_000;
const SILENCE_MS_MAX = 120_000;
/**
 * Maximum of pings and pongs between two keep-alives. A client sends one or two; receiving
 * thousands costs time that is charged to no client.
 */
const CONTROL_FRAMES_MAX = 100;
/** The client disconnects after 60 s without a message. */
const QUIET_MS_MAX = 15_000;

export interface PeerEvents {
  /** Called when bytes have arrived. */
  onBytes(length: number): void;
  onText(data: Buffer): void;
  onBinary(): void;
  /** Called when a socket that was congested or had no room may send again. */
  onRoom(): void;
  onClosed(): void;
}

export interface PeerOptions {
  readonly clock: () => number;
  /** Whether the client understands TransitionChunk. */
  readonly joinsChunks: boolean;
  /** The memory held for the client. */
  readonly holding: Holding;
}

export class PeerSocket {
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  readonly #options: PeerOptions;
  #lastActivityMs: number;
  #lastSentMs: number;
  #chunkedCount = 0;
  /** Bytes of an incomplete message. */
  #partialBytes = 0;
  #waitingBytes = 0;
  #busy = false;
  #controlFrames = 0;
  readonly #unanswered = new UnansweredBytes();

  /**
   * @param socket the underlying stream, for its bytes and its drain event, which `ws` does not
   * expose
   */
  constructor(ws: WebSocket, socket: Socket, options: PeerOptions, events: PeerEvents) {
    this.#ws = ws;
    this.#socket = socket;
    this.#options = options;
    this.#lastActivityMs = this.#lastSentMs = options.clock();
    ws.on("message", (data, isBinary) => {
      this.#noteActivity();
      this.#partialBytes = 0;
      // Frames in transit may arrive during the closing handshake.
      if (!this.isOpen) return;
      if (isBinary) events.onBinary();
      else events.onText(bufferOf(data));
      this.#count();
    });
    ws.on("ping", () => this.#onControlFrame());
    ws.on("pong", (payload) => {
      const hadRoom = this.#unanswered.hasRoom;
      if (!this.#unanswered.onPong(payload)) {
        this.#onControlFrame();
        return;
      }
      this.#noteActivity();
      if (!hadRoom && this.hasRoom && this.isOpen) events.onRoom();
    });
    // Invalid frames cause an error; the close event that follows cleans up.
    ws.on("error", () => {});
    ws.on("close", () => {
      options.holding.close();
      events.onClosed();
    });
    // Called before the messages that end in this chunk.
    socket.prependListener("data", (chunk: Buffer) => {
      this.#partialBytes += chunk.length + CHUNK_OVERHEAD_BYTES;
      events.onBytes(chunk.length);
      if (this.#partialBytes > HELD_BYTES_MIN) this.#count();
    });
    limitBytesAfterClose(ws, socket);
    socket.on("drain", () => {
      this.#noteActivity();
      socket.setTimeout(0);
      this.#count();
      this.#regulate();
      if (this.isOpen) events.onRoom();
    });
    // A congested client is neither read from nor sent to, so its socket counts as active if it
    // reads some of the buffered data.
    socket.on("timeout", () => {
      if (this.isCongested) this.terminate();
    });
  }

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN;
  }

  get isCongested(): boolean {
    return this.#ws.bufferedAmount > CONGESTED_BYTES;
  }

  /**
   * Whether the current state may be sent: the client has received most of the data sent before.
   * Otherwise the state would arrive late, behind older ones.
   */
  get hasRoom(): boolean {
    return !this.isCongested && this.#unanswered.hasRoom;
  }

  send(text: string): void {
    if (!this.isOpen) return;
    const ping = this.#unanswered.add(Buffer.byteLength(text));
    if (ping === undefined) {
      this.#ws.send(text);
    } else {
      // Both in one system call.
      this.#socket.cork();
      this.#ws.send(text);
      this.#ws.ping(ping);
      this.#socket.uncork();
    }
    this.#lastSentMs = this.#options.clock();
    if (this.#ws.bufferedAmount <= HELD_BYTES_MIN) return;
    this.#count();
    if (!this.isCongested) return;
    this.#socket.setTimeout(DRAIN_MS_MAX);
    this.#regulate();
  }

  sendTransition(text: string): void {
    if (text.length <= TRANSITION_LENGTH_MAX || !this.#options.joinsChunks) {
      this.send(text);
      return;
    }
    const transitionId = String(++this.#chunkedCount);
    for (const chunk of encodeTransitionChunks(text, transitionId)) this.send(chunk);
  }

  /**
   * Sets the amount of messages that wait to be handled.
   * @param busy stops reading while too many of the client's messages wait
   * @param waitingBytes size of these messages
   */
  setWaiting(busy: boolean, waitingBytes: number): void {
    this.#waitingBytes = waitingBytes;
    this.#count();
    if (this.#busy === busy) return;
    this.#busy = busy;
    this.#regulate();
  }

  /** Sends pings and closes a dead connection; call every few seconds. */
  keepAlive(): void {
    this.#controlFrames = 0;
    // A congested client would get a ping only after all buffered data: it is judged by the bytes that it
    // reads.
    if (!this.isOpen || this.isCongested) return;
    const nowMs = this.#options.clock();
    if (nowMs - this.#lastActivityMs > SILENCE_MS_MAX) {
      this.terminate();
      return;
    }
    this.#ws.ping();
    if (nowMs - this.#lastSentMs >= QUIET_MS_MAX) this.send(PING);
  }

  /** @param reason truncated to fit into a close frame */
  close(code: number, reason: string): void {
    // A paused socket would never receive the client's half of the handshake.
    if (this.#ws.isPaused) this.#ws.resume();
    this.#ws.close(
      code,
      Buffer.from(reason)
        .subarray(0, 120)
        .toString()
        .replace(/\uFFFD$/, ""),
    );
  }

  terminate(): void {
    this.#options.holding.close();
    this.#ws.terminate();
  }

  #noteActivity(): void {
    this.#lastActivityMs = this.#options.clock();
  }

  #onControlFrame(): void {
    this.#noteActivity();
    if (++this.#controlFrames === CONTROL_FRAMES_MAX) this.terminate();
  }

  #count(): void {
    if (!this.isOpen) return;
    const bytes = this.#ws.bufferedAmount + this.#partialBytes + this.#waitingBytes;
    this.#options.holding.set(bytes > HELD_BYTES_MIN ? bytes : 0);
  }

  #regulate(): void {
    if (!this.isOpen) return;
    const stop = this.#busy || this.isCongested;
    if (stop && !this.#ws.isPaused) this.#ws.pause();
    else if (!stop && this.#ws.isPaused) this.#ws.resume();
  }
}

/** A single buffer, while `binaryType` has its default. */
function bufferOf(data: RawData): Buffer {
  return data as Buffer;
}

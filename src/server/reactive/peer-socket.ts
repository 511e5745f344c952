/** One WebSocket with what the protocol asks of it: back-pressure both ways and signs of life. */
import type { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import { encodeTransitionChunks, PING } from "./messages.ts";

/** Above this, answers that can wait for the latest state do. */
const CONGESTED_BYTES = 256 * 1024;
/** Above this, nothing more is read from a client that does not read its answers. */
const STOP_READING_BYTES = 4 * 1024 * 1024;
/** Frames beyond this length are cut in parts where the client can join them. */
const TRANSITION_LENGTH_MAX = 5_000_000;
const SILENCE_MS_MAX = 120_000;
/** The client gives up after 60 s without a message. */
const QUIET_MS_MAX = 15_000;

export interface PeerEvents {
  onText(text: string): void;
  onBinary(): void;
  /** What was sent has left; a congested socket is free again. */
  onDrain(): void;
  onClosed(): void;
}

export class PeerSocket {
  readonly #ws: WebSocket;
  readonly #clock: () => number;
  readonly #joinsChunks: boolean;
  #lastHeardMs: number;
  #lastSentMs: number;
  #chunkedCount = 0;
  #busy = false;

  /**
   * @param socket the stream below, for its drain event, which `ws` does not pass on
   * @param joinsChunks whether the client understands TransitionChunk
   */
  constructor(
    ws: WebSocket,
    socket: Duplex,
    clock: () => number,
    joinsChunks: boolean,
    events: PeerEvents,
  ) {
    this.#ws = ws;
    this.#clock = clock;
    this.#joinsChunks = joinsChunks;
    this.#lastHeardMs = this.#lastSentMs = clock();
    ws.on("message", (data, isBinary) => {
      this.#lastHeardMs = this.#clock();
      // A closing handshake may still deliver what was on its way.
      if (!this.isOpen) return;
      if (isBinary) events.onBinary();
      else events.onText(textOf(data));
    });
    ws.on("pong", () => (this.#lastHeardMs = this.#clock()));
    // The close event follows and does what is to be done; bad frames end here.
    ws.on("error", () => {});
    ws.on("close", () => events.onClosed());
    socket.on("drain", () => {
      this.#lastHeardMs = this.#clock();
      this.#regulate();
      if (this.isOpen) events.onDrain();
    });
  }

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN;
  }

  get isCongested(): boolean {
    return this.#ws.bufferedAmount > CONGESTED_BYTES;
  }

  send(text: string): void {
    if (!this.isOpen) return;
    this.#ws.send(text);
    this.#lastSentMs = this.#clock();
    if (this.#ws.bufferedAmount > STOP_READING_BYTES) this.#regulate();
  }

  sendTransition(text: string): void {
    if (text.length <= TRANSITION_LENGTH_MAX || !this.#joinsChunks) {
      this.send(text);
      return;
    }
    const transitionId = String(++this.#chunkedCount);
    for (const chunk of encodeTransitionChunks(text, transitionId)) this.send(chunk);
  }

  /** Reads nothing more while too many of the client's messages wait. */
  setBusy(busy: boolean): void {
    if (this.#busy === busy) return;
    this.#busy = busy;
    this.#regulate();
  }

  /** Call every few seconds: asks for a sign of life, gives one, and ends a dead connection. */
  keepAlive(): void {
    if (!this.isOpen) return;
    const nowMs = this.#clock();
    if (nowMs - this.#lastHeardMs > SILENCE_MS_MAX) {
      this.#ws.terminate();
      return;
    }
    this.#ws.ping();
    if (nowMs - this.#lastSentMs >= QUIET_MS_MAX) this.send(PING);
  }

  /** @param reason cut to what a close frame can carry */
  close(code: number, reason: string): void {
    // Paused, the client's half of the handshake would never be seen.
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
    this.#ws.terminate();
  }

  #regulate(): void {
    if (!this.isOpen) return;
    const stop = this.#busy || this.#ws.bufferedAmount > STOP_READING_BYTES;
    if (stop && !this.#ws.isPaused) this.#ws.pause();
    else if (!stop && this.#ws.isPaused) this.#ws.resume();
  }
}

/** One buffer, as long as `binaryType` is left as it is. */
function textOf(data: RawData): string {
  return (data as Buffer).toString("utf8");
}

/** A queue that delays the messages of one connection and keeps their order. */
import { type ClientSocket, POLICY } from "./client-socket.ts";

/** The most bytes that may wait in one queue. */
const WAITING_BYTES_MAX = 2 * 1_048_576;

interface Message {
  readonly data: Buffer | string;
  /** When the message is due, unless an earlier message is due later. */
  readonly dueMs: number;
  readonly earlier: number;
}

export class DelayedMessages {
  readonly #socket: Pick<ClientSocket, "addWaiting" | "close" | "send">;
  #queue: Message[] = [];
  #waitingBytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: Pick<ClientSocket, "addWaiting" | "close" | "send">) {
    this.#socket = socket;
  }

  /**
   * @param delayMs 0 sends at once if the queue is empty
   * @param earlier how many messages about the same command were sent before
   */
  send(data: Buffer | string, delayMs: number, earlier = 0): void {
    if (this.#queue.length === 0 && delayMs === 0) {
      this.#socket.send(data, earlier);
      return;
    }
    const dueMs = performance.now() + delayMs;
    this.#queue.push({ data, dueMs, earlier });
    this.#wait(data.length);
    if (this.#waitingBytes > WAITING_BYTES_MAX) {
      this.#socket.close(POLICY, "Too much waits for its latency; listen to less.");
      this.clear();
    } else this.#timer ??= this.#timerFor(dueMs);
  }

  /** Discards all queued messages. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#queue = [];
    this.#wait(-this.#waitingBytes);
  }

  #timerFor(dueMs: number): NodeJS.Timeout {
    return setTimeout(() => this.#sendDue(), dueMs - performance.now()).unref();
  }

  #sendDue(): void {
    // Timers may fire a millisecond early.
    const untilMs = performance.now() + 1;
    const firstLater = this.#queue.findIndex(({ dueMs }) => dueMs > untilMs);
    const due = this.#queue.splice(0, firstLater === -1 ? this.#queue.length : firstLater);
    const next = this.#queue.at(0);
    this.#timer = next && this.#timerFor(next.dueMs);
    this.#wait(-due.reduce((bytes, { data }) => bytes + data.length, 0));
    for (const { data, earlier } of due) this.#socket.send(data, earlier);
  }

  #wait(bytes: number): void {
    if (bytes === 0) return;
    this.#waitingBytes += bytes;
    this.#socket.addWaiting(bytes);
  }
}

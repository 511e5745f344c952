/**
 * Tracks how many of the bytes sent to a client have not arrived yet. The process's own buffers do
 * not show it: the operating system and the network hold megabytes more. So a ping is sent every
 * few kilobytes; the client answers it as soon as it has received everything before it.
 */

/**
 * Bytes after which a ping is sent: fewer while an earlier one is unanswered, because only a slow
 * link needs to know more precisely, and each ping and its answer take some 15 µs.
 */
const PING_EVERY_BYTES = { answered: 4 * 1024, unanswered: 2 * 1024 } as const;
/**
 * While more bytes are unanswered, no state is sent that a later state would replace. At 20 KB/s
 * this many bytes arrive in 0.4 s; with a round trip of half a second they still allow 16 KB/s.
 */
export const UNANSWERED_BYTES_MAX = 8 * 1024;
const PING_ID_BYTES = 4;
/** Maximum of remembered pings: a client may read everything and answer no ping. */
const PINGS_MAX = 64;

export class UnansweredBytes {
  #sentBytes = 0;
  #answeredBytes = 0;
  #pingedBytes = 0;
  /**
   * Ids of the newest ping sent and of the newest ping answered; ids are consecutive and wrap
   * around.
   */
  #lastId = 0;
  #answeredId = 0;
  /** Bytes sent before each of the newest pings, oldest first. */
  readonly #bytesBefore: number[] = [];

  /** Whether the client has received most of the sent data. */
  get hasRoom(): boolean {
    return this.#sentBytes - this.#answeredBytes <= UNANSWERED_BYTES_MAX;
  }

  /**
   * Counts sent bytes.
   * @returns the payload of a ping to send now, undefined if none is due
   */
  add(bytes: number): Buffer | undefined {
    this.#sentBytes += bytes;
    const isAnswered = this.#lastId === this.#answeredId;
    const everyBytes = PING_EVERY_BYTES[isAnswered ? "answered" : "unanswered"];
    if (this.#sentBytes - this.#pingedBytes < everyBytes) return undefined;
    this.#pingedBytes = this.#sentBytes;
    this.#lastId = (this.#lastId + 1) >>> 0;
    if (this.#bytesBefore.push(this.#sentBytes) > PINGS_MAX) this.#bytesBefore.shift();
    const payload = Buffer.allocUnsafe(PING_ID_BYTES);
    payload.writeUInt32LE(this.#lastId);
    return payload;
  }

  /**
   * Processes a pong.
   * @returns false if it answers none of these pings, or a ping that was already answered
   */
  onPong(payload: Buffer): boolean {
    if (payload.length !== PING_ID_BYTES) return false;
    const id = payload.readUInt32LE();
    const after = (this.#lastId - id) >>> 0;
    const unanswered = (this.#lastId - this.#answeredId) >>> 0;
    if (after >= unanswered) return false;
    // A client may answer only the newest of several pings.
    this.#answeredId = id;
    const index = this.#bytesBefore.length - 1 - after;
    if (index < 0) return true;
    this.#answeredBytes = this.#bytesBefore[index];
    this.#bytesBefore.splice(0, index + 1);
    return true;
  }
}

/**
 * How much of what was sent to a client has not arrived yet. The process's own buffers do not tell:
 * the system and the network hold megabytes more. So a ping follows every few kilobytes; the client
 * answers each with a pong as soon as it has received everything before it.
 */

/** A ping follows at least this many bytes. */
const PING_EVERY_BYTES = 2 * 1024;
/**
 * Beyond this nothing is sent that a later state would replace. At 20 KB/s it takes 0.4 s to arrive;
 * with a round trip of half a second it still allows 16 KB/s.
 */
export const UNANSWERED_BYTES_MAX = 8 * 1024;
const PING_ID_BYTES = 4;
/** The newest are remembered: a client may read everything and answer nothing. */
const PINGS_MAX = 64;

export class UnansweredBytes {
  #sentBytes = 0;
  #answeredBytes = 0;
  #pingedBytes = 0;
  /** Of the newest ping sent, and of the newest one answered; they are consecutive and wrap. */
  #lastId = 0;
  #answeredId = 0;
  /** All bytes sent before each of the newest pings, oldest first. */
  readonly #bytesBefore: number[] = [];

  /** Whether the client has received most of what was sent. */
  get hasRoom(): boolean {
    return this.#sentBytes - this.#answeredBytes <= UNANSWERED_BYTES_MAX;
  }

  /** @returns the payload of a ping to send now, undefined if none is due */
  add(bytes: number): Buffer | undefined {
    this.#sentBytes += bytes;
    if (this.#sentBytes - this.#pingedBytes < PING_EVERY_BYTES) return undefined;
    this.#pingedBytes = this.#sentBytes;
    this.#lastId = (this.#lastId + 1) >>> 0;
    if (this.#bytesBefore.push(this.#sentBytes) > PINGS_MAX) this.#bytesBefore.shift();
    const payload = Buffer.allocUnsafe(PING_ID_BYTES);
    payload.writeUInt32LE(this.#lastId);
    return payload;
  }

  /** @returns false for a pong that answers none of these pings, or one that was answered */
  onPong(payload: Buffer): boolean {
    if (payload.length !== PING_ID_BYTES) return false;
    const id = payload.readUInt32LE();
    const after = (this.#lastId - id) >>> 0;
    const unanswered = (this.#lastId - this.#answeredId) >>> 0;
    if (after >= unanswered) return false;
    // A client may answer the newest of several pings only.
    this.#answeredId = id;
    const index = this.#bytesBefore.length - 1 - after;
    if (index < 0) return true;
    this.#answeredBytes = this.#bytesBefore[index];
    this.#bytesBefore.splice(0, index + 1);
    return true;
  }
}

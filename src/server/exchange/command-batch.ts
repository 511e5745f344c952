/** Encoded commands, one after the other, on their way to the engine's worker. */
import type { Command } from "#engine/commands.ts";
import { encodeCommandInto, encodedSizeMax } from "#engine/formats/command-codec.ts";
import { RECORD_PREFIX_BYTES } from "#journal/journal.ts";
import { COMMAND_BYTES_MAX } from "./engine-messages.ts";

const BATCH_BYTES = 64 * 1024;
/** A buffer that has grown beyond this for one large batch is replaced. */
const KEPT_BYTES_MAX = BATCH_BYTES * 64;

export class CommandBatch {
  #bytes = new Uint8Array(BATCH_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /**
   * Adds a command to the batch.
   * @throws RangeError if the command is too large; the batch stays as it was
   */
  add(command: Command, idempotencyKey: string): void {
    const start = this.#length + RECORD_PREFIX_BYTES;
    const needed = start + encodedSizeMax(command, idempotencyKey);
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#setBuffer(larger);
    }
    const length = encodeCommandInto(command, idempotencyKey, this.#bytes, this.#view, start);
    if (length > COMMAND_BYTES_MAX) throw new RangeError("the command is too large");
    this.#view.setUint32(this.#length, length, true);
    this.#length = start + length;
  }

  /** The commands added since the last call, in separate memory; empty if there are none. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    if (this.#bytes.length > KEPT_BYTES_MAX) this.#setBuffer(new Uint8Array(BATCH_BYTES));
    return bytes;
  }

  #setBuffer(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

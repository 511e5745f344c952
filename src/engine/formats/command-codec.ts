/**
 * Commands as bytes, the form in which the journal keeps them for ever. The layout is versioned: a
 * byte 0 other than the version known here is refused, never guessed. Numbers are float64, so that a
 * request is restored bit for bit, and a replay refuses the same commands as the first run.
 *
 *   all     u8 version · u8 type · u8 bytes of the idempotency key · u8 flags · …fields · key
 *   place   f64 account, marketId, priceTicks, quantityLots, quoteAmount · u16 bytes of the client id
 *           · time limit · key · client id
 *   cancel  f64 account, orderId · time limit · key
 *   all     f64 account, marketId · time limit · key   (cancel all)
 *   rest    u32 bytes of the JSON · key · JSON          (rare: catalogue, accounts, funds, and orders
 *           with conditions; JSON has no NaN: the engine refuses its `null` for the same reason)
 *
 * The flags are those of the order (order-flags.ts) and bit 7, which says that a time limit follows
 * the fields: f64 validUntilMs.
 */
import type { Amount, Lots, Ticks } from "../amount.ts";
import type { Command, CommandOf, PlaceOrder } from "../commands.ts";
import {
  orderTypeOfFlags,
  packOrderFlags,
  postOnlyOfFlags,
  sideOfFlags,
  timeInForceOfFlags,
} from "./order-flags.ts";

const COMMAND_FORMAT_VERSION = 1;

export const PLACE = 1;
export const CANCEL = 2;
export const CANCEL_ALL = 3;
const RARE = 4;

const HEADER_BYTES = 4;
export const PLACE_BYTES = HEADER_BYTES + 5 * 8 + 2;
export const CANCEL_BYTES = HEADER_BYTES + 2 * 8;
const RARE_BYTES = HEADER_BYTES + 4;
const HAS_TIME_LIMIT = 128;
const TIME_LIMIT_BYTES = 8;
const KEY_BYTES_MAX = 255;
const CLIENT_ORDER_ID_BYTES_MAX = 65_535;

/** The bytes are not a command of a known version: the journal record is damaged. */
export class CommandFormatError extends Error {
  override readonly name = "CommandFormatError";
}

/**
 * Web standards available in every runtime; declared here because the engine uses no platform
 * types.
 */
declare const TextEncoder: new () => {
  encode(text: string): Uint8Array;
  encodeInto(text: string, target: Uint8Array): { written: number };
};
declare const TextDecoder: new (
  encoding: string,
  options: { fatal: boolean },
) => { decode(bytes: Uint8Array): string };

const textEncoder = new TextEncoder();
const textDecoder = new TextDecoder("utf-8", { fatal: true });

/** An upper bound of the bytes that `encodeCommandInto` writes for this command. */
export function encodedSizeMax(command: Command, idempotencyKey: string): number {
  const keyBytes = idempotencyKey.length * 3;
  if (!isPlain(command)) return RARE_BYTES + keyBytes + JSON.stringify(command).length * 3;
  if (command.type !== "placeOrder") return CANCEL_BYTES + TIME_LIMIT_BYTES + keyBytes;
  return PLACE_BYTES + TIME_LIMIT_BYTES + keyBytes + command.clientOrderId.length * 3;
}

type PlainCommand = PlaceOrder | CommandOf<"cancelOrder"> | CommandOf<"cancelAllOrders">;

/** Whether a fixed layout can hold the command; all other commands are encoded as JSON. */
function isPlain(command: Command): command is PlainCommand {
  switch (command.type) {
    case "placeOrder":
      return command.conditions === undefined;
    case "cancelOrder":
      return true;
    case "cancelAllOrders":
      return command.side === undefined && command.upToOrderId === undefined;
    default:
      return false;
  }
}

/** Encodes the command and its idempotency key into a new array. */
export function encodeCommand(command: Command, idempotencyKey: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(encodedSizeMax(command, idempotencyKey));
  const view = new DataView(bytes.buffer);
  return bytes.slice(0, encodeCommandInto(command, idempotencyKey, bytes, view, 0));
}

/**
 * Writes the command at `offset` and returns how many bytes it took. `view` covers the same memory
 * as `bytes`; there must be room for `encodedSizeMax`. Throws RangeError for a text that is too long
 * for its field: such a command must be refused before it is journalled.
 */
export function encodeCommandInto(
  command: Command,
  idempotencyKey: string,
  bytes: Uint8Array,
  view: DataView,
  offset: number,
): number {
  bytes[offset] = COMMAND_FORMAT_VERSION;
  bytes[offset + 3] = 0;
  if (!isPlain(command)) return encodeRare(command, idempotencyKey, bytes, view, offset);
  view.setFloat64(offset + 4, command.account, true);
  if (command.type !== "placeOrder") {
    const isOne = command.type === "cancelOrder";
    bytes[offset + 1] = isOne ? CANCEL : CANCEL_ALL;
    view.setFloat64(offset + 12, isOne ? command.orderId : command.marketId, true);
    const fixedBytes = writeTimeLimit(command, bytes, view, offset, CANCEL_BYTES);
    return fixedBytes + writeKey(idempotencyKey, bytes, offset, fixedBytes);
  }
  bytes[offset + 1] = PLACE;
  bytes[offset + 3] = packOrderFlags(command);
  view.setFloat64(offset + 12, command.marketId, true);
  view.setFloat64(offset + 20, command.priceTicks, true);
  view.setFloat64(offset + 28, command.quantityLots, true);
  view.setFloat64(offset + 36, command.quoteAmount, true);
  const fixedBytes = writeTimeLimit(command, bytes, view, offset, PLACE_BYTES);
  const keyBytes = writeKey(idempotencyKey, bytes, offset, fixedBytes);
  const idBytes = writeText(command.clientOrderId, bytes, offset + fixedBytes + keyBytes);
  if (idBytes > CLIENT_ORDER_ID_BYTES_MAX) throw new RangeError("the client order id is too long");
  view.setUint16(offset + 44, idBytes, true);
  return fixedBytes + keyBytes + idBytes;
}

/** Writes the time limit. Returns how many bytes the header, the fields and the time limit take. */
function writeTimeLimit(
  { validUntilMs }: PlainCommand,
  bytes: Uint8Array,
  view: DataView,
  offset: number,
  fixedBytes: number,
): number {
  if (validUntilMs === undefined) return fixedBytes;
  bytes[offset + 3] |= HAS_TIME_LIMIT;
  view.setFloat64(offset + fixedBytes, validUntilMs, true);
  return fixedBytes + TIME_LIMIT_BYTES;
}

function encodeRare(
  command: Command,
  idempotencyKey: string,
  bytes: Uint8Array,
  view: DataView,
  offset: number,
): number {
  bytes[offset + 1] = RARE;
  const keyBytes = writeKey(idempotencyKey, bytes, offset, RARE_BYTES);
  const json = textEncoder.encode(JSON.stringify(command));
  bytes.set(json, offset + RARE_BYTES + keyBytes);
  view.setUint32(offset + 4, json.length, true);
  return RARE_BYTES + keyBytes + json.length;
}

function writeKey(key: string, bytes: Uint8Array, offset: number, fixedBytes: number): number {
  const written = key === "" ? 0 : writeText(key, bytes, offset + fixedBytes);
  if (written > KEY_BYTES_MAX) throw new RangeError("the idempotency key is too long");
  bytes[offset + 2] = written;
  return written;
}

function writeText(text: string, bytes: Uint8Array, offset: number): number {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 127) {
      // A lone surrogate would be decoded as another character and make a replay diverge.
      if (!text.isWellFormed()) throw new RangeError("a command's text is not well-formed Unicode");
      return textEncoder.encodeInto(text, bytes.subarray(offset)).written;
    }
    bytes[offset + index] = code;
  }
  return text.length;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Reads commands. The object that `decode` returns is overwritten by the next call for the same
 * kind of command: apply it before decoding the next, or copy it.
 */
export class CommandDecoder {
  /** The idempotency key of the command decoded last. */
  idempotencyKey = "";

  readonly #place: Mutable<PlaceOrder> = {
    type: "placeOrder",
    account: 0,
    marketId: 0,
    side: "buy",
    orderType: "limit",
    timeInForce: "gtc",
    postOnly: false,
    priceTicks: 0 as Ticks,
    quantityLots: 0 as Lots,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
    validUntilMs: undefined,
  };
  readonly #cancel: Mutable<CommandOf<"cancelOrder">> = {
    type: "cancelOrder",
    account: 0,
    orderId: 0,
    validUntilMs: undefined,
  };
  readonly #cancelAll: Mutable<CommandOf<"cancelAllOrders">> = {
    type: "cancelAllOrders",
    account: 0,
    marketId: 0,
    validUntilMs: undefined,
  };

  /**
   * The command in the `length` bytes at `offset`; `view` covers the same memory as `bytes`. Throws
   * `CommandFormatError` if they are not exactly one command.
   */
  decode(bytes: Uint8Array, view: DataView, offset: number, length: number): Command {
    if (length < HEADER_BYTES) throw new CommandFormatError("a command of too few bytes");
    if (bytes[offset] !== COMMAND_FORMAT_VERSION) {
      throw new CommandFormatError(`unknown command format version ${bytes[offset]}`);
    }
    const type = bytes[offset + 1];
    const keyBytes = bytes[offset + 2];
    if (type === RARE) return this.#decodeRare(bytes, view, offset, length, keyBytes);
    if (type !== PLACE && type !== CANCEL && type !== CANCEL_ALL) {
      throw new CommandFormatError(`unknown command type ${type}`);
    }
    const flags = bytes[offset + 3];
    const timeLimitAt = offset + (type === PLACE ? PLACE_BYTES : CANCEL_BYTES);
    const hasTimeLimit = (flags & HAS_TIME_LIMIT) !== 0;
    const fixedBytes = timeLimitAt - offset + (hasTimeLimit ? TIME_LIMIT_BYTES : 0);
    this.#readKey(bytes, offset + fixedBytes, keyBytes, length - fixedBytes);
    const idBytes = type === PLACE ? view.getUint16(offset + 44, true) : 0;
    expectLength(length, fixedBytes + keyBytes + idBytes);
    const validUntilMs = hasTimeLimit ? view.getFloat64(timeLimitAt, true) : undefined;
    const account = view.getFloat64(offset + 4, true);
    const marketOrOrderId = view.getFloat64(offset + 12, true);
    if (type !== PLACE) {
      if (type === CANCEL) this.#cancel.orderId = marketOrOrderId;
      else this.#cancelAll.marketId = marketOrOrderId;
      const cancel = type === CANCEL ? this.#cancel : this.#cancelAll;
      cancel.account = account;
      cancel.validUntilMs = validUntilMs;
      return cancel;
    }
    const place = this.#place;
    place.validUntilMs = validUntilMs;
    place.side = sideOfFlags(flags);
    place.orderType = orderTypeOfFlags(flags);
    place.timeInForce = timeInForceOfFlags(flags);
    place.postOnly = postOnlyOfFlags(flags);
    place.account = account;
    place.marketId = marketOrOrderId;
    place.priceTicks = view.getFloat64(offset + 20, true) as Ticks;
    place.quantityLots = view.getFloat64(offset + 28, true) as Lots;
    place.quoteAmount = view.getFloat64(offset + 36, true) as Amount;
    place.clientOrderId = readText(bytes, offset + fixedBytes + keyBytes, idBytes);
    return place;
  }

  #decodeRare(
    bytes: Uint8Array,
    view: DataView,
    offset: number,
    length: number,
    keyBytes: number,
  ): Command {
    this.#readKey(bytes, offset + RARE_BYTES, keyBytes, length - RARE_BYTES);
    const jsonBytes = view.getUint32(offset + 4, true);
    expectLength(length, RARE_BYTES + keyBytes + jsonBytes);
    const json = readText(bytes, offset + RARE_BYTES + keyBytes, jsonBytes);
    try {
      return JSON.parse(json) as Command;
    } catch (error) {
      throw new CommandFormatError("a command's JSON does not parse", { cause: error });
    }
  }

  #readKey(bytes: Uint8Array, offset: number, keyBytes: number, available: number): void {
    if (keyBytes > available) throw new CommandFormatError("a command of too few bytes");
    this.idempotencyKey = keyBytes === 0 ? "" : readText(bytes, offset, keyBytes);
  }
}

function expectLength(actual: number, expected: number): void {
  if (actual !== expected) {
    throw new CommandFormatError(`a command of ${actual} bytes where ${expected} were expected`);
  }
}

function readText(bytes: Uint8Array, offset: number, length: number): string {
  if (length === 0) return "";
  try {
    return textDecoder.decode(bytes.subarray(offset, offset + length));
  } catch (error) {
    throw new CommandFormatError("a command's text is not UTF-8", { cause: error });
  }
}

/** Decodes one command on its own; for tools and tests. */
export function decodeCommand(bytes: Uint8Array): { command: Command; idempotencyKey: string } {
  const decoder = new CommandDecoder();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const command = decoder.decode(bytes, view, 0, bytes.length);
  return { command, idempotencyKey: decoder.idempotencyKey };
}

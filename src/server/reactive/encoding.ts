/**
 * Encodes values for the wire: JSON with `$integer`, `$float` and `$bytes`, by the official
 * functions where it differs from plain JSON.
 */
import { convexToJson, jsonToConvex } from "convex/values";
import type { JSONValue, Value } from "convex/values";
import type { FunctionResult } from "./executor.ts";

/** A large value that is the answer to many callers; encoded once, for the first of them. */
export class SharedValue<Content = unknown> {
  readonly value: Content;
  #text: string | undefined;

  constructor(value: Content) {
    this.value = value;
  }

  get text(): string {
    return (this.#text ??= encodeValue(this.value));
  }
}

/** A value of which only the encoded text is kept in memory. */
export class EncodedValue {
  readonly text: string;

  /** @throws Error if the wire format cannot represent the value */
  constructor(value: unknown) {
    this.text = encodeValue(value);
  }
}

/**
 * JSON text of a function's value; no value is encoded as null.
 * @throws Error if the wire format cannot represent it
 */
export function encodeValue(value: unknown): string {
  if (value instanceof SharedValue || value instanceof EncodedValue) return value.text;
  return isPlain(value) ? JSON.stringify(value) : encodeSorted(value);
}

/**
 * The same with the fields of each object in alphabetical order.
 * @throws Error if the wire format cannot represent the value
 */
function encodeSorted(value: unknown): string {
  return JSON.stringify(convexToJson((value ?? null) as Value));
}

/**
 * Whether the wire format of a value is its plain JSON. Most answers are plain, and the official
 * function, which copies and sorts, takes four times as long.
 */
function isPlain(value: unknown): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0);
    case "object":
      if (value === null) return true;
      return Array.isArray(value) ? value.every(isPlain) : isPlainObject(value);
    default:
      return false;
  }
}

function isPlainObject(value: object): boolean {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    // Neither encodes a field without a value.
    if (member !== undefined && !(isPlainName(name) && isPlain(member))) return false;
  }
  return true;
}

const FIRST_PRINTABLE = 0x20;
const LAST_PRINTABLE = 0x7e;
const NAME_LENGTH_MAX = 1_024;

function isPlainName(name: string): boolean {
  if (name.startsWith("$") || name === "__proto__" || name.length > NAME_LENGTH_MAX) return false;
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index);
    if (code < FIRST_PRINTABLE || code > LAST_PRINTABLE) return false;
  }
  return true;
}

const DEPTH_MAX = 64;
/**
 * Limit of the arguments of one query as JSON; lower than a call's, because they are kept in
 * memory.
 */
const QUERY_ARGUMENTS_BYTES_MAX = 8_192;
/** The longest quotation of a client's text in an error message. */
const REASON_LENGTH_MAX = 100;

export class BadArgumentsError extends Error {
  /** Structured error data, by which a client can distinguish errors. */
  get data() {
    return { code: "invalidArgument", field: "args", message: this.message };
  }
}

export class ArgumentsTooLargeError extends BadArgumentsError {
  /** @param bytesMax limit of the arguments as JSON */
  constructor(bytesMax: number) {
    super(`The arguments are too large: they may have at most ${bytesMax} bytes.`);
  }

  get result(): FunctionResult & { readonly status: "error" } {
    return { status: "error", message: this.message, data: this.data };
  }
}

/**
 * Decodes a function's arguments: an object in an array of one, or the bare object.
 * @throws BadArgumentsError with a sentence for the caller
 */
export function decodeArguments(sent: unknown): Record<string, unknown> {
  const json = objectOf(sent);
  requireReadable(json, DEPTH_MAX);
  return decode(json);
}

/** @param json must not be nested too deeply */
function decode(json: object): Record<string, unknown> {
  let decoded: unknown;
  try {
    // Throws an error with a sentence if a special value is malformed or a field name reserved.
    decoded = jsonToConvex(json as JSONValue);
  } catch (error) {
    const { message } = error as Error;
    const isLong = message.length > REASON_LENGTH_MAX;
    throw invalidArguments(isLong ? `${message.slice(0, REASON_LENGTH_MAX)}…` : message);
  }
  // `{"$integer": …}` alone is a value, not an object of named arguments.
  if (typeof decoded !== "object" || Object.getPrototypeOf(decoded) !== Object.prototype) {
    throw new BadArgumentsError("The arguments must be one object with named arguments.");
  }
  return decoded as Record<string, unknown>;
}

/**
 * The arguments of a query as JSON text with its length in bytes, within the lower limit of
 * queries. They are decoded when the query is evaluated, which costs far more: see
 * `decodeQueryArguments`.
 * @throws BadArgumentsError with a sentence for the caller
 */
export function queryArgumentsText(sent: unknown): {
  readonly text: string;
  readonly bytes: number;
} {
  const json = objectOf(sent);
  if (!isShorter(json, QUERY_ARGUMENTS_BYTES_MAX)) throw queryArgumentsTooLarge();
  requireReadable(json, DEPTH_MAX);
  const text = JSON.stringify(json);
  const bytes = Buffer.byteLength(text);
  if (bytes > QUERY_ARGUMENTS_BYTES_MAX) throw queryArgumentsTooLarge();
  return { text, bytes };
}

/**
 * Decodes a query's arguments.
 * @param text from `queryArgumentsText`
 * @throws BadArgumentsError with a sentence for the caller
 */
export function decodeQueryArguments(text: string): Record<string, unknown> {
  return decode(JSON.parse(text) as object);
}

function queryArgumentsTooLarge(): BadArgumentsError {
  return new BadArgumentsError(
    `The arguments of a query may have at most ${QUERY_ARGUMENTS_BYTES_MAX} bytes.`,
  );
}

/** Whether the value's JSON may be shorter than `lengthMax`; stops as soon as it cannot be. */
function isShorter(json: object, lengthMax: number): boolean {
  let length = 0;
  const unseen: unknown[] = [json];
  while (unseen.length > 0) {
    const value = unseen.pop();
    // A lower bound, without quotes, brackets and commas.
    length += typeof value === "string" ? value.length : 1;
    if (Array.isArray(value)) {
      if (length + unseen.length + value.length > lengthMax) return false;
      unseen.push(...(value as unknown[]));
    } else if (typeof value === "object" && value !== null) {
      for (const name in value) {
        length += name.length;
        unseen.push((value as Record<string, unknown>)[name]);
        if (length + unseen.length > lengthMax) return false;
      }
    }
    if (length > lengthMax) return false;
  }
  return true;
}

function objectOf(sent: unknown): object {
  if (Array.isArray(sent) && sent.length > 1) {
    throw new BadArgumentsError("A function takes one object with named arguments.");
  }
  const json: unknown = Array.isArray(sent) ? (sent.length === 0 ? {} : sent[0]) : (sent ?? {});
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new BadArgumentsError("The arguments must be one object with named arguments.");
  }
  return json;
}

/**
 * Refuses deep nesting, which would overflow the stack of any code that walks the value, here or in
 * a function.
 */
function requireReadable(json: object, depthLeft: number): void {
  if (depthLeft === 0) throw invalidArguments(`they are nested more than ${DEPTH_MAX} deep.`);
  if (Array.isArray(json)) {
    for (const item of json as unknown[]) {
      if (typeof item === "object" && item !== null) requireReadable(item, depthLeft - 1);
    }
    return;
  }
  for (const [name, value] of Object.entries(json) as [string, unknown][]) {
    // Assigning this name sets the prototype, so that an unknown argument would go unnoticed.
    if (name === "__proto__") throw invalidArguments("the name __proto__ is not allowed.");
    if (typeof value === "object" && value !== null) requireReadable(value, depthLeft - 1);
  }
}

function invalidArguments(reason: string): BadArgumentsError {
  return new BadArgumentsError(`The arguments cannot be read: ${reason}`);
}

/**
 * Normalises a function's path: `dir/module.js:name` → `dir/module:name`, `module` →
 * `module:default`.
 */
export function canonicalPath(path: string): string {
  const colon = path.indexOf(":");
  const module = colon === -1 ? path : path.slice(0, colon);
  const name = colon === -1 ? "default" : path.slice(colon + 1);
  return `${module.endsWith(".js") ? module.slice(0, -3) : module}:${name}`;
}

/** A key of the arguments, independent of the order of their fields. */
export function argumentsKey(args: unknown): string {
  return encodeSorted(args);
}

/** The `logLines` member of an answer. */
export function encodeLogLines({ logLines }: FunctionResult): string {
  return `"logLines":${logLines === undefined ? "[]" : JSON.stringify(logLines)}`;
}

/** A function returned a value that cannot be encoded. */
export class UnsendableAnswerError extends Error {
  override readonly name = "UnsendableAnswerError";
}

/** The error for a mutation that has taken effect: "could not be carried out" would invite a repeat. */
export const UNSENDABLE_ANSWER = {
  status: "error",
  message: "Server error: the request was carried out, but its answer cannot be sent.",
} as const satisfies FunctionResult;

export const SERVER_ERROR = {
  status: "error",
  message: "Server error: the request could not be carried out.",
} as const satisfies FunctionResult;

/**
 * Encodes an error. Errors without data have no `errorData` member: null would make the client
 * report an error with data.
 */
export function encodeError(
  field: "errorMessage" | "result",
  error: FunctionResult & { status: "error" },
): string {
  const text = `"${field}":${JSON.stringify(error.message)}`;
  return error.data === undefined ? text : `${text},"errorData":${encodeValue(error.data)}`;
}

/** Values on the wire: JSON with `$integer`, `$float` and `$bytes`, by the official functions. */
import { convexToJson, jsonToConvex } from "convex/values";
import type { JSONValue, Value } from "convex/values";
import type { FunctionResult } from "./executor.ts";

/** JSON text of a function's value; null stands for no value. Throws for what the wire cannot carry. */
export function encodeValue(value: unknown): string {
  return JSON.stringify(convexToJson((value ?? null) as Value));
}

/** Throws with a sentence for a malformed special value or a reserved field name. */
function decodeValue(json: unknown): unknown {
  return jsonToConvex(json as JSONValue);
}

export class BadArgumentsError extends Error {}

/**
 * A function's arguments as sent: an object in an array of one, or the bare object.
 * @throws BadArgumentsError with a sentence for the caller.
 */
export function decodeArguments(sent: unknown): Record<string, unknown> {
  const json: unknown = Array.isArray(sent) ? (sent.length === 0 ? {} : sent[0]) : (sent ?? {});
  if (Array.isArray(sent) && sent.length > 1) {
    throw new BadArgumentsError("A function takes one object with named arguments.");
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new BadArgumentsError("The arguments must be one object with named arguments.");
  }
  try {
    const decoded = decodeValue(json);
    // `{"$integer": …}` alone is a value, not an object of named arguments.
    if (Object.getPrototypeOf(decoded) === Object.prototype) {
      return decoded as Record<string, unknown>;
    }
  } catch (error) {
    const reason = error instanceof RangeError ? "nested too deeply" : (error as Error).message;
    throw new BadArgumentsError(`The arguments cannot be read: ${reason}`);
  }
  throw new BadArgumentsError("The arguments must be one object with named arguments.");
}

/** `dir/module.js:name` and `module` become `dir/module:name` and `module:default`. */
export function canonicalPath(path: string): string {
  const colon = path.indexOf(":");
  const module = colon === -1 ? path : path.slice(0, colon);
  const name = colon === -1 ? "default" : path.slice(colon + 1);
  return `${module.endsWith(".js") ? module.slice(0, -3) : module}:${name}`;
}

/** Equal for equal arguments, whatever the order of their fields. */
export function argumentsKey(args: Record<string, unknown>): string {
  return encodeValue(args);
}

export const SERVER_ERROR = {
  status: "error",
  message: "Server error: the request could not be carried out.",
} as const satisfies FunctionResult;

/** Plain errors carry no `errorData` at all: a null would make the client see an error with data. */
export function encodeError(
  field: "errorMessage" | "result",
  error: FunctionResult & { status: "error" },
): string {
  const text = `"${field}":${JSON.stringify(error.message)}`;
  return error.data === undefined ? text : `${text},"errorData":${encodeValue(error.data)}`;
}

/**
 * Reads the body of an HTTP call. A large body is accepted only if the called function accepts that
 * many bytes: the official client writes path and format before the arguments.
 */
import type { IncomingMessage } from "node:http";
import type { ClientKey } from "../limits/client-key.ts";
import type { GrowableBuffer } from "../limits/growable-buffer.ts";
import { cutDeepJson, leadingMembers } from "../limits/json-text.ts";
import { BodyCutOffError, type BodyLimits, readRequestBody } from "../limits/request-body.ts";
import { ArgumentsTooLargeError, canonicalPath } from "./encoding.ts";
import type { FunctionResult } from "./executor.ts";

/** A body up to this size is read before its function is looked up. */
const SMALL_BODY_BYTES = 65_536;
/**
 * Bytes allowed for a call's fields other than its arguments; the path is searched for within this
 * prefix.
 */
const ENVELOPE_BYTES_MAX = 2_048;
const PATH_LENGTH_MAX = 500;
/**
 * Values nested deeper are cut off before parsing. The limit is above that of arguments, so that
 * arguments with a cut are refused when they are decoded.
 */
const DEPTH_PARSED_MAX = 128;

export class CallRefusedError extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  /** Milliseconds after which the same call may succeed; undefined if the refusal is permanent. */
  readonly retryAfterMs: number | undefined;
  constructor(
    status: number,
    code: string,
    message: string,
    field?: string,
    retryAfterMs?: number,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The function does not exist for the caller. */
export class FunctionRefusedError extends Error {
  readonly result: FunctionResult;
  constructor(result: FunctionResult) {
    super("There is no such function for the caller.");
    this.result = result;
  }
}

export function cutOff(): CallRefusedError {
  return malformedCall("The body was cut off.");
}

function malformedCall(message: string, field?: string): CallRefusedError {
  return new CallRefusedError(400, "invalidArgument", message, field);
}

/**
 * Reads the body of a call.
 * @param clients the clients that are charged for the memory and for the time
 * @param argumentBytesMaxOf returns the argument limit of the function with this path; throws if it
 * may not be called
 * @throws CallRefusedError, ArgumentsTooLargeError, and errors of `argumentBytesMaxOf`
 */
export async function readCallBody(
  request: IncomingMessage,
  limits: BodyLimits,
  clients: { readonly holder: ClientKey; readonly client: ClientKey },
  argumentBytesMaxOf: (path: string) => number,
): Promise<string> {
  const type = request.headers["content-type"] ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new CallRefusedError(
      415,
      "invalidArgument",
      "The content type must be application/json.",
    );
  }
  const declared = Number(request.headers["content-length"] ?? 0);
  let bytesMax = SMALL_BODY_BYTES;
  let isLookedUp = false;

  function check(gathered: GrowableBuffer): void {
    const expected = Math.max(gathered.length, declared);
    if (expected > bytesMax && !isLookedUp && gathered.length >= ENVELOPE_BYTES_MAX) {
      isLookedUp = true;
      bytesMax = bytesMaxOf(gathered, argumentBytesMaxOf);
    }
    if (isLookedUp && expected > bytesMax) {
      throw new ArgumentsTooLargeError(bytesMax - ENVELOPE_BYTES_MAX);
    }
  }

  try {
    const body = await readRequestBody(request, limits, clients, check);
    return body.toString("utf8");
  } catch (error) {
    throw error instanceof BodyCutOffError ? cutOff() : error;
  }
}

function bytesMaxOf(gathered: GrowableBuffer, argumentBytesMaxOf: (path: string) => number) {
  const beginning = gathered.bytes().toString("utf8", 0, ENVELOPE_BYTES_MAX);
  const { path } = leadingMembers(beginning);
  if (typeof path !== "string") {
    throw new CallRefusedError(
      413,
      "tooLarge",
      `The body may have at most ${SMALL_BODY_BYTES} bytes unless it begins with the path.`,
    );
  }
  return argumentBytesMaxOf(canonicalPath(path)) + ENVELOPE_BYTES_MAX;
}

/**
 * Parses the body.
 * @throws CallRefusedError if it is not a valid call
 */
export function parseCall(text: string): {
  readonly path: string;
  readonly args: unknown;
  /** Timestamp of the state to read; undefined for the latest. */
  readonly ts: unknown;
} {
  let body: unknown;
  try {
    body = JSON.parse(cutDeepJson(text, DEPTH_PARSED_MAX));
  } catch {
    throw malformedCall("The body is not JSON.");
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw malformedCall("The body must be a JSON object.");
  }
  const { path, format, args, ts } = body as Record<string, unknown>;
  if (typeof path !== "string" || path === "" || path.length > PATH_LENGTH_MAX) {
    throw malformedCall("The path must name a function, such as module:name.", "path");
  }
  if (format !== undefined && format !== "convex_encoded_json" && format !== "json") {
    throw malformedCall("The format must be convex_encoded_json or json.", "format");
  }
  return { path: canonicalPath(path), args, ts };
}

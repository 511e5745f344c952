/**
 * A message as received. Of a message that is too large only the beginning is kept, which is enough
 * to answer it: the official client writes a request's type, number and path before its arguments,
 * so the function is known before the arguments are parsed.
 */
import { leadingMembers } from "../limits/json-text.ts";
import { canonicalPath } from "./encoding.ts";
import type { FunctionKind, FunctionLookup } from "./executor.ts";

/** Limit of a change of the query set, the only other message with a good reason to be large. */
export const MESSAGE_BYTES_MAX = 524_288;
/** The function of a larger request is looked up before the message is parsed. */
const SMALL_MESSAGE_BYTES = 65_536;
const BEGINNING_BYTES = 2_048;
/** As the official client begins these messages. */
const OPENING = /^\{"type":"(?:Authenticate|ModifyQuerySet)"/;
/** Bytes allowed for a request's fields other than its arguments. */
const ENVELOPE_BYTES_MAX = 1_024;

export interface ReceivedMessage {
  readonly text: string;
  /** False if only the beginning of the message was kept. */
  readonly isWhole: boolean;
  /** Whether it belongs to the work of opening a page: a token to check, or queries to answer. */
  readonly opensPage: boolean;
}

export interface LargeRequest {
  readonly type: "Mutation" | "Action";
  readonly kind: FunctionKind;
  readonly requestId: number;
  readonly path: string;
}

export function receiveMessage(
  data: Buffer,
  lookUp: (kind: FunctionKind, path: string) => FunctionLookup,
): ReceivedMessage {
  if (data.length <= SMALL_MESSAGE_BYTES) {
    const text = data.toString("utf8");
    return { text, isWhole: true, opensPage: OPENING.test(text) };
  }
  const beginning = data.toString("utf8", 0, BEGINNING_BYTES);
  const isWhole = data.length <= bytesMaxOf(beginning, lookUp);
  const text = isWhole ? data.toString("utf8") : beginning;
  return { text, isWhole, opensPage: OPENING.test(text) };
}

/**
 * The request of which this is the beginning; undefined if it is none, or not written like the
 * official client's.
 */
export function requestOf(beginning: string): LargeRequest | undefined {
  const { type, requestId, udfPath } = leadingMembers(beginning);
  if (type !== "Mutation" && type !== "Action") return undefined;
  if (typeof requestId !== "number" || typeof udfPath !== "string") return undefined;
  const kind = type === "Mutation" ? "mutation" : "action";
  return { type, kind, requestId, path: canonicalPath(udfPath) };
}

function bytesMaxOf(
  beginning: string,
  lookUp: (kind: FunctionKind, path: string) => FunctionLookup,
): number {
  if (leadingMembers(beginning).type === "ModifyQuerySet") return MESSAGE_BYTES_MAX;
  const request = requestOf(beginning);
  if (request === undefined) return SMALL_MESSAGE_BYTES;
  const lookup = lookUp(request.kind, request.path);
  return "refusal" in lookup ? 0 : requestBytesMax(lookup.argumentBytesMax);
}

/** The size limit of a request whose function takes this many bytes of arguments. */
export function requestBytesMax(argumentBytesMax: number): number {
  return argumentBytesMax + ENVELOPE_BYTES_MAX;
}

/**
 * A message as read off the wire. If it is too large only the beginning is kept: enough to answer
 * it. The official client writes a request's type, number and path before its arguments, so its
 * function is known before the arguments are parsed.
 */
import { leadingMembers } from "../limits/json-text.ts";
import { canonicalPath } from "./encoding.ts";
import type { FunctionKind, FunctionLookup } from "./executor.ts";

/** For a change of the query set, the only other message with a good reason to be large. */
export const MESSAGE_BYTES_MAX = 524_288;
/** Beyond this a request's function is looked up before the message is read. */
const SMALL_MESSAGE_BYTES = 65_536;
const BEGINNING_BYTES = 2_048;
/** Room for a request's fields other than its arguments. */
const ENVELOPE_BYTES_MAX = 1_024;

export interface ReceivedMessage {
  readonly text: string;
  /** False if only the beginning was kept. */
  readonly isWhole: boolean;
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
  if (data.length <= SMALL_MESSAGE_BYTES) return { text: data.toString("utf8"), isWhole: true };
  const beginning = data.toString("utf8", 0, BEGINNING_BYTES);
  const isWhole = data.length <= bytesMaxOf(beginning, lookUp);
  return { text: isWhole ? data.toString("utf8") : beginning, isWhole };
}

/** Undefined if it is not a request, or does not begin as the official client writes it. */
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

/** The limit for a request whose function takes this many bytes of arguments. */
export function requestBytesMax(argumentBytesMax: number): number {
  return argumentBytesMax + ENVELOPE_BYTES_MAX;
}

/**
 * The messages of the sync protocol, as declared in the official client's
 * `browser/sync/protocol.ts` (convex 1.48.0, Apache-2.0): validation of clients' messages, and
 * encoding of the server's.
 */
import { z } from "zod";
import { cutDeepJson } from "../limits/json-text.ts";
import { encodeError, encodeLogLines, encodeValue } from "./encoding.ts";
import type { FunctionResult } from "./executor.ts";

const MODIFICATIONS_MAX = 1_000;
/**
 * Values nested deeper are cut off before parsing. The limit is above that of arguments, so that
 * arguments with a cut are refused when they are decoded.
 */
const DEPTH_PARSED_MAX = 128;
const JOURNAL_LENGTH_MAX = 1_000;

const counter = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const udfPath = z.string().min(1).max(500);
const args = z.array(z.unknown()).max(1);
const token = z.string().min(1).max(16_384);

const connect = z.object({
  type: z.literal("Connect"),
  sessionId: z.string().min(1).max(200),
  connectionCount: counter,
  lastCloseReason: z.string().nullish(),
  maxObservedTimestamp: z.string().nullish(),
  clientTs: z.number().nullish(),
});
const authenticate = z.discriminatedUnion("tokenType", [
  z.object({
    type: z.literal("Authenticate"),
    tokenType: z.literal("User"),
    value: token,
    baseVersion: counter,
  }),
  z.object({
    type: z.literal("Authenticate"),
    tokenType: z.literal("Admin"),
    baseVersion: counter,
  }),
  z.object({ type: z.literal("Authenticate"), tokenType: z.literal("None"), baseVersion: counter }),
]);
const addQuery = z.object({
  type: z.literal("Add"),
  queryId: counter,
  udfPath,
  args,
  /** The query journal from the last Transition. */
  journal: z.string().max(JOURNAL_LENGTH_MAX).nullish(),
});
const modifyQuerySet = z.object({
  type: z.literal("ModifyQuerySet"),
  baseVersion: counter,
  newVersion: counter,
  modifications: z.array(
    z.discriminatedUnion("type", [
      addQuery,
      z.object({ type: z.literal("Remove"), queryId: counter }),
    ]),
  ),
});
const mutation = z.object({ type: z.literal("Mutation"), requestId: counter, udfPath, args });
const action = z.object({ type: z.literal("Action"), requestId: counter, udfPath, args });
const event = z.object({ type: z.literal("Event") });

const byType = {
  Connect: connect,
  Authenticate: authenticate,
  ModifyQuerySet: modifyQuerySet,
  Mutation: mutation,
  Action: action,
  Event: event,
} as const;

export type ConnectMessage = z.output<typeof connect>;
export type AuthenticateMessage = z.output<typeof authenticate>;
export type AddQuery = z.output<typeof addQuery>;
export type ModifyQuerySetMessage = z.output<typeof modifyQuerySet>;
export type MutationMessage = z.output<typeof mutation>;
export type ActionMessage = z.output<typeof action>;
export type ClientMessage =
  | ConnectMessage
  | AuthenticateMessage
  | ModifyQuerySetMessage
  | MutationMessage
  | ActionMessage
  | z.output<typeof event>;

/** The client violated the protocol; the message explains how. */
export class ProtocolError extends Error {}

/**
 * Parses a client's message.
 * @throws ProtocolError with a sentence that names the invalid field
 */
export function parseClientMessage(text: string): ClientMessage {
  let json: unknown;
  try {
    json = JSON.parse(cutDeepJson(text, DEPTH_PARSED_MAX));
  } catch {
    throw new ProtocolError("The message is not JSON.");
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new ProtocolError("The message is not a JSON object.");
  }
  const type = "type" in json ? json.type : undefined;
  if (typeof type !== "string" || !Object.hasOwn(byType, type)) {
    const names = Object.keys(byType).join(", ");
    throw new ProtocolError(`The message's type must be one of ${names}.`);
  }
  requireFewModifications(json);
  const parsed = byType[type as keyof typeof byType].safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue.path.length === 0 ? "" : ` field ${issue.path.join(".")}:`;
  throw new ProtocolError(`The ${type} message is wrong:${field} ${issue.message}.`);
}

/** Limits the number of modifications before each is validated. */
function requireFewModifications(message: object): void {
  if (!("modifications" in message) || !Array.isArray(message.modifications)) return;
  if (message.modifications.length > MODIFICATIONS_MAX) {
    throw new ProtocolError(`A message may have at most ${MODIFICATIONS_MAX} modifications.`);
  }
}

export interface StateVersion {
  readonly querySet: number;
  readonly identity: number;
  /** The timestamp, encoded as on the wire. */
  readonly ts: string;
}

/**
 * Encodes a Transition.
 * @param options.withLengths for a client that takes increments
 */
export function encodeTransition(
  start: StateVersion,
  end: StateVersion,
  modifications: readonly string[],
  options: {
    readonly clientClockSkewMs: number | undefined;
    readonly serverNowMs: number;
    readonly withLengths?: boolean;
  },
): string {
  const { clientClockSkewMs, serverNowMs, withLengths = false } = options;
  const skew = clientClockSkewMs === undefined ? "" : `"clientClockSkew":${clientClockSkewMs},`;
  const lengths = withLengths ? `"lengths":[${modifications.map(lengthOf).join(",")}],` : "";
  return (
    `{"type":"Transition",${lengths}"startVersion":${encodeVersion(start)},` +
    `"endVersion":${encodeVersion(end)},${skew}"serverTs":${serverNowMs * 1_000_000},` +
    `"modifications":[${modifications.join(",")}]}`
  );
}

function lengthOf({ length }: string): number {
  return length;
}

function encodeVersion({ querySet, identity, ts }: StateVersion): string {
  return `{"querySet":${querySet},"identity":${identity},"ts":"${ts}"}`;
}

/**
 * Encodes the response to a request.
 * @param ts timestamp of the state that includes the mutation; for successful mutations only
 */
export function encodeResponse(
  type: "MutationResponse" | "ActionResponse",
  requestId: number,
  result: FunctionResult,
  ts?: string,
): string {
  const start = `{"type":"${type}","requestId":${requestId},${encodeLogLines(result)},`;
  if (result.status === "error") {
    return `${start}"success":false,${encodeError("result", result)}}`;
  }
  const end = ts === undefined ? "" : `,"ts":"${ts}"`;
  return `${start}"success":true,"result":${encodeValue(result.value)}${end}}`;
}

/** Sent to clients with an admin key; administrators of this server are users with a role. */
export const ADMIN_KEYS_REFUSED =
  "This server takes no admin keys. Sign in as a user and send the token of the session.";

export function encodeAuthError(
  error: string,
  baseVersion: number,
  authUpdateAttempted: boolean,
): string {
  return JSON.stringify({ type: "AuthError", error, baseVersion, authUpdateAttempted });
}

export function encodeFatalError(error: string): string {
  return JSON.stringify({ type: "FatalError", error });
}

export const PING = `{"type":"Ping"}`;

const CHUNK_LENGTH = 4_000_000;

/** Splits a message that is too long for one frame; the client joins the chunks. */
export function* encodeTransitionChunks(
  transition: string,
  transitionId: string,
): Generator<string> {
  const totalParts = Math.ceil(transition.length / CHUNK_LENGTH);
  for (let partNumber = 0; partNumber < totalParts; partNumber++) {
    // A surrogate pair may be split: JSON.stringify escapes both halves.
    const chunk = transition.slice(partNumber * CHUNK_LENGTH, (partNumber + 1) * CHUNK_LENGTH);
    yield JSON.stringify({ type: "TransitionChunk", chunk, partNumber, totalParts, transitionId });
  }
}

/**
 * Authenticates signed requests and checks that they are recent. The payload is the request as
 * sent, without the signature itself
 * (https://developers.binance.com/docs/binance-spot-api-docs/rest-api/request-security).
 */
import type { ApiKeys } from "../api-keys/api-keys.ts";
import type { ApiKeyGrant } from "../api-keys/key-gate.ts";
import { ApiKeyRefusedError } from "../api-keys/key-refusal.ts";
import {
  aheadOfTime,
  invalidParameter,
  keyRefused,
  malformedKey,
  missingParameter,
  outsideWindow,
  repeatedRequest,
  unreadableKey,
  windowTooLong,
  wrongSignature,
} from "./api-error.ts";
import type { Caller, Endpoint } from "./endpoint.ts";
import type { Pair } from "./parameters.ts";
import type { UsedRequests } from "./used-requests.ts";

const AHEAD_MS_MAX = 1_000;
const WINDOW_MS = 5_000;
const WINDOW_MS_MAX = 60_000;
/**
 * The engine accepts time limits up to a minute ahead. Its clock may lag behind this one: commands
 * that arrive together have the time of the first.
 */
const VALID_MS_MAX = 59_000;
/** Larger timestamps are in microseconds, which Binance accepts as well. */
const MILLISECONDS_MAX = 10 ** 14;
/** Milliseconds with up to three decimals. */
const WINDOW = /^\d{1,5}(\.\d{1,3})?$/;
const TIMESTAMP = /^\d{1,16}$/;

export interface SignedRequest {
  readonly call: Pick<Endpoint, "method" | "security" | "changesNothing" | "isSignatureOptional">;
  readonly apiKey: string | undefined;
  readonly address: string;
  /** The signed text. */
  readonly payload: string;
  /** How far the exchange's clock is ahead for this request (fault lab). */
  readonly clockSkewMs?: number | undefined;
}

/** The dependencies of checking signed requests. */
export interface RequestJudges {
  readonly keys: Pick<ApiKeys, "find" | "findInUse" | "verify" | "noteUse" | "signerAt">;
  readonly used: UsedRequests;
  /** Start of the time that `used` covers, milliseconds since 1970 UTC. */
  readonly usedSinceMs: number;
  /** Milliseconds since 1970 UTC. */
  readonly nowMs: () => number;
}

/**
 * The key of a request, before the body is read: at once if the key is in use, as nearly always.
 * @throws ApiError
 */
export function keyOf(
  { call, apiKey, address }: Omit<SignedRequest, "payload">,
  { keys }: RequestJudges,
): ApiKeyGrant | Promise<ApiKeyGrant> {
  if (apiKey === undefined) throw malformedKey();
  const permitted = (grant: ApiKeyGrant): ApiKeyGrant => {
    const needed = call.security === "trade" ? "trade" : "read";
    if (!grant.permissions.includes(needed)) throw keyRefused();
    return grant;
  };
  let grant: ApiKeyGrant | undefined;
  try {
    grant = keys.findInUse(apiKey, address);
  } catch (error) {
    throw refusalOf(error);
  }
  if (grant !== undefined) return permitted(grant);
  const found = keys.find(apiKey, address);
  return found.then(permitted, (error: unknown) => {
    throw refusalOf(error);
  });
}

/** The refusal of a key; another error stays as it is. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof ApiKeyRefusedError)) return error;
  if (error.reason === "malformed") return malformedKey();
  return error.reason === "secretChanged" ? unreadableKey(error.message) : keyRefused();
}

/**
 * @param grant the grant of the request's key
 * @param pairs the request's parameters; the first of a name counts
 * @throws ApiError
 */
export function callerOf(
  request: SignedRequest,
  grant: ApiKeyGrant,
  pairs: readonly Pair[],
  { keys, used, usedSinceMs, nowMs }: RequestJudges,
): Caller {
  const { call, apiKey = "", address, clockSkewMs, payload } = request;
  const signature = pairs.find(([name]) => name === "signature")?.[1];
  // Clients that sign everything leave out the time where Binance needs none.
  const isSigned = signature !== undefined && pairs.some(([name]) => name === "timestamp");
  if (call.isSignatureOptional === true && !isSigned) {
    // A key is no secret: by itself it must not be enough to read an account from anywhere.
    if (keys.signerAt(apiKey, address) === undefined) throw keyRefused();
    return { ...grant, validUntilMs: nowMs() + WINDOW_MS, isUnsigned: true };
  }
  if (signature === undefined || signature === "") throw missingParameter("signature");
  const { sentMs, validUntilMs } = windowOf(pairs, nowMs(), clockSkewMs);
  if (!keys.verify(apiKey, payload, signature)) throw wrongSignature();
  if (call.method !== "GET" && call.changesNothing !== true) {
    // It is no longer known whether the request was executed before a restart.
    if (sentMs < usedSinceMs) throw outsideWindow();
    // Identified by the signed text: a signature can be encoded in several ways.
    if (!used.use(grant.keyId, payload)) throw repeatedRequest();
  }
  keys.noteUse(grant.keyId, address);
  return { ...grant, validUntilMs, signedText: payload };
}

/**
 * The time limit of a request, milliseconds since 1970 UTC.
 * @param clockSkewMs how far the clock that the client is checked against is ahead of `nowMs`
 * @throws ApiError if the request is outside its window
 */
export function endOfWindow(pairs: readonly Pair[], nowMs: number, clockSkewMs = 0): number {
  return windowOf(pairs, nowMs, clockSkewMs).validUntilMs;
}

function windowOf(pairs: readonly Pair[], nowMs: number, clockSkewMs = 0) {
  const sent = (name: string) => pairs.find(([given]) => given === name)?.[1];
  const timestamp = sent("timestamp");
  const window = sent("recvWindow");
  if (timestamp === undefined || timestamp === "") throw missingParameter("timestamp");
  if (!TIMESTAMP.test(timestamp)) throw invalidParameter("timestamp");
  if (window !== undefined && !WINDOW.test(window)) throw invalidParameter("recvWindow");
  const windowMs = window === undefined ? WINDOW_MS : Number(window);
  if (windowMs > WINDOW_MS_MAX) throw windowTooLong();
  const sentAt = Number(timestamp);
  const sentMs = (sentAt >= MILLISECONDS_MAX ? sentAt / 1_000 : sentAt) - clockSkewMs;
  if (sentMs >= nowMs + AHEAD_MS_MAX) throw aheadOfTime();
  if (nowMs - sentMs > windowMs) throw outsideWindow();
  const validUntilMs = Math.min(Math.floor(sentMs + windowMs), nowMs + VALID_MS_MAX);
  return { sentMs, validUntilMs };
}

/** The payload of an HTTP request: query and body as sent, concatenated. */
export function payloadOf(query: string, body: string): string {
  return withoutSignature(query) + withoutSignature(body);
}

/** The payload of a WebSocket request: its parameters, sorted by name. */
export function sortedPayload(pairs: readonly Pair[]): string {
  return pairs
    .filter(([name]) => name !== "signature")
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, text]) => `${name}=${text}`)
    .join("&");
}

/** Removes the signature from a query or body, wherever it is. */
function withoutSignature(part: string): string {
  const at = part.indexOf("signature=");
  if (at === -1) return part;
  // Most clients append the signature.
  const isLast = at > 0 && part.charAt(at - 1) === "&" && !part.includes("&", at);
  if (isLast) return part.slice(0, at - 1);
  return part
    .split("&")
    .filter((pair) => !pair.startsWith("signature="))
    .join("&");
}

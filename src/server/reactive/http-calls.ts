/**
 * The protocol's calls over plain HTTP, for clients that do not subscribe, such as server rendering
 * and scripts. Without reconnection there are no request ids and no de-duplication: a mutation that
 * must not run twice has an idempotency key among its arguments.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type ClientKey, clientKeyOf } from "../limits/client-key.ts";
import { departureOf } from "../limits/departure.ts";
import type { Turns } from "../limits/immediate-turns.ts";
import { AUTHENTICATION_MS } from "../limits/work-shares.ts";
import { runActionInTime } from "./action-time.ts";
import {
  CallRefusedError,
  cutOff,
  FunctionRefusedError,
  parseCall,
  readCallBody,
} from "./call-body.ts";
import {
  BadArgumentsError,
  decodeArguments,
  decodeQueryArguments,
  queryArgumentsText,
  encodeError,
  encodeLogLines,
  encodeValue,
  SERVER_ERROR,
  UNSENDABLE_ANSWER,
} from "./encoding.ts";
import {
  AuthenticationRefusedError,
  AuthenticationUnavailableError,
  OutcomeUnknownError,
} from "./executor.ts";
import { ADMIN_KEYS_REFUSED } from "./messages.ts";
import type {
  ActionCall,
  FunctionCall,
  FunctionKind,
  FunctionResult,
  Identity,
} from "./executor.ts";
import type { ConnectionHost } from "./connection-host.ts";
import type { Payload } from "./payload.ts";
import type { AskedQuery } from "./query-store.ts";
import { decodeTimestamp } from "./timestamps.ts";

/** Status of a failed function: the official client reads the error from its body. */
const STATUS_FUNCTION_FAILED = 560;
/** How many times a query may load data before it must answer. */
const LOADS_MAX = 5;
/** Retry delay for a call that is unavailable now. */
const UNAVAILABLE_MS = 2_000;

export interface HttpCallsHost extends ConnectionHost {
  /** The client's address, also behind a trusted proxy. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Identifies a request in log lines. */
  readonly requestIdOf: (request: IncomingMessage) => string;
  /** Schedules the work of a call. */
  readonly turnsOf: (request: IncomingMessage) => Turns;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  /** After how many milliseconds the same call may succeed; absent if it cannot. */
  readonly retryAfterMs?: number;
}

/** The call at a path; undefined if there is none. */
export function httpCallOf(pathname: string): HttpCall | undefined {
  return Object.hasOwn(CALLS, pathname) ? CALLS[pathname] : undefined;
}

/**
 * Executes a call.
 * @param signal aborted when the caller has left or has been answered
 */
export type HttpCall = (
  host: HttpCallsHost,
  request: IncomingMessage,
  signal: AbortSignal,
) => Promise<Answer>;

const CALLS: Record<string, HttpCall> = {
  "/api/query": query,
  "/api/query_at_ts": queryAtTimestamp,
  "/api/query_ts": async ({ timestamps }) => ({
    status: 200,
    body: JSON.stringify({ ts: timestamps.encoded }),
  }),
  "/api/mutation": (host, request) =>
    run(host, request, "mutation", (call) => host.executor.mutation(call, `http:${randomUUID()}`)),
  "/api/action": (host, request, signal) =>
    run(host, request, "action", (call) =>
      runActionInTime(host.executor, { ...call, signal }, host.actionMsMax),
    ),
};

/** Answers a call; every failure becomes a JSON response. */
export async function answerHttpCall(
  call: HttpCall,
  host: HttpCallsHost,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let answer: Answer;
  try {
    if (request.method !== "POST") {
      response.setHeader("allow", "POST");
      throw new CallRefusedError(405, "methodNotAllowed", "Call this address with POST.");
    }
    answer = await call(host, request, departureOf(response));
  } catch (error) {
    answer = answerOf(error, host, host.requestIdOf(request));
  }
  if (response.headersSent || response.destroyed) return;
  response.writeHead(answer.status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(answer.body),
    "cache-control": "no-store",
    ...(answer.retryAfterMs !== undefined && {
      "retry-after": String(Math.ceil(answer.retryAfterMs / 1_000)),
    }),
  });
  response.end(answer.body);
}

function refusal(status: number, code: string, message: string): Answer {
  return { status, body: JSON.stringify({ code, message }) };
}

function answerOf(error: unknown, { log, repeats }: HttpCallsHost, request: string): Answer {
  if (error instanceof CallRefusedError) {
    const { status, code, field, message, retryAfterMs } = error;
    return {
      status,
      body: JSON.stringify({ code, field, message, retryAfterMs }),
      retryAfterMs: status === 503 ? UNAVAILABLE_MS : retryAfterMs,
    };
  }
  if (error instanceof FunctionRefusedError) return encodeResult(error.result);
  if (error instanceof BadArgumentsError) {
    return {
      status: 400,
      body: JSON.stringify(error.data),
    };
  }
  if (error instanceof OutcomeUnknownError) {
    repeats.warn({ err: error, request }, "the outcome of a mutation is unknown");
    const message = "The outcome of the request is unknown. Look before you repeat it.";
    return { ...refusal(503, "unavailable", message), retryAfterMs: UNAVAILABLE_MS };
  }
  log.error({ err: error, request }, "a call threw");
  return refusal(500, "serverError", SERVER_ERROR.message);
}

function query(host: HttpCallsHost, request: IncomingMessage): Promise<Answer> {
  return answerQuery(host, request, () => {});
}

/**
 * Answers a query at the latest timestamp only: older states are not kept, and an answer of a later
 * state could not be combined with earlier answers.
 */
function queryAtTimestamp(host: HttpCallsHost, request: IncomingMessage): Promise<Answer> {
  return answerQuery(host, request, (ts) => {
    const asked = typeof ts === "string" ? decodeTimestamp(ts) : undefined;
    if (asked === undefined) {
      throw new CallRefusedError(400, "invalidArgument", "ts must be from query_ts.", "ts");
    }
    const { latest } = host.timestamps;
    if (asked === latest) return;
    const message =
      asked < latest
        ? "The state of this ts is no longer kept: it has changed since. Ask for a new ts."
        : "This ts is later than any state of this server.";
    throw new CallRefusedError(400, "timestampNotKept", message, "ts");
  });
}

function answerQuery(
  host: HttpCallsHost,
  request: IncomingMessage,
  requireState: (ts: unknown) => void,
): Promise<Answer> {
  return takeTurn(host, request, "query", async (call, sent) => {
    requireState(call.ts);
    const args = decodeQueryArguments(queryArgumentsText(sent).text);
    const { path, identity, ts } = call;
    const asked = { path, args, journal: null, request: call.request };
    const { failed, tail } = await readLoaded(host, asked, identity, () => requireState(ts));
    return failed
      ? { status: STATUS_FUNCTION_FAILED, body: `{"status":"error"${tail}` }
      : { status: 200, body: `{"status":"success"${tail}` };
  });
}

/** Runs a query until its data is loaded; the state may change in the meantime. */
async function readLoaded(
  host: HttpCallsHost,
  asked: AskedQuery,
  identity: Identity | null,
  requireState: () => void,
): Promise<Payload> {
  for (let loads = 0; loads <= LOADS_MAX; loads += 1) {
    const answer = host.queries.read(asked, identity);
    if (!(answer instanceof Promise)) return answer;
    await answer.catch(() => {});
    await host.executor.unsettled?.();
    requireState();
  }
  const message = "What the query needs could not be loaded; try again shortly.";
  throw new CallRefusedError(503, "unavailable", message);
}

function run(
  host: HttpCallsHost,
  request: IncomingMessage,
  kind: "mutation" | "action",
  execute: (call: ActionCall) => Promise<FunctionResult>,
): Promise<Answer> {
  return takeTurn(host, request, kind, async (call, sent, client) => {
    const result = await execute({ ...call, client, args: decodeArguments(sent) });
    return host.turnsOf(request).run(client, () => {
      try {
        return encodeResult(result);
      } catch (error) {
        if (kind !== "mutation") throw error;
        const { path } = call;
        const details = { err: error, path, request: call.request };
        host.log.error(details, "a mutation answered what cannot be sent");
        return encodeResult(UNSENDABLE_ANSWER);
      }
    });
  });
}

/** Reads a call and executes it in the client's turn. */
async function takeTurn(
  host: HttpCallsHost,
  request: IncomingMessage,
  kind: FunctionKind,
  answer: (
    call: Omit<FunctionCall, "args"> & { readonly ts: unknown },
    sent: unknown,
    client: ClientKey,
  ) => Answer | Promise<Answer>,
): Promise<Answer> {
  const address = host.addressOf(request);
  const shares = host.turnsOf(request);
  const visitor = clientKeyOf(undefined, address);
  const identity = await identityOf(host, request, { shares, client: visitor });
  const client = clientKeyOf(identity?.subject, address);
  const lookUp = (path: string): number => {
    const lookup = host.executor.lookUp(kind, path, identity);
    if ("refusal" in lookup) throw new FunctionRefusedError(lookup.refusal);
    return lookup.argumentBytesMax;
  };
  let text: string;
  try {
    const limits = { held: host.held, shares };
    text = await readCallBody(request, limits, { holder: visitor, client }, lookUp);
  } catch (error) {
    return shares.schedule(client, () => Promise.reject(error as Error));
  }
  return shares.schedule(client, () => {
    if (request.destroyed && !request.complete) throw cutOff();
    const { path, args, ts } = parseCall(text);
    lookUp(path);
    if (kind === "mutation") requireAllowed(host, client, address);
    const unsettled = kind === "query" ? host.executor.unsettled?.() : undefined;
    const call = { path, ts, identity, request: host.requestIdOf(request) };
    if (unsettled === undefined) return answer(call, args, client);
    return unsettled.then(() => answer(call, args, client));
  });
}

/** @throws CallRefusedError if the user or the address exceeds the mutation rate */
function requireAllowed(host: HttpCallsHost, client: ClientKey, address: string): void {
  const waitMs = host.mutationRates.take(client, address, 0);
  if (waitMs === 0) return;
  const message = "Too many requests: more were sent in a second than one client may send.";
  throw new CallRefusedError(429, "tooManyRequests", message, undefined, waitMs);
}

function encodeResult(result: FunctionResult): Answer {
  return result.status === "success"
    ? {
        status: 200,
        body: `{"status":"success","value":${encodeValue(result.value)},${encodeLogLines(result)}}`,
      }
    : {
        status: STATUS_FUNCTION_FAILED,
        body: `{"status":"error",${encodeError("errorMessage", result)},${encodeLogLines(result)}}`,
      };
}

/** The refusal of a token; the code is the protocol's unless the executor chose another. */
function unauthenticated(code: string, message: string): CallRefusedError {
  return new CallRefusedError(401, code, message);
}

/**
 * Verifies the call's token.
 * @param turns of the visitor, who is charged until the caller is identified: anyone can send
 * tokens
 */
async function identityOf(
  host: HttpCallsHost,
  request: IncomingMessage,
  { shares, client }: { readonly shares: Turns; readonly client: ClientKey },
): Promise<Identity | null> {
  const { authorization } = request.headers;
  if (authorization === undefined) return null;
  if (/^Convex(?: |$)/i.test(authorization)) {
    throw unauthenticated("InvalidAuthHeader", ADMIN_KEYS_REFUSED);
  }
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) {
    const message = "The authorization header must be Bearer with a token.";
    throw unauthenticated("InvalidAuthHeader", message);
  }
  await shares.schedule(client, () => shares.charge(client, AUTHENTICATION_MS));
  if (request.destroyed) throw cutOff();
  let identity: Identity;
  try {
    identity = await host.executor.authenticate(token);
  } catch (error) {
    if (error instanceof AuthenticationUnavailableError) {
      const details = { err: error, request: host.requestIdOf(request) };
      host.repeats.warn(details, "sign-in cannot be checked");
      const message = "Sign-in cannot be checked at the moment; try again shortly.";
      throw new CallRefusedError(503, "unavailable", message);
    }
    if (!(error instanceof AuthenticationRefusedError)) throw error;
    throw unauthenticated(error.code, error.message);
  }
  if (host.clock() >= identity.expiresAtMs || !host.executor.isLive(identity)) {
    throw unauthenticated("unauthorized", "The token is no longer valid.");
  }
  host.shares.vouch(identity.subject, host.addressOf(request));
  return identity;
}

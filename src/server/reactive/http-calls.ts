/**
 * The protocol's calls over plain HTTP, for clients that do not subscribe: server rendering, scripts.
 * There is no reconnecting here, hence no request id and no de-duplication: a mutation that must not
 * happen twice carries a key of its own among its arguments.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  BadArgumentsError,
  canonicalPath,
  decodeArguments,
  decodeQueryArguments,
  encodeError,
  encodeValue,
  SERVER_ERROR,
} from "./encoding.ts";
import { OutcomeUnknownError } from "./executor.ts";
import type { Executor, FunctionResult, Identity } from "./executor.ts";
import type { QueryStore } from "./query-store.ts";
import type { Timestamps } from "./timestamps.ts";
import type { ReactiveLog } from "./reactive-log.ts";

const BODY_BYTES_MAX = 1_048_576;
/** The client reads the body of this status as a function's error. */
const STATUS_FUNCTION_FAILED = 560;

export interface HttpCallsHost {
  readonly executor: Executor;
  readonly log: ReactiveLog;
  readonly clock: () => number;
  readonly timestamps: Timestamps;
  readonly queries: QueryStore;
}

type Answer = { readonly status: number; readonly body: string };
interface FunctionBody {
  readonly path: string;
  readonly args: Record<string, unknown>;
}

class CallRefusedError extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  constructor(status: number, code: string, message: string, field?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

/** The call that a path names, undefined where it is none of ours. */
export function httpCallOf(pathname: string): HttpCall | undefined {
  return Object.hasOwn(CALLS, pathname) ? CALLS[pathname] : undefined;
}

export type HttpCall = (host: HttpCallsHost, request: IncomingMessage) => Promise<Answer>;

const CALLS: Record<string, HttpCall> = {
  "/api/query": query,
  // Reads at the latest state: nothing older is kept, and the latest is what a page wants to show.
  "/api/query_at_ts": query,
  "/api/query_ts": async ({ timestamps }) => {
    timestamps.advance();
    return { status: 200, body: JSON.stringify({ ts: timestamps.encoded }) };
  },
  "/api/mutation": (host, request) =>
    run(host, request, (call) => host.executor.mutation(call, `http:${randomUUID()}`)),
  "/api/action": (host, request) => run(host, request, (call) => host.executor.action(call)),
};

/** Answers a call; every failure becomes a JSON answer. */
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
    answer = await call(host, request);
  } catch (error) {
    answer = answerOf(error, host.log);
  }
  if (response.headersSent || response.destroyed) return;
  response.writeHead(answer.status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(answer.body),
    "cache-control": "no-store",
  });
  response.end(answer.body);
}

function refusal(status: number, code: string, message: string): Answer {
  return { status, body: JSON.stringify({ code, message }) };
}

function answerOf(error: unknown, log: ReactiveLog): Answer {
  if (error instanceof CallRefusedError) {
    const { status, code, field, message } = error;
    return { status, body: JSON.stringify({ code, field, message }) };
  }
  if (error instanceof BadArgumentsError) {
    return {
      status: 400,
      body: JSON.stringify(error.data),
    };
  }
  if (error instanceof OutcomeUnknownError) {
    log.warn({ err: error }, "the outcome of a mutation is unknown");
    return refusal(
      503,
      "unavailable",
      "The outcome of the request is unknown. Look before you repeat it.",
    );
  }
  log.error({ err: error }, "a call threw");
  return refusal(500, "serverError", SERVER_ERROR.message);
}

async function query(host: HttpCallsHost, request: IncomingMessage): Promise<Answer> {
  const { path, args } = await readCall(request, (sent) => decodeQueryArguments(sent).args);
  const identity = await identityOf(host, request);
  const { failed, tail } = host.queries.read(path, args, identity);
  return failed
    ? { status: STATUS_FUNCTION_FAILED, body: `{"status":"error"${tail}` }
    : { status: 200, body: `{"status":"success"${tail}` };
}

async function run(
  host: HttpCallsHost,
  request: IncomingMessage,
  execute: (call: FunctionBody & { identity: Identity | null }) => Promise<FunctionResult>,
): Promise<Answer> {
  const call = await readCall(request);
  const identity = await identityOf(host, request);
  const result = await execute({ ...call, identity });
  return result.status === "success"
    ? {
        status: 200,
        body: `{"status":"success","value":${encodeValue(result.value)},"logLines":[]}`,
      }
    : {
        status: STATUS_FUNCTION_FAILED,
        body: `{"status":"error",${encodeError("errorMessage", result)},"logLines":[]}`,
      };
}

async function identityOf(host: HttpCallsHost, request: IncomingMessage): Promise<Identity | null> {
  const { authorization } = request.headers;
  if (authorization === undefined) return null;
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) {
    throw new CallRefusedError(
      401,
      "unauthorized",
      "The authorization header must be Bearer with a token.",
    );
  }
  let identity: Identity;
  try {
    identity = await host.executor.authenticate(token);
  } catch (error) {
    const message = error instanceof Error ? error.message : "The token is not valid.";
    throw new CallRefusedError(401, "unauthorized", message);
  }
  if (host.clock() >= identity.expiresAtMs || !host.executor.isLive(identity)) {
    throw new CallRefusedError(401, "unauthorized", "The token is no longer valid.");
  }
  return identity;
}

async function readCall(
  request: IncomingMessage,
  decode: (sent: unknown) => Record<string, unknown> = decodeArguments,
): Promise<FunctionBody> {
  const text = await readBody(request);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new CallRefusedError(400, "invalidArgument", "The body is not JSON.");
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new CallRefusedError(400, "invalidArgument", "The body must be a JSON object.");
  }
  const { path, format, args } = body as Record<string, unknown>;
  if (typeof path !== "string" || path === "" || path.length > 500) {
    throw new CallRefusedError(
      400,
      "invalidArgument",
      "The path must name a function, such as module:name.",
      "path",
    );
  }
  if (format !== undefined && format !== "convex_encoded_json" && format !== "json") {
    throw new CallRefusedError(
      400,
      "invalidArgument",
      "The format must be convex_encoded_json or json.",
      "format",
    );
  }
  return { path: canonicalPath(path), args: decode(args) };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const type = request.headers["content-type"] ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new CallRefusedError(
      415,
      "invalidArgument",
      "The content type must be application/json.",
    );
  }
  const tooLarge = () =>
    new CallRefusedError(413, "tooLarge", `The body may have at most ${BODY_BYTES_MAX} bytes.`);
  if (Number(request.headers["content-length"] ?? 0) > BODY_BYTES_MAX) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      // What is beyond the limit is read and thrown away, so that the client sees the answer.
      if (length > BODY_BYTES_MAX) reject(tooLarge());
      else chunks.push(chunk);
    });
    request.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    const cutOff = () =>
      reject(new CallRefusedError(400, "invalidArgument", "The body was cut off."));
    request.on("error", cutOff);
    request.on("close", cutOff);
  });
}

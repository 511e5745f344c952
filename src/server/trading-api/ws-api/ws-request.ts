/** Parses requests and formats answers of the WebSocket API. */
import { z } from "zod";
import { ApiError } from "../api-error.ts";
import type { UsedWeight } from "../calls.ts";
import type { Pair } from "../parameters.ts";

const ID_LENGTH_MAX = 36;
const METHOD_LENGTH_MAX = 60;

/** The id of a request, which its answer repeats. */
export const wsRequestId = z.union([z.int(), z.string().max(ID_LENGTH_MAX), z.null()]);
const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]);

export const request = z.object({
  id: wsRequestId.optional(),
  method: z.string().max(METHOD_LENGTH_MAX),
  params: z.record(z.string(), value).optional(),
});

export interface WsRequest {
  readonly id: z.output<typeof wsRequestId>;
  readonly method: string;
  readonly pairs: readonly Pair[];
}

const BAD_REQUEST = -1_135;

/** Thrown for an invalid request; has the request's id if it could be read. */
export class WsRequestError extends Error {
  readonly id: WsRequest["id"];
  readonly refusal: ApiError;

  constructor(requestId: WsRequest["id"], message: string) {
    super(message);
    this.id = requestId;
    this.refusal = new ApiError(BAD_REQUEST, message);
  }
}

/** @throws WsRequestError */
export function parseWsRequest(text: string): WsRequest {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new WsRequestError(null, "Invalid JSON Request");
  }
  const { id = null, method, params = {} } = isRequest(body) ? body : checkedRequest(body);
  const pairs: Pair[] = [];
  for (const [name, given] of Object.entries(params)) {
    if (given !== null) pairs.push([name, textOf(given)]);
  }
  return { id, method, pairs };
}

type Request = z.output<typeof request>;

/**
 * Whether the body has the form of a request, as nearly all have: the schema takes longer to decide that.
 */
export function isRequest(body: unknown): body is Request {
  if (!isObject(body)) return false;
  const { id, method, params } = body;
  return (
    (id === undefined || isId(id)) &&
    typeof method === "string" &&
    method.length <= METHOD_LENGTH_MAX &&
    (params === undefined || (isObject(params) && Object.values(params).every(isValue)))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isId(id: unknown): boolean {
  return (
    id === null ||
    Number.isSafeInteger(id) ||
    (typeof id === "string" && id.length <= ID_LENGTH_MAX)
  );
}

function isValue(given: unknown): boolean {
  if (Array.isArray(given)) return given.every((item) => typeof item === "string");
  if (typeof given === "number") return Number.isFinite(given);
  return given === null || typeof given === "string" || typeof given === "boolean";
}

/** @throws WsRequestError that names the error in the body */
function checkedRequest(body: unknown): Request {
  const parsed = request.safeParse(body);
  if (parsed.success) return parsed.data;
  const given = z.object({ id: wsRequestId }).safeParse(body);
  const [{ message, path }] = parsed.error.issues;
  const at = path.length === 0 ? "" : `'${path.join(".")}': `;
  throw new WsRequestError(
    given.success ? given.data.id : null,
    `Invalid request: ${at}${message}`,
  );
}

/** The text of a parameter as it was signed. */
function textOf(given: string | number | boolean | readonly string[]): string {
  return Array.isArray(given) ? JSON.stringify(given) : String(given);
}

/** The parts of an answer besides its result. */
export interface AnswerMetadata {
  /** Undefined if the request wants no rate limits. */
  readonly weight: UsedWeight | undefined;
  /** The key's active faults; undefined if none. */
  readonly faults: string | undefined;
}

function describeWeight({ limit, used: count }: UsedWeight) {
  return [{ rateLimitType: "REQUEST_WEIGHT", interval: "MINUTE", intervalNum: 1, limit, count }];
}

export function encodeAnswer(
  requestId: WsRequest["id"],
  result: unknown,
  { faults, weight }: AnswerMetadata,
): string {
  const rateLimits = weight && describeWeight(weight);
  return JSON.stringify({ id: requestId, status: 200, result, rateLimits, faults });
}

export function encodeRefusal(
  requestId: WsRequest["id"],
  refusal: ApiError,
  { faults, weight }: AnswerMetadata,
): string {
  const { body, retryAfterSeconds, status } = refusal;
  const data =
    retryAfterSeconds === undefined
      ? {}
      : { data: { retryAfter: Date.now() + retryAfterSeconds * 1_000 } };
  return JSON.stringify({
    id: requestId,
    status,
    error: { ...body, ...data },
    rateLimits: weight && describeWeight(weight),
    faults,
  });
}

/** Parses requests and formats answers of the WebSocket API. */
import { z } from "zod";
import { ApiError } from "../api-error.ts";
import type { UsedWeight } from "../calls.ts";
import type { Pair } from "../parameters.ts";

/** The id of a request, which its answer repeats. */
export const wsRequestId = z.union([z.int(), z.string().max(36), z.null()]);
const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]);

const request = z.object({
  id: wsRequestId.optional(),
  method: z.string().max(60),
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
  const parsed = request.safeParse(body);
  if (!parsed.success) {
    const given = z.object({ id: wsRequestId }).safeParse(body);
    const [{ message, path }] = parsed.error.issues;
    const at = path.length === 0 ? "" : `'${path.join(".")}': `;
    throw new WsRequestError(
      given.success ? given.data.id : null,
      `Invalid request: ${at}${message}`,
    );
  }
  const { method, params = {} } = parsed.data;
  const pairs = Object.entries(params).flatMap(([name, given]): Pair[] =>
    given === null ? [] : [[name, textOf(given)]],
  );
  return { id: parsed.data.id ?? null, method, pairs };
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

function describeAnswer({ faults, weight }: AnswerMetadata) {
  const named = faults !== undefined && { faults };
  if (weight === undefined) return { ...named };
  const { limit, used: count } = weight;
  const rateLimitType = "REQUEST_WEIGHT";
  const rateLimits = [{ rateLimitType, interval: "MINUTE", intervalNum: 1, limit, count }];
  return { rateLimits, ...named };
}

export function encodeAnswer(
  requestId: WsRequest["id"],
  result: unknown,
  about: AnswerMetadata,
): string {
  return JSON.stringify({ id: requestId, status: 200, result, ...describeAnswer(about) });
}

export function encodeRefusal(
  requestId: WsRequest["id"],
  refusal: ApiError,
  about: AnswerMetadata,
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
    ...describeAnswer(about),
  });
}

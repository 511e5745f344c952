/** Requests of stream clients and their answers. */
import { z } from "zod";

const id = z.union([z.int(), z.string().max(36), z.null()]).optional();
const names = z.array(z.string().max(200)).max(1_024);

/** The schema of a request. */
export const streamRequest = z.discriminatedUnion("method", [
  z.object({ method: z.literal("SUBSCRIBE"), params: names.min(1), id }),
  z.object({ method: z.literal("UNSUBSCRIBE"), params: names.min(1), id }),
  z.object({ method: z.literal("LIST_SUBSCRIPTIONS"), id }),
  z.object({
    method: z.literal("SET_PROPERTY"),
    params: z.tuple([z.literal("combined"), z.boolean()]),
    id,
  }),
  z.object({ method: z.literal("GET_PROPERTY"), params: z.tuple([z.literal("combined")]), id }),
]);

export type StreamRequest = z.output<typeof streamRequest>;

/** Binance's codes: 2 for an invalid request, 3 for invalid JSON. */
export class StreamRequestError extends Error {
  readonly code: number;
  readonly id: unknown;

  constructor(code: number, message: string, requestId: unknown) {
    super(message);
    this.code = code;
    this.id = requestId;
  }
}

/** @throws StreamRequestError */
export function parseStreamRequest(text: string): StreamRequest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new StreamRequestError(3, "Invalid JSON.", undefined);
  }
  const parsed = streamRequest.safeParse(value);
  if (parsed.success) return parsed.data;
  const given = z.object({ id }).safeParse(value);
  const [issue] = parsed.error.issues;
  const at = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  const message = `Invalid request: ${at}${issue.message}`;
  throw new StreamRequestError(2, message, given.success ? given.data.id : undefined);
}

export function encodeResult(requestId: StreamRequest["id"], result: unknown): string {
  return JSON.stringify({ result, id: requestId ?? null });
}

export function encodeError({ code, id: requestId, message }: StreamRequestError): string {
  return JSON.stringify({ error: { code, msg: message }, id: requestId ?? null });
}

/** The answer of a query as text, ready to be put into the modification of any subscriber. */
import { encodeError, encodeLogLines, encodeValue } from "./encoding.ts";
import type { FunctionResult } from "./executor.ts";

export interface Payload {
  readonly failed: boolean;
  /** From the comma after the query id to the closing brace. */
  readonly tail: string;
  /** Id of this payload. Subscribers remember it instead of the text, which would stay in memory. */
  readonly version: number;
}

const UPDATED = `{"type":"QueryUpdated","queryId":`;
const FAILED = `{"type":"QueryFailed","queryId":`;
const CHANGED = `{"type":"QueryChanged","queryId":`;
const ENTRY_BYTES = 500;

let lastVersion = 0;

/** Throws if the wire format cannot represent the value. */
export function encodePayload(result: FunctionResult, journal: string | null): Payload {
  const failed = result.status === "error";
  const answer = failed
    ? encodeError("errorMessage", result)
    : `"value":${encodeValue(result.value)}`;
  return {
    failed,
    tail: `,${answer},${encodeLogLines(result)},"journal":${JSON.stringify(journal)}}`,
    version: ++lastVersion,
  };
}

export function modificationOf(queryId: number, { failed, tail }: Payload): string {
  return `${failed ? FAILED : UPDATED}${queryId}${tail}`;
}

/** The same in place of the whole answer, for a subscriber that takes increments. */
export function changeOf(queryId: number, increment: string): string {
  return `${CHANGED}${queryId},"change":${increment}}`;
}

/** An estimate: a text takes a byte or two for each character, and an entry has overhead. */
export function bytesOf(payload: Payload | undefined): number {
  return (payload?.tail.length ?? 0) + ENTRY_BYTES;
}

/** The encoded answer of a query, ready to be inserted into any subscriber's modification. */
import { encodeError, encodeLogLines, encodeValue } from "./encoding.ts";
import type { FunctionResult } from "./executor.ts";

export interface Payload {
  readonly failed: boolean;
  /** The modification's text from the comma after the query id to the closing brace. */
  readonly tail: string;
  /** The payload's version. Subscribers remember it instead of the text, which would stay in memory. */
  readonly version: number;
}

const UPDATED = `{"type":"QueryUpdated","queryId":`;
const FAILED = `{"type":"QueryFailed","queryId":`;
const CHANGED = `{"type":"QueryChanged","queryId":`;
const ENTRY_BYTES = 500;

let lastVersion = 0;

/** @throws Error if the wire format cannot represent the value */
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

/** The modification with an increment instead of the answer. */
export function changeOf(queryId: number, increment: string): string {
  return `${CHANGED}${queryId},"change":${increment}}`;
}

/** The payload's estimated size: one or two bytes per character, and the overhead of an entry. */
export function bytesOf(payload: Payload | undefined): number {
  return (payload?.tail.length ?? 0) + ENTRY_BYTES;
}

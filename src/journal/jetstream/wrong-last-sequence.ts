/** The codes of JetStream's API for a publication that expected another message to be the last one. */
const CODES: ReadonlySet<unknown> = new Set([10071, 10164]);

/** Whether the server refused a publication because the stream, or its subject, has new messages. */
export function isWrongLastSequence(error: unknown): boolean {
  return CODES.has((error as { code?: unknown }).code);
}

/**
 * Charges clients for reading their data: receiving, collecting and freeing bytes takes time like
 * any other work. Nothing is read from a throttled client.
 */
import type { IncomingMessage } from "node:http";
import type { ClientKey } from "./client-key.ts";
import type { Turns } from "./immediate-turns.ts";

const MS_PER_CHUNK = 0.01;
const MS_PER_BYTE = 7e-6;

/** The approximate time to receive this many bytes, in milliseconds, without processing them. */
export function receivingMs(bytes: number): number {
  return MS_PER_CHUNK + bytes * MS_PER_BYTE;
}

/** Reads a request's body at the client's rate, and passes it to `onData` or discards it. */
export function readInTurn(
  request: IncomingMessage,
  { shares, client }: { readonly shares: Turns; readonly client: ClientKey },
  onData: (chunk: Buffer) => void = () => {},
): void {
  request.on("data", (chunk: Buffer) => {
    shares.charge(client, receivingMs(chunk.length));
    onData(chunk);
    if (!shares.isThrottled(client)) return;
    request.pause();
    shares.whenUnthrottled(client, () => request.resume());
  });
}

/**
 * Reading from a client costs work like any other: taking bytes off the wire, collecting and
 * freeing them. It is charged to the client, and a resting client is not read from.
 */
import type { IncomingMessage } from "node:http";
import type { ClientKey } from "./client-key.ts";
import type { Turns } from "./immediate-turns.ts";

const MS_PER_PIECE = 0.01;
const MS_PER_BYTE = 7e-6;

/** The approximate cost of taking a piece of this many bytes off the wire before it is processed. */
export function receivingMs(bytes: number): number {
  return MS_PER_PIECE + bytes * MS_PER_BYTE;
}

/** Reads the body of a request and passes it to `onData` or discards it. */
export function readInTurn(
  request: IncomingMessage,
  { shares, client }: { readonly shares: Turns; readonly client: ClientKey },
  onData: (chunk: Buffer) => void = () => {},
): void {
  request.on("data", (chunk: Buffer) => {
    shares.charge(client, receivingMs(chunk.length));
    onData(chunk);
    if (!shares.isResting(client)) return;
    request.pause();
    shares.whenRested(client, () => request.resume());
  });
}

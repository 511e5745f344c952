/**
 * Reading from a client costs work like any other: taking bytes off the wire, collecting and freeing them.
 * It counts for the client, and a client at rest is not read from.
 */
import type { IncomingMessage } from "node:http";
import type { ClientKey } from "./client-key.ts";
import type { WorkShares } from "./work-shares.ts";

const MS_PER_PIECE = 0.01;
const MS_PER_BYTE = 7e-6;

/** About what taking a piece of so many bytes off the wire costs before anything looks at them. */
export function receivingMs(bytes: number): number {
  return MS_PER_PIECE + bytes * MS_PER_BYTE;
}

/** Reads the body of a request, which gives it to `onData` or throws it away. */
export function readInTurn(
  request: IncomingMessage,
  { shares, client }: { readonly shares: WorkShares; readonly client: ClientKey },
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

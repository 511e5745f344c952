/**
 * A socket that is being closed still delivers what the client had sent: the client's half of the
 * closing handshake comes after it. All of it is dropped, so it is neither counted nor charged to
 * the client; a client that sends much more than was in transit is cut off instead.
 */
import type { Socket } from "node:net";

const IN_TRANSIT_BYTES_MAX = 64 * 1024;

interface ClosingSocket {
  readonly readyState: number;
  readonly OPEN: number;
  terminate(): void;
}

/** Call it once, for a WebSocket that may be closed at some time. */
export function limitBytesAfterClose(ws: ClosingSocket, socket: Socket): void {
  let bytes = 0;
  socket.on("data", (chunk: Buffer) => {
    if (ws.readyState === ws.OPEN) return;
    bytes += chunk.length;
    if (bytes > IN_TRANSIT_BYTES_MAX) ws.terminate();
  });
}

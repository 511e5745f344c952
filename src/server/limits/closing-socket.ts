/**
 * Limits the data that a closing WebSocket receives. It still delivers messages that the client had
 * sent before its half of the closing handshake; all of it is dropped, and neither counted nor charged
 * to the client. A client that sends much more than was in transit is disconnected.
 */
import type { Socket } from "node:net";

const IN_TRANSIT_BYTES_MAX = 64 * 1024;

interface ClosingSocket {
  readonly readyState: number;
  readonly OPEN: number;
  terminate(): void;
}

/** Installs the limit; call once per WebSocket, while it is open. */
export function limitBytesAfterClose(ws: ClosingSocket, socket: Socket): void {
  let bytes = 0;
  socket.on("data", (chunk: Buffer) => {
    if (ws.readyState === ws.OPEN) return;
    bytes += chunk.length;
    if (bytes > IN_TRANSIT_BYTES_MAX) ws.terminate();
  });
}

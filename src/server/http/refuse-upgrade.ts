import type { Duplex } from "node:stream";

/**
 * Refuses an upgrade and destroys its socket. Node sets no timeout on an upgraded socket:
 * half-closed, it would stay open until its peer closes it, count as a connection, and keep the
 * server from closing.
 * @param status status code and reason, optionally followed by header lines
 */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  );
}

import type { Duplex } from "node:stream";

/**
 * Refuses an upgrade and destroys its socket. Node leaves an upgraded socket to the code that took
 * it, without a time limit: half-closed, it would stay open until its peer closes it, count as a
 * connection, and keep the server from closing.
 * @param status code and reason, further header lines after it
 */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  );
}

import type { Duplex } from "node:stream";

/**
 * Answers an upgrade that is not taken, and lets go of its socket. Node leaves an upgraded socket to
 * the code that took it, without a time limit: ended on our side alone, it would be held for as long as its
 * peer likes, count among the connections, and keep the server from closing.
 * @param status code and reason, further header lines after it
 */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  );
}

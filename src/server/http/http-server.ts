/** The HTTP server as Node brings it, with limits on how long a client may take. */
import { createServer } from "node:http";
import type { Server } from "node:http";

const REQUEST_TIMEOUT_MS = 60_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** Longer than the usual 60 s of proxies, so that it is the proxy that lets an idle connection go. */
const KEEP_ALIVE_MS = 65_000;

const ANSWERS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/**
 * A server that is not listening yet and answers nothing.
 * @param connectionsMax what comes beyond is closed at once
 */
export function createHttpServer(connectionsMax: number): Server {
  const server = createServer({
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Whoever offers another protocol, such as h2c, is answered in this one.
    shouldUpgradeCallback: ({ headers }) => /^websocket$/i.test(headers.upgrade ?? ""),
  });
  server.maxConnections = connectionsMax;
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const status = ANSWERS[error.code ?? ""] ?? "400 Bad Request";
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  return server;
}
